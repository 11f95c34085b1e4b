/** Reads the clinical records of an export; export.xml lists them, and each is in a separate file beside it. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Archive } from './archive.ts';
import type { Attributes } from './elements.ts';
import { ExportFailure } from './failure.ts';
import type { ExportLimits } from './limits.ts';
import type { ClinicalRecord } from './reading.ts';
import { leave, type Reason, type Tally } from './tally.ts';
import { kept } from './text.ts';

/** A `ClinicalRecord` element. */
export interface ClinicalEntry {
  /** FHIR's type, or one of HealthKit's own; files contain both. */
  readonly type: string;
  readonly identifier: string;
  readonly sourceName: string;
  readonly receivedDate: string;
  /** Path such as `/clinical-records/Observation-….json`. */
  readonly path: string;
}

export interface ClinicalParts {
  /** Null for a single XML file, which has no files beside it. */
  readonly archive: Archive | null;
  readonly tally: Tally;
  readonly limits: Pick<ExportLimits, 'clinicalBytes'>;
}

/** Resource types that contain a measured value or the person. */
const TOLD: ReadonlySet<string> = new Set(['Observation', 'DiagnosticReport', 'Patient']);
export const MOST_CLINICAL = 50_000;

export const clinicalEntry = (attributes: Attributes): ClinicalEntry => ({
  type: kept(attributes.type || 'ClinicalRecord'),
  identifier: kept(attributes.identifier ?? ''),
  sourceName: kept(attributes.sourceName ?? ''),
  receivedDate: kept(attributes.receivedDate ?? ''),
  path: kept(attributes.resourceFilePath ?? ''),
});

const resourceIn = (bytes: Buffer): Record<string, unknown> | null => {
  try {
    const value: unknown = isUtf8(bytes) ? JSON.parse(bytes.toString('utf8')) : null;
    return typeof value === 'object' && value !== null && 'resourceType' in value ? { ...value } : null;
  } catch {
    return null;
  }
};

/** Reads the file of a record. A single damaged file is skipped; a hostile or locked archive is not read further. */
const fileOf = async (archive: Archive | null, path: string): Promise<Buffer | Reason> => {
  try {
    return (await archive?.clinical(path)) ?? 'noFile';
  } catch (error) {
    if (!(error instanceof ExportFailure) || error.outcome === 'bomb' || error.outcome === 'encrypted') throw error;
    return error.outcome === 'too_large' ? 'tooMuch' : 'badFile';
  }
};

/** Builds the key of a record; an identifier is unique only within its type and provider. */
const keyOf = ({ identifier, sourceName }: ClinicalEntry, resource: Record<string, unknown>, bytes: Buffer): string => {
  const own = typeof resource.id === 'string' ? resource.id : '';
  const content = () => createHash('sha256').update(bytes).digest('hex');
  return JSON.stringify([resource.resourceType, sourceName, identifier || own || content()]);
};

/** Reads the records, in the order of the file. Of two with the same key, the one received last is returned. */
export const readClinical = async (
  entries: readonly ClinicalEntry[],
  { archive, tally, limits }: ClinicalParts,
): Promise<readonly ClinicalRecord[]> => {
  const known = new Map<string, ClinicalRecord & { readonly receivedDate: string }>();
  let total = 0;
  const take = async (entry: ClinicalEntry): Promise<Reason | null> => {
    if (total > limits.clinicalBytes) return 'tooMuch';
    const bytes = await fileOf(archive, entry.path);
    if (typeof bytes === 'string') return bytes;
    total += bytes.length;
    const resource = resourceIn(bytes);
    if (!resource) return 'badFile';
    if (!TOLD.has(String(resource.resourceType))) return 'noLabValue';
    const key = keyOf(entry, resource, bytes);
    const before = known.get(key);
    if (!before || entry.receivedDate >= before.receivedDate)
      known.set(key, { key, sourceName: entry.sourceName, resource, receivedDate: entry.receivedDate });
    return before ? 'again' : null;
  };
  for (const entry of entries) {
    const count = tally.of(entry.type);
    count.read += 1;
    const reason = await take(entry);
    if (reason) leave(count, reason);
  }
  return [...known.values()].map(({ key, sourceName, resource }) => ({ key, sourceName, resource }));
};
