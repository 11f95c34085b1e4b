/** What is read from a phone's health export: days, clinical records, and what became of everything. Plain data. */
import type { ImportedReport } from '#plugins/labs/index.ts';
import type { FileKey } from '../imports/files.ts';
import type { DailyRow } from '../vitals.ts';

export interface ExportFile {
  readonly path: string;
  /** Of the file as it lies on disk, AES-256 in counter mode; null: it lies in the clear. */
  readonly key: FileKey | null;
  /** As it was uploaded; what it is, is seen in its bytes. */
  readonly name: string;
  readonly bytes: number;
}

export interface ExportProgress {
  readonly stage: 'opening' | 'records' | 'clinical' | 'days';
  /** Of the bytes of export.xml, 0 to 1. */
  readonly share: number;
  readonly records: number;
}

/**
 * `cut_short`: it ends in the middle. `wrong_encoding`: not UTF-8. `bomb`: it unpacks to far more than it is, or declares
 * entities. All but `read` come with nothing else.
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
  /** The server stopped while it was read; it is not tried again. */
  | 'interrupted';

export interface ClinicalRecord {
  /** JSON of `[type, provider, identifier]`: the same in every export of one record, while its file's name is not. */
  readonly key: string;
  readonly sourceName: string;
  /** FHIR as it stands in the export, DSTU2 or R4. */
  readonly resource: Record<string, unknown>;
}

/** Counts only, never a value; `read` is `used` and `left` together. */
export interface TallyLine {
  /** An identifier of HealthKit, an element, or a FHIR type: as the file names it. */
  readonly type: string;
  readonly read: number;
  readonly used: number;
  readonly left: number;
  /** Why some were left; "" when none was. */
  readonly why: string;
}

export interface PhoneReading {
  readonly outcome: ExportOutcome;
  /** RFC 3339 with its zone. */
  readonly exportedAt: string | null;
  readonly sex: 'female' | 'male' | null;
  readonly birthYear: number | null;
  /** One of each source and day that has a metric, by source, then by day. */
  readonly rows: readonly DailyRow[];
  readonly workouts: number;
  /** Those that can tell a laboratory value: Observation, DiagnosticReport, Patient. */
  readonly clinical: readonly ClinicalRecord[];
  /** By type. */
  readonly tally: readonly TallyLine[];
  /** `Record` elements, those inside correlations too. */
  readonly records: number;
  /** Different days among the rows. */
  readonly days: number;
  /** Of export.xml. */
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

/** What became of the clinical records. */
export interface ClinicalCounts {
  readonly found: number;
  /** Records that an earlier export brought. */
  readonly known: number;
  /** What became of the rest, as sentences. */
  readonly words: readonly string[];
}

/** What the reading process gives: clinical records have become reports in it. */
export interface ExportReading extends Omit<PhoneReading, 'clinical'> {
  readonly clinical: ClinicalCounts & { readonly reports: readonly ImportedReport[] };
}

export const unreadFile = (outcome: ExportOutcome): ExportReading => ({
  ...unreadExport(outcome),
  clinical: { found: 0, known: 0, words: [], reports: [] },
});
