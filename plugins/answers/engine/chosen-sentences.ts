/**
 * Maps the choice of a language model to whole sentences of the sources. Text that the model writes is never shown: a
 * sentence composed of exact fragments can say the opposite of both ("did not improve, sleep was better"), and no text
 * comparison separates all of these from a faithful one (decision 0015).
 */
import { asData, type DraftClaim } from './draft.ts';
import type { EvidenceItem } from './evidence-item.ts';
import { type OfferedSentence, offeredSentences } from './offered-sentences.ts';
import { wordCount } from './sentences.ts';

export interface ChosenSentence {
  /** Citation mark of the source. */
  readonly n: number;
  readonly sentence: OfferedSentence;
}

/**
 * Why a choice is dropped. `citation`: it cites a source that the model was not given. `quote`: it is not a sentence that the
 * model was given.
 */
export type CutReason = 'citation' | 'quote';

/** Minimum number of words; fewer do not identify a sentence. */
const LEAST_QUOTE_WORDS = 4;

/**
 * Returns the sentence of a cited source that contains the words. A fragment selects the whole sentence that it comes from.
 */
const sentenceOf = (words: string, citations: readonly number[], items: readonly EvidenceItem[]) => {
  for (const n of citations) {
    const sentence = offeredSentences(items[n - 1]!).find(({ text }) => asData(text).includes(words));
    if (sentence) return { n, sentence };
  }
  return null;
};

/**
 * Returns the whole sentences of a choice, or the reason why it is dropped. One fragment that no source contains drops the
 * whole choice.
 */
export const chosenSentences = (
  { citations, quotes }: DraftClaim,
  items: readonly EvidenceItem[],
): readonly ChosenSentence[] | CutReason => {
  if (!citations.length || citations.some((n) => !items[n - 1])) return 'citation';
  const chosen: ChosenSentence[] = [];
  for (const quote of quotes) {
    const words = asData(quote).trim();
    const found = wordCount(words) < LEAST_QUOTE_WORDS ? null : sentenceOf(words, citations, items);
    if (!found) return 'quote';
    chosen.push(found);
  }
  return chosen.length ? chosen : 'quote';
};
