/** A laboratory report as it is kept (sealed, one piece) and as `/api/account/export` gives it. */

export type TestType = 'blood' | 'urine' | 'other';
export type Comparator = '<' | '>' | '=';
export type Flag = 'low' | 'normal' | 'high' | 'critical' | 'unknown';

/** A place on a page, in shares of its width and height, from the top left. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The range that the laboratory printed beside a value, in the printed unit; without bounds where its words say more than that. */
export interface PrintedRange {
  readonly low: number | null;
  readonly high: number | null;
  /** Letter for letter, words included ("Deficient < 20"); "" when none was printed. */
  readonly text: string;
  /** How the report writes numbers, for the bounds in `text`; absent where nobody can say. */
  readonly decimal?: 'point' | 'comma';
}

/** Why a value is to be looked at; each code has its sentence for readers in `doubts.ts`. */
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

/** One value that was read off a report, before anybody has looked at it. */
export interface ReadValue {
  /** Null: the name is none that we know; the row is shown all the same. */
  readonly slug: string | null;
  /** As printed. */
  readonly rawName: string;
  readonly loinc: string | null;
  /** In the printed unit; null for words. */
  readonly value: number | null;
  /** As printed, comparator included: "<0.01", "1.2 x10^3", "positive". */
  readonly valueText: string;
  readonly comparator: Comparator;
  /** As printed; "" when none was. */
  readonly unit: string;
  /** "" when the printed unit means nothing to us. */
  readonly ucum: string;
  readonly range: PrintedRange;
  /** As printed: "H", "L", "*"; "" when none was. */
  readonly flagText: string;
  /** 0 to 1: of reading it right, as far as the rules can tell. */
  readonly confidence: number;
  readonly doubts: readonly Doubt[];
  /** From 1, over all files of the upload. */
  readonly page: number;
  readonly box: Box;
  /** The line or lines it was read from, as text. */
  readonly snippet: string;
}

/** What became of one file. */
export type FileOutcome =
  | 'read'
  | 'no_values'
  | 'encrypted'
  | 'damaged'
  | 'too_many_pages'
  | 'unreadable_picture'
  | 'not_a_report'
  /** It needs more memory than one file is given, or unpacks to more. */
  | 'too_large'
  | 'took_too_long'
  /** The server stopped while it was read; it is not tried again. */
  | 'interrupted';

/** What reading an upload gave. */
export interface Reading {
  readonly files: readonly { readonly name: string; readonly pages: number; readonly outcome: FileOutcome }[];
  readonly pages: number;
  readonly labName: string;
  /** RFC 3339 dates; null when the report does not say, or says several. */
  readonly collectedAt: string | null;
  readonly reportedAt: string | null;
  /** As printed on the report; never asked of anybody else. */
  readonly sex: 'female' | 'male' | null;
  readonly birthYear: number | null;
  /** `text`: a text layer; `ocr`: letters read off pictures; `model`: a vision model. */
  readonly readBy: 'text' | 'ocr' | 'model' | 'mixed';
  readonly values: readonly ReadValue[];
  /** Lines that look like a value and were not read as one. */
  readonly unread: readonly { readonly page: number; readonly text: string }[];
  /** Codes of what a person should know, such as `several_reports`, `several_people`, `instructions_in_text`. */
  readonly warnings: readonly string[];
}
