import { singleLine } from './citation-parts.ts';

/** A person with initials ("J", "A"), or a group by its name in `family`, without initials. */
export interface AuthorName {
  readonly family: string;
  readonly initials: readonly string[];
  readonly suffix: string;
}

// Letters, some of them of two ("Yu" of a transliterated name).
const initialsWord = /^(?:\p{Lu}\p{Ll}?){1,5}$/u;
const suffixWord = /^(?:Jr|Sr|2nd|3rd|4th|I{2,3})\.?$/;
const groupWord =
  /\b(?:groups?|stud(?:y|ies)|trials?|trialists|investigators?|collaborat\w+|consortium|committee|commission|council|network|society|association|organi[sz]ation|institutes?|foundation|panel|force|working|team|program(?:me)?|agency|authority|academy|college|federation|ministry|department|cent(?:er|re)|university|board|office)\b/i;

/** Beyond two words, a name with a group's word or a joining one is no person's: "Board PG" is, "NIH Study Group UK" not. */
const isGroup = (words: readonly string[]): boolean =>
  words.length > 6 ||
  (words.length > 2 && (groupWord.test(words.join(' ')) || words.some((word) => /^(?:of|and|for)$/.test(word))));

/** Takes "Family Initials" apart, as PubMed writes it, with or without a suffix; any other name is a group's. */
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

/** The authors of a source, without empty names. */
export const authorNames = (authors: readonly string[]): AuthorName[] =>
  authors.map(authorName).filter(({ family }) => family !== '');

/** "J. A." */
export const dotted = (initials: readonly string[]): string => initials.map((letter) => `${letter}.`).join(' ');
