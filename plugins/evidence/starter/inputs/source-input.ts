/** One file that the starter corpus is packed from. */
import type { SourceRecord } from '../../source-record.ts';

/** What the packer learns from a file. */
export type PackEvent =
  | { readonly type: 'record'; readonly record: SourceRecord }
  /** A paper that must not go in: retracted, or found to be off its subject. */
  | { readonly type: 'exclusion'; readonly pmid: string; readonly doi: string; readonly why: 'retracted' | 'suspect' }
  | { readonly type: 'problem'; readonly at: string; readonly message: string };

/** A kind of file, told by its name. */
export interface PackInput {
  readonly files: RegExp;
  read(path: string, signal: AbortSignal): AsyncIterable<PackEvent>;
}
