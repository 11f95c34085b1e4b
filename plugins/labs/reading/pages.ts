/** Reads the pages of an upload as words, from text layers if present, otherwise by OCR. */
import { ReadingFailure } from './failure.ts';
import type { Letters } from './letters.ts';
import type { OpenFile } from './opening.ts';
import type { PageWords } from './page-words.ts';
import { type Grey, openPicture } from './picture.ts';
import { readPicture } from './picture-pages.ts';

export interface ReadPage extends PageWords {
  /** The image that OCR read; null for a text layer. */
  readonly picture: Grey | null;
}

export interface PageReading {
  readonly letters: Letters;
  readonly onPage: (stage: 'text' | 'letters', page: number) => void;
  readonly signal: AbortSignal | undefined;
  /** Start time, as of `performance.now()`. */
  readonly begunAt: number;
}

/**
 * Time in seconds after which pages are read only once, because reading a long scan twice would take minutes; its numbers are
 * still read again.
 */
const twiceSeconds = 45;
const isEarly = ({ begunAt }: PageReading): boolean => performance.now() - begunAt < twiceSeconds * 1000;

type Place = Pick<PageWords, 'page' | 'file'>;

const byLetters = async (bytes: Buffer, place: Place, reading: PageReading): Promise<ReadPage> => {
  reading.onPage('letters', place.page);
  const { words, grey } = await readPicture(await openPicture(bytes), { ...reading, isTwice: isEarly(reading) });
  return { ...place, width: grey.width, height: grey.height, words, readBy: 'ocr', picture: grey };
};

const pdfPage = async (file: OpenFile, number: number, place: Place, reading: PageReading): Promise<ReadPage> => {
  const page = await file.pdf!.page(number);
  try {
    reading.onPage('text', place.page);
    const words = await page.words();
    if (words) return { ...place, width: page.width, height: page.height, words, readBy: 'text', picture: null };
    return await byLetters(await page.draw(), place, reading);
  } finally {
    page.close();
  }
};

/** Reads the pages of a file. A failure on one page fails the whole file, because a partial report would look complete. */
const filePages = async (file: OpenFile, at: number, before: number, reading: PageReading): Promise<ReadPage[]> => {
  const pages: ReadPage[] = [];
  for (let number = 1; number <= file.pages; number += 1) {
    reading.signal?.throwIfAborted();
    const place = { page: before + number, file: at };
    if (file.pdf) pages.push(await pdfPage(file, number, place, reading));
    else if (file.picture) pages.push(await byLetters(file.picture.bytes, place, reading));
  }
  return pages;
};

export const readPages = async (files: readonly OpenFile[], reading: PageReading): Promise<ReadPage[]> => {
  const pages: ReadPage[] = [];
  for (const [at, file] of files.entries()) {
    if (file.outcome !== 'read') continue;
    try {
      pages.push(...(await filePages(file, at, pages.length, reading)));
    } catch (error) {
      if (reading.signal?.aborted) throw error;
      file.outcome = error instanceof ReadingFailure ? error.outcome : 'damaged';
    } finally {
      await file.pdf?.close().catch(() => undefined);
    }
  }
  return pages;
};
