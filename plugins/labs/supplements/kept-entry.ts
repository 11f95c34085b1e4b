/** What is sealed in a row of the log: a supplement or a medicine that somebody takes or took. */
import type { Secrets } from '#core/secrets.ts';

export type Frequency = 'daily' | 'twice_daily' | 'weekly' | 'as_needed';
export const FREQUENCIES: readonly Frequency[] = ['daily', 'twice_daily', 'weekly', 'as_needed'];

export interface KeptEntry {
  readonly kind: 'supplement' | 'medicine';
  /** Of a supplement, a substance, a medicine or a class of medicines of ours; "" for a name that is none of ours. */
  readonly slug: string;
  readonly slugKind: 'supplement' | 'substance' | 'drug' | 'class' | '';
  /** Ours where we have one, else as it was given. */
  readonly name: string;
  /** As it was given; "" when a slug was. */
  readonly given: string;
  /** The name was taken for a misspelling of ours: the person is asked to look. */
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
  /** Names of markers that are none of ours, as given. */
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

/** @throws SealBroken when our secrets do not open it. */
export const openEntry = (secrets: Secrets, logId: number, sealed: Uint8Array): KeptEntry =>
  JSON.parse(secrets.open({ purpose: PURPOSE, id: String(logId) }, sealed).toString()) as KeptEntry;
