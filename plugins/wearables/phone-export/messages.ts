/** What goes between the site and the process that reads exports. Plain data: it travels by structured clone. */
import type { DailyRow } from '../vitals.ts';
import type { ExportLimits } from './limits.ts';
import type { ClinicalRecord, ExportFile, ExportProgress, PhoneReading } from './reading.ts';

export interface ToChild {
  readonly file: ExportFile;
  readonly limits: ExportLimits;
}

/** Rows and clinical records come in parts, so that none takes the site long to unpack. */
export type FromChild =
  | { readonly kind: 'progress'; readonly progress: ExportProgress }
  | { readonly kind: 'rows'; readonly rows: readonly DailyRow[] }
  | { readonly kind: 'clinical'; readonly clinical: readonly ClinicalRecord[] }
  | { readonly kind: 'done'; readonly rest: Omit<PhoneReading, 'rows' | 'clinical'> }
  | { readonly kind: 'failed' };
