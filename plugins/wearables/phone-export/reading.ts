/** Data model of a phone's health export: days, clinical records, and counts of everything. Plain data. */
import type { ImportedReport } from '#plugins/labs/index.ts';
import type { FileKey } from '../imports/files.ts';
import type { DailyRow } from '../vitals.ts';

export interface ExportFile {
  readonly path: string;
  /** Key of the file on disk, AES-256 in counter mode; null if it is not encrypted. */
  readonly key: FileKey | null;
  /** Name of the uploaded file; the format is determined by the content. */
  readonly name: string;
  readonly bytes: number;
}

export interface ExportProgress {
  readonly stage: 'opening' | 'records' | 'clinical' | 'days';
  /** Fraction of the bytes of export.xml, 0 to 1. */
  readonly share: number;
  readonly records: number;
}

/**
 * Outcome of an export. `cut_short`: it ends in the middle. `wrong_encoding`: not UTF-8. `bomb`: its compression ratio exceeds
 * the limit, or it declares entities. All but `read` come without data.
 */
export type ExportOutcome =
  | 'read'
  | 'not_an_export'
  | 'no_export_inside'
  | 'encrypted'
  | 'damaged'
  | 'cut_short'
  | 'wrong_encoding'
  | 'too_large'
  | 'bomb'
  | 'too_much_memory'
  | 'took_too_long'
  /** The server stopped while the file was read; it is not retried. */
  | 'interrupted';

export interface ClinicalRecord {
  /** JSON of `[type, provider, identifier]`, which is the same in every export of a record; its file name is not. */
  readonly key: string;
  readonly sourceName: string;
  /** FHIR resource as in the export, DSTU2 or R4. */
  readonly resource: Record<string, unknown>;
}

/** Counts of one type, never values; `read` is the sum of `used` and `left`. */
export interface TallyLine {
  /** An identifier of HealthKit, an element, or a FHIR type, as in the file. */
  readonly type: string;
  readonly read: number;
  readonly used: number;
  readonly left: number;
  /** Why some were skipped; "" when none was. */
  readonly why: string;
}

export interface PhoneReading {
  readonly outcome: ExportOutcome;
  /** RFC 3339 with its zone. */
  readonly exportedAt: string | null;
  readonly sex: 'female' | 'male' | null;
  readonly birthYear: number | null;
  /** One row per source and day with a metric, ordered by source, then by day. */
  readonly rows: readonly DailyRow[];
  readonly workouts: number;
  /** Records that can contain a laboratory value: Observation, DiagnosticReport, Patient. */
  readonly clinical: readonly ClinicalRecord[];
  /** By type. */
  readonly tally: readonly TallyLine[];
  /** Number of `Record` elements, including those in correlations. */
  readonly records: number;
  /** Number of distinct days among the rows. */
  readonly days: number;
  /** Size of export.xml. */
  readonly bytes: number;
}

export const NOTHING_READ: Omit<PhoneReading, 'outcome'> = {
  exportedAt: null,
  sex: null,
  birthYear: null,
  rows: [],
  workouts: 0,
  clinical: [],
  tally: [],
  records: 0,
  days: 0,
  bytes: 0,
};

export const unreadExport = (outcome: ExportOutcome): PhoneReading => ({ outcome, ...NOTHING_READ });

/** Counts of the clinical records. */
export interface ClinicalCounts {
  readonly found: number;
  /** Records known from an earlier export. */
  readonly known: number;
  /** Sentences on the remaining records. */
  readonly words: readonly string[];
}

/** Result of the reading process, in which clinical records are converted to reports. */
export interface ExportReading extends Omit<PhoneReading, 'clinical'> {
  readonly clinical: ClinicalCounts & { readonly reports: readonly ImportedReport[] };
}

export const unreadFile = (outcome: ExportOutcome): ExportReading => ({
  ...unreadExport(outcome),
  clinical: { found: 0, known: 0, words: [], reports: [] },
});
