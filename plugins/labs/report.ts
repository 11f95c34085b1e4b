/** Data model of a laboratory report, as it is stored (sealed, in one piece) and exported by `/api/account/export`. */

export type TestType = 'blood' | 'urine' | 'other';
export type Comparator = '<' | '>' | '=';
export type Flag = 'low' | 'normal' | 'high' | 'critical' | 'unknown';

/** A rectangle on a page, as fractions of its width and height, from the top left. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The range that the laboratory printed beside a value, in the printed unit; without bounds if its words restrict or qualify it.
 */
export interface PrintedRange {
  readonly low: number | null;
  readonly high: number | null;
  /** Verbatim, including words ("Deficient < 20"); "" when none was printed. */
  readonly text: string;
  /** Decimal separator of the bounds in `text`; absent if unknown. */
  readonly decimal?: 'point' | 'comma';
}

/** Why a value needs a review; `lab-messages.ts` has the sentence of each code. */
export type Doubt =
  | 'unknown_marker'
  | 'several_markers'
  | 'unclear_name'
  | 'no_unit'
  | 'unknown_unit'
  | 'unit_does_not_fit'
  | 'implausible'
  | 'far_from_range'
  | 'unclear_number'
  | 'lost_decimal_point'
  | 'decimal_comma'
  | 'flag_disagrees'
  | 'several_values'
  | 'twice_in_report'
  | 'percent_or_count'
  | 'poor_scan'
  | 'from_model';

/** One value as read from a report, before a review. */
export interface ReadValue {
  /** Null if the name is unknown; the row is shown all the same. */
  readonly slug: string | null;
  /** As printed. */
  readonly rawName: string;
  readonly loinc: string | null;
  /** In the printed unit; null for words. */
  readonly value: number | null;
  /** As printed, including the comparator: "<0.01", "1.2 x10^3", "positive". */
  readonly valueText: string;
  readonly comparator: Comparator;
  /** As printed; "" when none was. */
  readonly unit: string;
  /** "" if the printed unit is unknown. */
  readonly ucum: string;
  readonly range: PrintedRange;
  /** As printed: "H", "L", "*"; "" when none was. */
  readonly flagText: string;
  /** Confidence of the reading by our rules, 0 to 1. */
  readonly confidence: number;
  readonly doubts: readonly Doubt[];
  /** Starts at 1, over all files of the upload. */
  readonly page: number;
  readonly box: Box;
  /** The line or lines from which it was read, as text. */
  readonly snippet: string;
}

/** Outcome of one file. */
export type FileOutcome =
  | 'read'
  | 'no_values'
  | 'encrypted'
  | 'damaged'
  | 'too_many_pages'
  | 'unreadable_picture'
  | 'not_a_report'
  /** It needs more memory than the limit per file, or unpacks to more. */
  | 'too_large'
  | 'took_too_long'
  /** The server stopped while the file was read; it is not retried. */
  | 'interrupted';

/** Result of reading an upload. */
export interface Reading {
  readonly files: readonly { readonly name: string; readonly pages: number; readonly outcome: FileOutcome }[];
  readonly pages: number;
  readonly labName: string;
  /** RFC 3339 dates; null when the report states none or several. */
  readonly collectedAt: string | null;
  readonly reportedAt: string | null;
  /** As printed on the report; no other source is queried. */
  readonly sex: 'female' | 'male' | null;
  readonly birthYear: number | null;
  /** `text`: a text layer; `ocr`: OCR of images; `model`: a vision model. */
  readonly readBy: 'text' | 'ocr' | 'model' | 'mixed';
  readonly values: readonly ReadValue[];
  /** Lines that resemble a value but were not read as one. */
  readonly unread: readonly { readonly page: number; readonly text: string }[];
  /** Codes of warnings for the person, such as `several_reports`, `several_people`, `instructions_in_text`. */
  readonly warnings: readonly string[];
}
