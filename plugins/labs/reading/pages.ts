/** The pages of an upload as words, from text layers where there are any, else by letters. */
import { ReadingFailure } from './failure.ts';
import type { Letters } from './letters.ts';
import type { OpenFile } from './opening.ts';
import type { PageWords } from './page-words.ts';
import { type Grey, openPicture } from './picture.ts';
import { readPicture } from './picture-pages.ts';

export interface ReadPage extends PageWords {
  /** What letters were read from; null for a text layer. */
  readonly picture: Grey | null;
}

export interface PageReading {
  readonly letters: Letters;
  readonly onPage: (stage: 'text' | 'letters', page: number) => void;
  readonly signal: AbortSignal | undefined;
  /** By `performance.now()`. */
  readonly begunAt: number;
}

/** A long scan is read once where reading it twice would take minutes; its numbers are looked at again all the same. */
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

/** A file that fails on one page fails as a whole: half a report would read as a whole one. */
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
