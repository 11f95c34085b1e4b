/** Converts a text to a sorted list of its words: searches work as before, but the text can no longer be read. */
import { analyse, foldCharacters } from '#core/search/analyser.ts';
import { expandVitamins } from '../matching/fields.ts';

/** "Vitamin d" is one term of the index; in a sorted list, its separate letter would be lost among the other words. */
const VITAMIN = /\bvitamin ([a-k]\d{0,2})\b/g;
const WORD = /[\p{L}\p{N}]+(?:(?:[-']|(?<=\d)[.,](?=\d))[\p{L}\p{N}]+)*/gu;

/**
 * Returns the words of a text in alphabetical order, each as often as it occurs, in lower case and without stop words. The index
 * derives the same terms, n-grams and spelling suggestions from them as from the text.
 */
export const indexWords = (text: string): string => {
  const folded = foldCharacters(expandVitamins(text)).replace(VITAMIN, 'vitamin-$1');
  const words = folded.match(WORD) ?? [];
  return words
    .filter((word) => analyse(word).length > 0)
    .sort()
    .join(' ');
};
