/** Splits a candidate's text into lists of index terms: its title and its sentences. */
import { analyse } from '#core/search/analyser.ts';

/** Maximum number of terms of a sentence; texts without full stops (as in some corpora) are split into pieces of this size. */
const LONGEST_SENTENCE = 48;
/** Maximum length of a text in characters; the text after it adds little information on the subject. */
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

/** Returns the title and the sentences in reading order; sentences without an index term are left out. */
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
