/** The normal form in which two spellings of one name are equal. */
import { foldCharacters } from './analyser.ts';
import { americanise } from './spelling.ts';

/** American spelling changes the ends of words too (anise, anize), which a prefix must not see: only whole stems are folded. */
const ENDS_IN_ISE = /[iy]s(?:e|es|ed|er|ers|ing)$/;

/** As `foldName`, with the spelling of its writer. */
export const foldLetters = (text: string): string =>
  foldCharacters(text.replace(/[™®©℠]/g, ' ').replace(/[´`]/g, "'"))
    .replace(/[&+](?=[\s\p{L}])/gu, ' and ')
    .replace(/['"]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/\bvit(?:amin)? ?(?=[bcdk]\d{0,2}\b|[ae]\d{1,2}\b)|\bvit (?=[ae]\b)/g, 'vitamin ');

/**
 * Lower case, no accents, Greek letters by name, American spelling, no ™ or ®; apostrophes are dropped and every other
 * punctuation is one blank. "" when nothing is left.
 */
export const foldName = (text: string): string => foldSpelling(foldLetters(text));

/** Turns what `foldLetters` returns into what `foldName` returns. */
export const foldSpelling = (letters: string): string =>
  letters
    .split(' ')
    .map((word) => (ENDS_IN_ISE.test(word) ? word : americanise(word)))
    .join(' ');

/**
 * A folded name without the blanks that writers leave out or put in (CoQ 10, beta alanine). The blank before a lone
 * letter that ends a word stays: "vitamine" is not vitamin E.
 */
export const joinWords = (folded: string): string => folded.replace(/(?<![a-z]) | (?![a-z](?: [a-z]|$))/g, '');

/** Lone letters and numbers, which no typo may change: B6 is not a misspelt B12. */
export const lettersAndNumbers = (folded: string): string =>
  (folded.match(/\d+|(?<![a-z0-9])[a-z](?![a-z])/g) ?? []).join(' ');
