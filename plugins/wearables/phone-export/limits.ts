/** How much of an export is read. */
export interface ExportLimits {
  readonly zipBytes: number;
  /** Of export.xml, out of the ZIP or alone. */
  readonly xmlBytes: number;
  /** What comes out of a packed file, over what went in. */
  readonly ratio: number;
  /** What may come out before the ratio is looked at: short files of one repeated line are no bombs. */
  readonly ratioFromBytes: number;
  /** Sources times days. */
  readonly days: number;
  readonly sleepSegments: number;
  /** All clinical records together. */
  readonly clinicalBytes: number;
  /** Of one clinical record. */
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
