/** A candidate's text as lists of index terms: its title, and its sentences. */
import { analyse } from '#core/search/analyser.ts';

/** Texts without full stops (some corpora have none) are cut into pieces of this many terms. */
const LONGEST_SENTENCE = 48;
/** Beyond this the text says little more about what it is about. */
const LONGEST_TEXT = 6_000;

const SENTENCE_END = /(?<=[.!?;:])\s+(?=[\p{Lu}\p{N}(])|\n+/u;

export interface Sentence {
  readonly text: string;
  readonly terms: readonly string[];
}

export interface Passages {
  readonly title: Sentence;
  readonly sentences: readonly Sentence[];
}

const cut = (sentence: Sentence): Sentence[] => {
  const { text, terms } = sentence;
  if (terms.length <= LONGEST_SENTENCE) return [sentence];
  const words = text.split(/\s+/);
  const pieces = Math.ceil(terms.length / LONGEST_SENTENCE);
  const size = Math.ceil(words.length / pieces);
  return Array.from({ length: pieces }, (_, at) => words.slice(at * size, (at + 1) * size).join(' ')).map((part) => ({
    text: part,
    terms: analyse(part),
  }));
};

/** Sentences in reading order; those without an index term are left out. */
export const passagesOf = (title: string, text: string): Passages => ({
  title: { text: title, terms: analyse(title) },
  sentences: text
    .slice(0, LONGEST_TEXT)
    .trim()
    .split(SENTENCE_END)
    .map((part) => ({ text: part, terms: analyse(part) }))
    .filter(({ terms }) => terms.length > 0)
    .flatMap(cut),
});
