/** Builds the parts of a citation that all formats share, each in its own syntax. */
import { isRegistryRecord } from '../source-id.ts';
import type { SourceRow } from '../source-view.ts';

/**
 * Returns the text in one line: white space is collapsed to single spaces, other control characters and lone surrogates are
 * removed.
 */
export const singleLine = (text: string): string =>
  text
    .replace(/[\s\u0085]+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim()
    .toWellFormed();

/** Returns each text in one line, without empty ones. */
export const singleLines = (texts: readonly string[]): string[] => texts.map(singleLine).filter((text) => text !== '');

export type Kind = 'article' | 'trial' | 'guideline';

/** Returns the kind of a source: a registry's record of a trial, a guideline, or otherwise an article. */
export const kindOf = (source: SourceRow): Kind => {
  if (source.sourceClass === 'clinical_trial' || isRegistryRecord(source)) return 'trial';
  return source.sourceClass === 'guideline' || source.evidenceLevel === 'guideline' ? 'guideline' : 'article';
};

const statusNotes = { none: '', corrected: 'Corrected', concern: 'Expression of concern', retracted: 'Retracted' };

/** Returns "Retracted", "Expression of concern", "Corrected", or "" for a source without a notice. */
export const statusNote = ({ retractionStatus }: Pick<SourceRow, 'retractionStatus'>): string =>
  statusNotes[retractionStatus];

/** Returns status and grade in one line, for free-text fields. */
export const gradeNote = (source: SourceRow): string => {
  const status = statusNote(source);
  const grade = `Quality tier ${source.qualityTier} (${source.qualityScore} of 100)`;
  return singleLine(`${status === '' ? '' : `${status}. `}${grade}; evidence level: ${source.evidenceLevel}.`);
};

/**
 * Returns the publication types, with PubMed's type "Retracted Publication" for every retracted source, whoever reported the
 * retraction.
 */
export const publicationTypesOf = ({ publicationTypes, retractionStatus }: SourceRow): string[] => [
  ...new Set([
    ...singleLines(publicationTypes),
    ...(retractionStatus === 'retracted' ? ['Retracted Publication'] : []),
  ]),
];

/** Expands an abbreviated last page: PubMed omits the digits shared with the first page, so "1234-41" ends at 1241. */
const lastPage = (first: string, last: string): string =>
  /^\d+$/.test(last) && last.length < first.length ? first.slice(0, -last.length) + last : last;

/** Returns the full first and last page; pages that are not a plain range are returned in `first`. */
export const pageRange = (pages: string): { first: string; last: string } => {
  const line = singleLine(pages).replace(/[‐‑–]/g, '-');
  const [, first = line, last = ''] = /^([a-z]*\d+)-([a-z]*\d+)$/i.exec(line) ?? [];
  return { first, last: last === '' ? '' : lastPage(first, last) };
};

/** Returns the article number (e1234, CD001234, 10331) of a journal without page numbers; otherwise "". */
export const articleNumber = (pages: string): string => /^(?:e\d+|CD\d{6}|\d{5,})$/i.exec(singleLine(pages))?.[0] ?? '';
