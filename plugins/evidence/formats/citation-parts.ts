/** What the formats say about a source in common, each in its own syntax. */
import { isRegistryRecord } from '../source-id.ts';
import type { SourceRow } from '../source-view.ts';

/** The text in one line: runs of white space are one blank, other control characters and lone surrogates are gone. */
export const singleLine = (text: string): string =>
  text
    .replace(/[\s\u0085]+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim()
    .toWellFormed();

/** The texts in one line each, without those that are empty. */
export const singleLines = (texts: readonly string[]): string[] => texts.map(singleLine).filter((text) => text !== '');

export type Kind = 'article' | 'trial' | 'guideline';

/** A registry's record of a trial, a guideline, or (all else) an article. */
export const kindOf = (source: SourceRow): Kind => {
  if (source.sourceClass === 'clinical_trial' || isRegistryRecord(source)) return 'trial';
  return source.sourceClass === 'guideline' || source.evidenceLevel === 'guideline' ? 'guideline' : 'article';
};

const statusNotes = { none: '', corrected: 'Corrected', concern: 'Expression of concern', retracted: 'Retracted' };

/** "Retracted", "Expression of concern", "Corrected", or "" for a source without a notice. */
export const statusNote = ({ retractionStatus }: Pick<SourceRow, 'retractionStatus'>): string =>
  statusNotes[retractionStatus];

/** Status and grade in one line, for fields that are free text. */
export const gradeNote = (source: SourceRow): string => {
  const status = statusNote(source);
  const grade = `Quality tier ${source.qualityTier} (${source.qualityScore} of 100)`;
  return singleLine(`${status === '' ? '' : `${status}. `}${grade}; evidence level: ${source.evidenceLevel}.`);
};

/** Publication types, with PubMed's own mark on a retracted source, whoever said that it is retracted. */
export const publicationTypesOf = ({ publicationTypes, retractionStatus }: SourceRow): string[] => [
  ...new Set([
    ...singleLines(publicationTypes),
    ...(retractionStatus === 'retracted' ? ['Retracted Publication'] : []),
  ]),
];

/** PubMed leaves out what the last page repeats of the first: "1234-41" ends at 1241. */
const lastPage = (first: string, last: string): string =>
  /^\d+$/.test(last) && last.length < first.length ? first.slice(0, -last.length) + last : last;

/** First and last page, in full; pages that are no plain range are all in `first`. */
export const pageRange = (pages: string): { first: string; last: string } => {
  const line = singleLine(pages).replace(/[‐‑–]/g, '-');
  const [, first = line, last = ''] = /^([a-z]*\d+)-([a-z]*\d+)$/i.exec(line) ?? [];
  return { first, last: last === '' ? '' : lastPage(first, last) };
};

/** The article number (e1234, CD001234, 10331) where a journal has these instead of pages; else "". */
export const articleNumber = (pages: string): string => /^(?:e\d+|CD\d{6}|\d{5,})$/i.exec(singleLine(pages))?.[0] ?? '';
