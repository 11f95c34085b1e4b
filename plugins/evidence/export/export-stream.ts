/** Streams an export one page of sources at a time; reads the next page only when the previous one has been consumed. */
import { Readable } from 'node:stream';
import type { Database } from '#core/plugin.ts';
import type { BibliographicFormat, FormatContext } from '../formats/index.ts';
import type { SourceFilter } from '../source-list.ts';
import type { SourceRow } from '../source-view.ts';
import { sourcePages } from './source-pages.ts';

export interface ExportOrder {
  readonly format: BibliographicFormat;
  readonly filter: SourceFilter;
  readonly context: FormatContext;
}

const textOf = ({ format, context }: ExportOrder, rows: readonly SourceRow[], from: number): string =>
  rows.map((row, at) => format.row(row, context, from + at)).join('');

async function* textOfPages(
  order: ExportOrder,
  first: IteratorResult<readonly SourceRow[], void>,
  rest: AsyncGenerator<readonly SourceRow[], void>,
): AsyncGenerator<string> {
  const { format, context } = order;
  let written = 0;
  try {
    yield format.head(context);
    for (let page = first; !page.done; page = await rest.next()) {
      yield textOf(order, page.value, written);
      written += page.value.length;
    }
    yield format.tail();
  } finally {
    await rest.return();
  }
}

/**
 * Reads the first page before streaming, so that an unavailable database causes an error response instead of a truncated file.
 * Destroying the stream stops reading; a later failure aborts the transfer, so that nobody mistakes a part for the whole.
 */
export const exportStream = async (db: Database, order: ExportOrder): Promise<Readable> => {
  const pages = sourcePages(db, order.filter);
  const first = await pages.next();
  // With the default high-water mark, sixteen pages would be buffered for a slow reader.
  return Readable.from(textOfPages(order, first, pages), { highWaterMark: 1 });
};
