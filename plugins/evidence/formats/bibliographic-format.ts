import type { SourceRow } from '../source-view.ts';

export interface FormatContext {
  /** Names the state of the index that the export was made from. */
  readonly indexVersion: string;
}

/** A format of exports, written row by row: head, each row, tail; all text, to be sent as UTF-8. */
export interface BibliographicFormat {
  readonly name: string;
  readonly mediaType: string;
  /** Of the file name, without the dot. */
  readonly extension: string;
  head(context: FormatContext): string;
  /** One source; `position` counts the rows of the export from 0. */
  row(source: SourceRow, context: FormatContext, position: number): string;
  tail(): string;
}
