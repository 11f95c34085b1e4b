import { createHash } from 'node:crypto';
import type { SourceRow } from '../source-view.ts';
import { authorNames } from './author-names.ts';

const undivided: Readonly<Record<string, string>> = {
  ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i',
}; // biome-ignore format: a table

/** Converts to ASCII lower case: letters lose their diacritics, and letters without a Latin base become spaces. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => undivided[letter] ?? '')
    .replace(/['’`]/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

const stopWords = new Set('a an the of on in for to and or is are do does can with from at by as its'.split(' '));

const firstWord = (text: string): string =>
  folded(text)
    .split(' ')
    .find((word) => word.length > 1 && !stopWords.has(word)) ?? '';

const firstAuthor = (authors: readonly string[]): string => {
  const [first] = authorNames(authors);
  if (first === undefined) return 'anon';
  return (first.initials.length > 0 ? folded(first.family).replaceAll(' ', '') : firstWord(first.family)) || 'anon';
};

// DOIs may differ only in characters that a key cannot contain; the digest makes the keys distinct.
const doiPart = (doi: string): string =>
  `${folded(doi).replaceAll(' ', '-')}-${createHash('sha256').update(doi).digest('hex').slice(0, 8)}`;

const identifierPart = ({ pmid, doi, nctId, sourceId }: SourceRow): string => {
  if (pmid) return pmid;
  if (doi) return doiPart(doi);
  return nctId || folded(sourceId).replaceAll(' ', '-');
};

/**
 * Returns the citation key of a source, as in `abbasi2012effect_23853635`: first author, year ("nd" for none), first significant
 * word of the title, then the identifier, which makes it unique. The key is ASCII and the same in every export.
 */
export const bibtexKey = (source: SourceRow): string =>
  `${firstAuthor(source.authors)}${source.year ?? 'nd'}${firstWord(source.title)}_${identifierPart(source)}`;
