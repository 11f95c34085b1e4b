/** Limits for reading an export. */
export interface ExportLimits {
  readonly zipBytes: number;
  /** Size of export.xml, from the ZIP or alone. */
  readonly xmlBytes: number;
  /** Maximum compression ratio. */
  readonly ratio: number;
  /** Unpacked size from which the ratio is checked: a short file with one repeated line is not a bomb. */
  readonly ratioFromBytes: number;
  /** Number of sources times days. */
  readonly days: number;
  readonly sleepSegments: number;
  /** Size of all clinical records together. */
  readonly clinicalBytes: number;
  /** Size of one clinical record. */
  readonly clinicalRecordBytes: number;
}

const GB = 1024 ** 3;
const MB = 1024 ** 2;

export const LIMITS: ExportLimits = {
  zipBytes: GB,
  xmlBytes: 4 * GB,
  ratio: 200,
  ratioFromBytes: MB,
  days: 200_000,
  sleepSegments: 1_000_000,
  clinicalBytes: 48 * MB,
  clinicalRecordBytes: 2 * MB,
};
