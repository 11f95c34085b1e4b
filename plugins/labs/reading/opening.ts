/** Opens the files of an upload, counts their pages, and records the outcome of each file. */
import type { FileOutcome } from '../report.ts';
import { ReadingFailure } from './failure.ts';
import { openPdf, type Pdf } from './pdf.ts';
import { openPicture, type Picture } from './picture.ts';
import { kindOf } from './sniff.ts';

export interface UploadedReport {
  readonly name: string;
  /** The content, or a function that loads it, so that only one file is in memory at once; null if the file no longer exists. */
  readonly bytes: Buffer | (() => Promise<Buffer | null>);
}

export const mostFiles = 5;
export const mostPages = 30;
export const mostBytes = 20 * 1024 * 1024;

export interface OpenFile {
  readonly name: string;
  pages: number;
  outcome: FileOutcome;
  readonly pdf: Pdf | null;
  readonly picture: Picture | null;
}

const opened = async (file: UploadedReport): Promise<Pick<OpenFile, 'pages' | 'pdf' | 'picture'>> => {
  const bytes = typeof file.bytes === 'function' ? await file.bytes() : file.bytes;
  if (!bytes) throw new ReadingFailure('damaged');
  if (bytes.length > mostBytes) throw new ReadingFailure('not_a_report');
  const kind = kindOf(bytes);
  if (kind === 'other') throw new ReadingFailure('not_a_report');
  if (kind === 'picture') return { pages: 1, pdf: null, picture: await openPicture(bytes) };
  const pdf = await openPdf(bytes);
  return { pages: pdf.pages, pdf, picture: null };
};

/** Opens the files. One that cannot be opened keeps its position, with its outcome. */
export const openFiles = async (files: readonly UploadedReport[]): Promise<OpenFile[]> => {
  const all: OpenFile[] = [];
  for (const file of files.slice(0, mostFiles)) {
    const { name } = file;
    try {
      all.push({ name, outcome: 'read', ...(await opened(file)) });
    } catch (error) {
      const outcome = error instanceof ReadingFailure ? error.outcome : 'damaged';
      all.push({ name, outcome, pages: 0, pdf: null, picture: null });
    }
  }
  const pages = all.reduce((sum, file) => sum + file.pages, 0);
  if (pages <= mostPages) return all;
  // No file is read in part, because results on an omitted page would appear to be missing from the report.
  for (const file of all) if (file.outcome === 'read') file.outcome = 'too_many_pages';
  return all;
};
