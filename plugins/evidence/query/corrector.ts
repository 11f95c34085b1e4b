/**
 * Corrects typos with the words of the index: known words are unchanged, and an unknown word is replaced when one similar word is
 * clearly the likeliest.
 */
import { analyse } from '#core/search/analyser.ts';
import { hasMedicineStem } from './interaction-pattern.ts';
import { editsAllowed, type NearWord, type NearWords } from './near-words.ts';
import { foldWord, type QueryWord, wordsIn } from './query-words.ts';
import { wordCost } from './word-cost.ts';

export interface CorrectedWord {
  readonly from: string;
  readonly to: string;
  /** Confidence, 0 to 1; lower for more edits and for less likely ones. */
  readonly confidence: number;
}

export interface CorrectedQuery {
  readonly query: string;
  readonly words: readonly CorrectedWord[];
}

export interface QueryReading {
  /** Null when nothing was corrected. */
  readonly corrected: CorrectedQuery | null;
  /** Number of words of four letters or more that are neither in the index nor in the vocabulary, whether corrected or not. */
  readonly unknown: number;
  /** Number of words, including names, that no document contains: a search cannot find them as typed. */
  readonly absent: number;
}

export interface WordKnowledge {
  /** Returns the number of documents in the index that contain the word; a word with documents is known. */
  frequency(word: string): number;
  /** Returns whether a folded word is part of a name of a supplement, condition, topic, substance or medicine. */
  isName(word: string): boolean;
  /** Returns whether a folded word names a banned, restricted or hidden substance. */
  isSubstance(word: string): boolean;
  /** Null while the words are being loaded for the first time. */
  readonly near: NearWords | null;
}

/** Gain in edits for each e-fold increase in the number of documents. */
const FREQUENCY_GAIN = 0.1;
const NAME_GAIN = 0.3;
/** Minimum lead of the best correction over the next one, in edits. */
const CLEAR_LEAD = 0.25;
/** Minimum number of documents for a correction: a word in only one document may be a misspelling itself. */
const FEWEST_DOCUMENTS = 2;

/**
 * Shortest word whose first letter may differ. People seldom mistype the first letter, and in a short word a different one makes
 * a different word (wombat, combat).
 */
const FIRST_MAY_DIFFER_FROM = 7;

const isWordOfLetters = (word: string): boolean => /^[a-z]+$/.test(word);
const isAcronym = (typed: string): boolean => typed.length <= 6 && typed === typed.toUpperCase();

/**
 * Returns whether a typed word may be corrected: at least four letters, letters only, not an acronym, and unknown to the index
 * and the vocabulary.
 */
const isUnknown = (typed: string, { frequency, isName }: WordKnowledge): boolean => {
  const word = foldWord(typed);
  if (editsAllowed(word.length) === 0 || !isWordOfLetters(word) || isAcronym(typed)) return false;
  if (isName(word) || hasMedicineStem(word)) return false;
  // A stop word has no index term.
  return analyse(word).length > 0 && frequency(word) === 0;
};

const beginsAlike = (a: string, b: string): boolean => a[0] === b[0] || (a[0] === b[1] && a[1] === b[0]);

interface Scored extends NearWord {
  readonly cost: number;
  readonly score: number;
}

/**
 * A substance is not a correction when either word has at most this many letters, because short names of different things differ
 * by one letter: DMAE is not a misspelling of DMAA.
 */
const SHORT_NAME = 5;

/** Returns the one candidate that is clearly the likeliest; null when two are equally near. */
const bestOf = (
  word: string,
  candidates: readonly NearWord[],
  { isName, isSubstance }: Pick<WordKnowledge, 'isName' | 'isSubstance'>,
): Scored | null => {
  const scored = candidates
    .filter((one) => one.documents >= FEWEST_DOCUMENTS || isName(one.word))
    .filter((one) => Math.min(word.length, one.word.length) > SHORT_NAME || !isSubstance(one.word))
    .filter((one) => word.length >= FIRST_MAY_DIFFER_FROM || beginsAlike(word, one.word))
    .map((one): Scored => {
      const cost = wordCost(word, one.word);
      const gain = FREQUENCY_GAIN * Math.log(one.documents) + (isName(one.word) ? NAME_GAIN : 0);
      return { ...one, cost, score: cost - gain };
    })
    .sort((a, b) => a.score - b.score || (a.word < b.word ? -1 : 1));
  const best = scored[0];
  if (!best) return null;
  // Forms of one word find the same documents, so they do not compete.
  const [term] = analyse(best.word);
  const rival = scored.find((one) => analyse(one.word)[0] !== term);
  return rival && rival.score - best.score < CLEAR_LEAD ? null : best;
};

const inTheCaseOf = (typed: string, word: string): string =>
  /^\p{Lu}/u.test(typed) ? word.charAt(0).toUpperCase() + word.slice(1) : word;

/** Reads the unknown words of a query and their most likely corrections. */
export const readQuery = (query: string, knowledge: WordKnowledge): QueryReading => {
  const words = wordsIn(query).filter(({ text }) => analyse(text).length > 0);
  const unknown = words.filter(({ text }) => isUnknown(text, knowledge));
  const absent = words.filter(({ text }) => knowledge.frequency(text) === 0).length;
  const asItIs: QueryReading = { corrected: null, unknown: unknown.length, absent };
  if (unknown.length === 0 || !knowledge.near) return asItIs;
  const { near } = knowledge;
  const found = unknown.flatMap((word): { word: QueryWord; best: Scored }[] => {
    const folded = foldWord(word.text);
    const best = bestOf(folded, near.near(folded), knowledge);
    return best ? [{ word, best }] : [];
  });
  // When more unknown words have no correction than there are known words, the query has a different subject and is not misspelt.
  const strange = unknown.length - found.length;
  if (found.length === 0 || strange > words.length - unknown.length) return asItIs;
  let text = query;
  for (const { word, best } of found.toReversed()) {
    const to = inTheCaseOf(word.text, best.word);
    text = text.slice(0, word.start) + to + text.slice(word.start + word.text.length);
  }
  return {
    ...asItIs,
    corrected: {
      query: text,
      words: found.map(({ word, best }) => ({
        from: word.text,
        to: inTheCaseOf(word.text, best.word),
        confidence: Math.round(Math.max(0.5, 1 - best.cost / best.word.length) * 100) / 100,
      })),
    },
  };
};
