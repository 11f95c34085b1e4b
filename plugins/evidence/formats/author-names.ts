import { singleLine } from './citation-parts.ts';

/** A person with initials ("J", "A"), or a group with its name in `family` and without initials. */
export interface AuthorName {
  readonly family: string;
  readonly initials: readonly string[];
  readonly suffix: string;
}

// Initials, some of them of two letters ("Yu" in a transliterated name).
const initialsWord = /^(?:\p{Lu}\p{Ll}?){1,5}$/u;
const suffixWord = /^(?:Jr|Sr|2nd|3rd|4th|I{2,3})\.?$/;
const groupWord =
  /\b(?:groups?|stud(?:y|ies)|trials?|trialists|investigators?|collaborat\w+|consortium|committee|commission|council|network|society|association|organi[sz]ation|institutes?|foundation|panel|force|working|team|program(?:me)?|agency|authority|academy|college|federation|ministry|department|cent(?:er|re)|university|board|office)\b/i;

/**
 * Returns whether a name is a group's: among names of more than two words, those with a word for a group or a conjunction. "Board
 * PG" is a person, "NIH Study Group UK" is not.
 */
const isGroup = (words: readonly string[]): boolean =>
  words.length > 6 ||
  (words.length > 2 && (groupWord.test(words.join(' ')) || words.some((word) => /^(?:of|and|for)$/.test(word))));

/** Parses "Family Initials", as PubMed writes names, with or without a suffix; any other name is a group's. */
export const authorName = (author: string): AuthorName => {
  const name = singleLine(author);
  const words = name.split(' ');
  const hasSuffix = words.length > 2 && suffixWord.test(words.at(-1) ?? '') && initialsWord.test(words.at(-2) ?? '');
  const named = hasSuffix ? words.slice(0, -1) : words;
  const initials = named.at(-1) ?? '';
  if (named.length < 2 || !initialsWord.test(initials) || name.includes(',') || isGroup(named)) {
    return { family: name, initials: [], suffix: '' };
  }
  return {
    family: named.slice(0, -1).join(' '),
    initials: initials.match(/\p{Lu}\p{Ll}?/gu) ?? [],
    suffix: hasSuffix ? (words.at(-1) ?? '') : '',
  };
};

/** Returns the authors of a source, without empty names. */
export const authorNames = (authors: readonly string[]): AuthorName[] =>
  authors.map(authorName).filter(({ family }) => family !== '');

/** Formats initials as "J. A." */
export const dotted = (initials: readonly string[]): string => initials.map((letter) => `${letter}.`).join(' ');
