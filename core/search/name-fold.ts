/** Normalises names, so that different spellings of one name become equal. */
import { foldCharacters } from './analyser.ts';
import { americanise } from './spelling.ts';

/** Words that keep their spelling: folding their endings (anise, anize) would break prefix matches of an incomplete word. */
const ENDS_IN_ISE = /[iy]s(?:e|es|ed|er|ers|ing)$/;

/** Normalises a name like `foldName`, but keeps British or American spelling as written. */
export const foldLetters = (text: string): string =>
  foldCharacters(text.replace(/[™®©℠]/g, ' ').replace(/[´`]/g, "'"))
    .replace(/[&+](?=[\s\p{L}])/gu, ' and ')
    .replace(/['"]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/\bvit(?:amin)? ?(?=[bcdk]\d{0,2}\b|[ae]\d{1,2}\b)|\bvit (?=[ae]\b)/g, 'vitamin ');

/**
 * Returns the name in lower case, without accents, ™ and ®, with Greek letters by name and American spelling. Apostrophes are
 * dropped and any other punctuation becomes one space. Returns "" when nothing is left.
 */
export const foldName = (text: string): string => foldSpelling(foldLetters(text));

/** Converts the result of `foldLetters` to the result of `foldName`. */
export const foldSpelling = (letters: string): string =>
  letters
    .split(' ')
    .map((word) => (ENDS_IN_ISE.test(word) ? word : americanise(word)))
    .join(' ');

/**
 * Removes from a folded name the spaces that writers may omit or insert (CoQ 10, beta alanine). The space between
 * a letter and a single-letter word remains unless a number follows: "vitamine" is not vitamin E.
 */
export const joinWords = (folded: string): string => folded.replace(/(?<![a-z]) | (?![a-z](?: [a-z]|$))/g, '');

/** Returns the single letters and the numbers of a name, in which no typo is accepted: B6 is not a misspelt B12. */
export const lettersAndNumbers = (folded: string): string =>
  (folded.match(/\d+|(?<![a-z0-9])[a-z](?![a-z])/g) ?? []).join(' ');
