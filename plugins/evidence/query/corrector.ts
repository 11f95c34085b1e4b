/** Typo correction with the words of the index: what it knows stays, what it does not know becomes its one near word. */
import { analyse } from '#core/search/analyser.ts';
import { hasMedicineStem } from './interaction-pattern.ts';
import { editsAllowed, type NearWord, type NearWords } from './near-words.ts';
import { foldWord, type QueryWord, wordsIn } from './query-words.ts';
import { wordCost } from './word-cost.ts';

export interface CorrectedWord {
  readonly from: string;
  readonly to: string;
  /** 0 to 1: less for more and for less likely slips. */
  readonly confidence: number;
}

export interface CorrectedQuery {
  readonly query: string;
  readonly words: readonly CorrectedWord[];
}

export interface QueryReading {
  /** Null when nothing was corrected. */
  readonly corrected: CorrectedQuery | null;
  /** Words of four letters or more that nothing here knows, whether corrected or not. */
  readonly unknown: number;
  /** Words that no document holds, names among them: a search cannot find them as they are. */
  readonly absent: number;
}

export interface WordKnowledge {
  /** Documents of the index that hold the word; it decides what is known. */
  frequency(word: string): number;
  /** Whether a folded word is part of a name: of a supplement, condition, topic, substance or medicine. */
  isName(word: string): boolean;
  /** Whether a folded word names a banned, restricted or hidden substance. */
  isSubstance(word: string): boolean;
  /** Null while the words are being read for the first time. */
  readonly near: NearWords | null;
}

/** One e-fold more of documents makes up for this much of an edit. */
const FREQUENCY_GAIN = 0.1;
const NAME_GAIN = 0.3;
/** The best correction must be ahead of the next one by this much of an edit. */
const CLEAR_LEAD = 0.25;
/** A word of one document may be a misspelling itself. */
const FEWEST_DOCUMENTS = 2;

/** People seldom mistype the first letter; in a short word another one makes another word (wombat, combat). */
const FIRST_MAY_DIFFER_FROM = 7;

const isWordOfLetters = (word: string): boolean => /^[a-z]+$/.test(word);
const isAcronym = (typed: string): boolean => typed.length <= 6 && typed === typed.toUpperCase();

/** Whether a typed word may be corrected: letters only, four or more, no acronym, and unknown all over. */
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

/** Names of up to so many letters are a letter apart from names of other things: DMAE is no misspelt DMAA. */
const SHORT_NAME = 5;

/** The one near word that is clearly the likeliest; null when two are equally near. */
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
  // Forms of one word find the same, so they are no rivals.
  const [term] = analyse(best.word);
  const rival = scored.find((one) => analyse(one.word)[0] !== term);
  return rival && rival.score - best.score < CLEAR_LEAD ? null : best;
};

const inTheCaseOf = (typed: string, word: string): string =>
  /^\p{Lu}/u.test(typed) ? word.charAt(0).toUpperCase() + word.slice(1) : word;

/** Reads a query once: what is unknown in it, and what it most likely means. */
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
  // More strange words than known ones: the query is about something else, not misspelt.
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
