/** Messages between the site and the process that reads exports. Plain data, sent by structured clone. */
import type { ClinicalContext, ImportedReport } from '#plugins/labs/index.ts';
import type { DailyRow } from '../vitals.ts';
import type { ExportLimits } from './limits.ts';
import type { ClinicalCounts, ExportFile, ExportProgress, PhoneReading } from './reading.ts';

/** Context for clinical records, with the URL of the module that converts them to reports. */
export interface ClinicalMeans extends ClinicalContext {
  readonly module: string;
}

export interface ToChild {
  readonly file: ExportFile;
  readonly limits: ExportLimits;
  readonly clinical: ClinicalMeans;
}

/** Rows and reports are sent in parts, so that deserializing one does not block the site for long. */
export type FromChild =
  | { readonly kind: 'progress'; readonly progress: ExportProgress }
  | { readonly kind: 'rows'; readonly rows: readonly DailyRow[] }
  | { readonly kind: 'report'; readonly report: ImportedReport }
  | {
      readonly kind: 'done';
      readonly rest: Omit<PhoneReading, 'rows' | 'clinical'>;
      readonly counts: ClinicalCounts;
    }
  | { readonly kind: 'failed' };
