/**
 * Reads laboratory reports: converts files to values with doubts. It uses no network and no database, and should run in a
 * separate process (process.ts).
 */
import type { Reading, TestType } from '../report.ts';
import type { Book } from './book.ts';
import { cropOf } from './crops.ts';
import { createLetters } from './letters.ts';
import { openFiles, type UploadedReport } from './opening.ts';
import { type ReadPage, readPages } from './pages.ts';
import { readingOf } from './reading.ts';
import type { Vision } from './vision.ts';

export type { UploadedReport } from './opening.ts';
export type { Vision } from './vision.ts';

export interface Progress {
  readonly stage: 'opening' | 'text' | 'letters' | 'values';
  readonly page: number;
  readonly pages: number;
}

export interface ReadOptions {
  readonly book: Book;
  readonly testType: TestType;
  readonly onProgress?: (progress: Progress) => void;
  /** An abort is raised between two pages. */
  readonly signal?: AbortSignal;
  /** Vision model, used for pages without a text layer. */
  readonly vision?: Vision;
}

export interface ReadResult {
  readonly reading: Reading;
  /** PNG images of the rows that OCR read, by index of the value. */
  readonly crops: ReadonlyMap<number, Buffer>;
}

const cropsOf = async (reading: Reading, pages: readonly ReadPage[]): Promise<Map<number, Buffer>> => {
  const crops = new Map<number, Buffer>();
  for (const [at, value] of reading.values.entries()) {
    const picture = pages.find(({ page }) => page === value.page)?.picture;
    if (picture) crops.set(at, await cropOf(picture, value.box));
  }
  return crops;
};

/** Reads a report. Files that cannot be read are listed in `reading.files`; nothing is thrown for them. */
export const readReport = async (uploads: readonly UploadedReport[], options: ReadOptions): Promise<ReadResult> => {
  const letters = createLetters();
  try {
    options.onProgress?.({ stage: 'opening', page: 0, pages: 0 });
    const files = await openFiles(uploads);
    const total = files.reduce((sum, file) => sum + (file.outcome === 'read' ? file.pages : 0), 0);
    const onPage = (stage: Progress['stage'], page: number): void =>
      options.onProgress?.({ stage, page, pages: total });
    const pages = await readPages(files, { letters, onPage, signal: options.signal, begunAt: performance.now() });
    onPage('values', total);
    const reading = await readingOf({ files, pages }, { ...options, letters });
    return { reading, crops: await cropsOf(reading, pages) };
  } finally {
    await letters.close();
  }
};
