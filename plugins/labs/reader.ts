/** The reading process with the book of today: when content changes, the next report is read by a new one. */

import type { VisionModel } from '#core/models/port.ts';
import type { Book } from '#plugins/biomarkers/index.ts';
import type { ReportReader } from './queue.ts';
import type { createReader as Create } from './reading/process.ts';

interface Parts {
  book(): Promise<Book>;
  readonly vision: VisionModel | null;
}

const MOST_TOKENS = 8_000;

export const bookedReader = ({ book, vision }: Parts): ReportReader => {
  let current: { readonly book: Book; readonly reader: ReturnType<typeof Create> } | null = null;
  let isStopped = false;
  const withBook = async (): Promise<ReturnType<typeof Create>> => {
    const now = await book();
    if (isStopped) throw new Error('stopped');
    if (current?.book !== now) {
      await current?.reader.stop();
      // Loaded with the first report: most servers never read one.
      const { createReader } = await import('./reading/process.ts');
      current = { book: now, reader: createReader(now) };
    }
    return current.reader;
  };
  return {
    read: async (files, options) =>
      (await withBook()).read(files, {
        ...options,
        ...(vision && {
          vision: (png: Buffer, prompt: string, schema: object) =>
            vision.read(png, prompt, { maxTokens: MOST_TOKENS, schema, signal: options.signal }),
        }),
      }),
    stop: async () => {
      isStopped = true;
      await current?.reader.stop();
    },
  };
};
