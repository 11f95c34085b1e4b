/**
 * What a language model chose, as whole sentences of the sources. Nothing that it words is ever shown: a sentence made of
 * exact pieces can say the opposite of both ("did not improve, sleep was better"), and no comparison of words tells all of
 * these from a faithful one (decision 0015).
 */
import { asData, type DraftClaim } from './draft.ts';
import type { EvidenceItem } from './evidence-item.ts';
import { type OfferedSentence, offeredSentences } from './offered-sentences.ts';
import { wordCount } from './sentences.ts';

export interface ChosenSentence {
  /** The mark of its source. */
  readonly n: number;
  readonly sentence: OfferedSentence;
}

/** `citation`: a source that it was not given. `quote`: no sentence that it was given. */
export type CutReason = 'citation' | 'quote';

/** Fewer name no sentence. */
const LEAST_QUOTE_WORDS = 4;

/** The sentence that holds the words, of one of the cited sources: a piece stands for the whole that it was cut from. */
const sentenceOf = (words: string, citations: readonly number[], items: readonly EvidenceItem[]) => {
  for (const n of citations) {
    const sentence = offeredSentences(items[n - 1]!).find(({ text }) => asData(text).includes(words));
    if (sentence) return { n, sentence };
  }
  return null;
};

/** The whole sentences behind a choice, or why it is dropped: one piece that no source has, and all of it goes. */
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
