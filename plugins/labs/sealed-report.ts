/** Sealed content of a report's row: everything about the person. */
import type { Secrets } from '#core/secrets.ts';
import type { Comparator, Doubt, PrintedRange, Reading, ReadValue, TestType } from './report.ts';

/** A value of a report, as it was read, or as the person corrected or entered it. */
export interface StoredMarker extends ReadValue {
  /** Unique in its report: `m1`, `m2` … */
  readonly markerId: string;
  /** A person has reviewed it; until then it is not used anywhere. */
  readonly confirmed: boolean;
  /** `read`: unchanged since the reading; `corrected`: changed by the person; `by_hand`: entered by the person. */
  readonly origin: 'read' | 'corrected' | 'by_hand';
  /** An image of the row is stored until the report is confirmed. */
  readonly hasCrop: boolean;
}

export interface SealedReport {
  readonly labName: string;
  /** Days, RFC 3339; null when unknown. */
  readonly collectedAt: string | null;
  readonly reportedAt: string | null;
  readonly sex: 'female' | 'male' | null;
  readonly birthYear: number | null;
  readonly isPregnant: boolean | null;
  readonly isFasting: boolean | null;
  readonly files: Reading['files'];
  readonly pages: number;
  /** SHA-256 over the bytes of all files, hex; "" without files. */
  readonly sha256: string;
  /** The person agreed that its pages may be sent to a vision model. */
  readonly mayUseModel: boolean;
  readonly readBy: Reading['readBy'] | 'hand' | 'fhir';
  readonly markers: readonly StoredMarker[];
  readonly unread: Reading['unread'];
  readonly warnings: readonly string[];
  /** Keys of the source records, if they have any, which prevent importing a record twice. */
  readonly keys?: readonly string[];
}

export interface Report extends SealedReport {
  readonly reportId: string;
  readonly testType: TestType;
  readonly sourceType: 'lab_upload' | 'phone_health' | 'wearable' | 'manual';
  readonly state: 'waiting' | 'reading' | 'ready';
  /** Incremented with each change: an edit of an older revision is refused. */
  readonly revision: number;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const EMPTY_REPORT: SealedReport = {
  labName: '',
  collectedAt: null,
  reportedAt: null,
  sex: null,
  birthYear: null,
  isPregnant: null,
  isFasting: null,
  files: [],
  pages: 0,
  sha256: '',
  mayUseModel: false,
  readBy: 'hand',
  markers: [],
  unread: [],
  warnings: [],
};

const PURPOSE = 'lab_report';

export const sealReport = (secrets: Secrets, reportId: string, report: SealedReport): Buffer =>
  secrets.seal({ purpose: PURPOSE, id: reportId }, Buffer.from(JSON.stringify(report)));

/**
 * Opens a sealed report.
 * @throws SealBroken when our secrets do not open it.
 */
export const openReport = (secrets: Secrets, reportId: string, sealed: Uint8Array): SealedReport => ({
  ...EMPTY_REPORT,
  ...(JSON.parse(secrets.open({ purpose: PURPOSE, id: reportId }, sealed).toString()) as SealedReport),
});

/** Builds the content from a reading, with all values unconfirmed. */
export const keptFromReading = (
  before: SealedReport,
  reading: Reading,
  hasCrop: (index: number) => boolean,
): SealedReport => ({
  ...before,
  labName: reading.labName,
  collectedAt: before.collectedAt ?? reading.collectedAt,
  reportedAt: reading.reportedAt,
  sex: before.sex ?? reading.sex,
  birthYear: before.birthYear ?? reading.birthYear,
  files: reading.files,
  pages: reading.pages,
  readBy: reading.readBy,
  unread: reading.unread,
  warnings: reading.warnings,
  markers: reading.values.map((value, index) => ({
    ...value,
    markerId: `m${index + 1}`,
    confirmed: false,
    origin: 'read',
    hasCrop: hasCrop(index),
  })),
});

/** Builds a value that a person typed. */
export const enteredMarker = (
  markerId: string,
  entered: {
    readonly slug: string | null;
    readonly rawName: string;
    readonly value: number | null;
    readonly valueText: string;
    readonly comparator: Comparator;
    readonly unit: string;
    readonly ucum: string;
    readonly range: PrintedRange;
    readonly doubts: readonly Doubt[];
  },
): StoredMarker => ({
  ...entered,
  markerId,
  loinc: null,
  flagText: '',
  confidence: 1,
  page: 0,
  box: { x: 0, y: 0, width: 0, height: 0 },
  snippet: '',
  confirmed: true,
  origin: 'by_hand',
  hasCrop: false,
});
