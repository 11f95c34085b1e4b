import type { SourceRow } from '../source-view.ts';

export interface FormatContext {
  /** Version of the index from which the export was made. */
  readonly indexVersion: string;
}

/** An export format, written row by row: head, each row, tail; all text, to be sent as UTF-8. */
export interface BibliographicFormat {
  readonly name: string;
  readonly mediaType: string;
  /** File name extension, without the dot. */
  readonly extension: string;
  head(context: FormatContext): string;
  /** Formats one source; `position` counts the rows of the export from 0. */
  row(source: SourceRow, context: FormatContext, position: number): string;
  tail(): string;
}
