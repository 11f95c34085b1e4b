/** Defines the input files from which the starter corpus is packed. */
import type { SourceRecord } from '../../source-record.ts';

/** Events that the packer reads from a file. */
export type PackEvent =
  | { readonly type: 'record'; readonly record: SourceRecord }
  /** A paper that must be excluded: retracted, or found to be off topic. */
  | { readonly type: 'exclusion'; readonly pmid: string; readonly doi: string; readonly why: 'retracted' | 'suspect' }
  | { readonly type: 'problem'; readonly at: string; readonly message: string };

/** A kind of file, identified by its name. */
export interface PackInput {
  readonly files: RegExp;
  read(path: string, signal: AbortSignal): AsyncIterable<PackEvent>;
}
