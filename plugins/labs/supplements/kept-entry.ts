/** Sealed content of a row of the log: a supplement or a medicine that a person takes or took. */
import type { Secrets } from '#core/secrets.ts';

export type Frequency = 'daily' | 'twice_daily' | 'weekly' | 'as_needed';
export const FREQUENCIES: readonly Frequency[] = ['daily', 'twice_daily', 'weekly', 'as_needed'];

export interface KeptEntry {
  readonly kind: 'supplement' | 'medicine';
  /** Slug of a known supplement, substance, medicine or class of medicines; "" for an unknown name. */
  readonly slug: string;
  readonly slugKind: 'supplement' | 'substance' | 'drug' | 'class' | '';
  /** Our name if known, otherwise the name as given. */
  readonly name: string;
  /** Name as given; "" when a slug was given. */
  readonly given: string;
  /** The name was corrected as a misspelling, so the person is asked to check it. */
  readonly isGuess: boolean;
  readonly dsldId: string;
  readonly doseAmount: number | null;
  readonly doseUnit: string;
  readonly frequency: Frequency | '';
  readonly timeOfDay: string;
  /** Days, RFC 3339. */
  readonly startedAt: string;
  readonly stoppedAt: string | null;
  readonly reason: string;
  /** Slugs of markers. */
  readonly targets: readonly string[];
  /** Unknown names of markers, as given. */
  readonly unknownTargets: readonly string[];
}

export interface LogEntry extends KeptEntry {
  readonly logId: number;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly revision: number;
}

const PURPOSE = 'supplement_log';

export const sealEntry = (secrets: Secrets, logId: number, entry: KeptEntry): Buffer =>
  secrets.seal({ purpose: PURPOSE, id: String(logId) }, Buffer.from(JSON.stringify(entry)));

/**
 * Opens a sealed entry.
 * @throws SealBroken when our secrets do not open it.
 */
export const openEntry = (secrets: Secrets, logId: number, sealed: Uint8Array): KeptEntry =>
  JSON.parse(secrets.open({ purpose: PURPOSE, id: String(logId) }, sealed).toString()) as KeptEntry;
