/** What is sealed in a report's row: all that says anything of a person. */
import type { Secrets } from '#core/secrets.ts';
import type { Comparator, Doubt, PrintedRange, Reading, ReadValue, TestType } from './report.ts';

/** A value of a report, as it was read, or as the person corrected or entered it. */
export interface StoredMarker extends ReadValue {
  /** Unique in its report: `m1`, `m2` … */
  readonly markerId: string;
  /** A person has looked at it; until then it counts nowhere. */
  readonly confirmed: boolean;
  /** Not as it was read: by hand from the start, or changed. */
  readonly origin: 'read' | 'corrected' | 'by_hand';
  /** A picture of the row is kept until the report is confirmed. */
  readonly hasCrop: boolean;
}

export interface SealedReport {
  readonly labName: string;
  /** Days, RFC 3339; null when nobody has said. */
  readonly collectedAt: string | null;
  readonly reportedAt: string | null;
  readonly sex: 'female' | 'male' | null;
  readonly birthYear: number | null;
  readonly isPregnant: boolean | null;
  readonly isFasting: boolean | null;
  readonly files: Reading['files'];
  readonly pages: number;
  /** SHA-256 over the bytes of all files, hex; "" without one. */
  readonly sha256: string;
  /** The person agreed that its pages go to a vision model. */
  readonly mayUseModel: boolean;
  readonly readBy: Reading['readBy'] | 'hand' | 'fhir';
  readonly markers: readonly StoredMarker[];
  readonly unread: Reading['unread'];
  readonly warnings: readonly string[];
  /** Of the records that it was made of, where they have such: the same ones are not taken twice. */
  readonly keys?: readonly string[];
}

export interface Report extends SealedReport {
  readonly reportId: string;
  readonly testType: TestType;
  readonly sourceType: 'lab_upload' | 'phone_health' | 'wearable' | 'manual';
  readonly state: 'waiting' | 'reading' | 'ready';
  /** Counts up with each change: an edit of an older one is refused. */
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

/** @throws SealBroken when our secrets do not open it. */
export const openReport = (secrets: Secrets, reportId: string, sealed: Uint8Array): SealedReport => ({
  ...EMPTY_REPORT,
  ...(JSON.parse(secrets.open({ purpose: PURPOSE, id: reportId }, sealed).toString()) as SealedReport),
});

/** Nobody has looked at these values yet. */
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

/** A value that a person typed. */
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
