/** Provides reading processes with the current book: when the content changes, the next file is read by a new process. */

import type { VisionModel } from '#core/models/port.ts';
import type { Book } from '#plugins/biomarkers/index.ts';
import type { FhirReader } from './fhir/process.ts';
import type { ReportReader } from './queue.ts';
import type { Reader } from './reading/process.ts';

interface Parts {
  book(): Promise<Book>;
  readonly vision: VisionModel | null;
}

const MOST_TOKENS = 8_000;

interface Booked<R> {
  now(): Promise<R>;
  stop(): Promise<void>;
}

/** Caches one reader, which is created with the first file (most servers never read one), and again with each new book. */
const booked = <R extends Pick<Reader, 'retire' | 'stop'>>(
  book: () => Promise<Book>,
  create: (book: Book) => Promise<R>,
): Booked<R> => {
  let current: { readonly book: Book; readonly reader: Promise<R> } | null = null;
  let isStopped = false;
  const retired = new Set<Promise<R>>();
  const retire = async (reader: Promise<R>): Promise<void> => {
    retired.add(reader);
    await (await reader).retire();
    retired.delete(reader);
  };
  return {
    now: async () => {
      const now = await book();
      if (isStopped) throw new Error('stopped');
      if (current?.book !== now) {
        if (current) retire(current.reader).catch(() => undefined);
        current = { book: now, reader: create(now) };
      }
      return current.reader;
    },
    stop: async () => {
      isStopped = true;
      const all = [...retired, ...(current ? [current.reader] : [])];
      await Promise.all(all.map(async (reader) => (await reader).stop()));
    },
  };
};

export const bookedReader = ({ book, vision }: Parts): ReportReader => {
  const readers = booked<Reader>(book, async (now) => (await import('./reading/process.ts')).createReader(now));
  return {
    read: async (files, { permission, ...options }) =>
      (await readers.now()).read(files, {
        ...options,
        // Without a permission the model would refuse, so the page is not even rendered for it.
        ...(vision &&
          permission && {
            vision: (png: Buffer, prompt: string, schema: object) =>
              vision.read(png, prompt, { permission, maxTokens: MOST_TOKENS, schema, signal: options.signal }),
          }),
      }),
    stop: () => readers.stop(),
  };
};

export const bookedFhirReader = (book: () => Promise<Book>): Omit<FhirReader, 'retire'> => {
  const readers = booked<FhirReader>(book, async (now) => (await import('./fhir/process.ts')).createFhirReader(now));
  return {
    read: async (path, options) => (await readers.now()).read(path, options),
    stop: () => readers.stop(),
  };
};
