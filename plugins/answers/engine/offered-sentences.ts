/**
 * Selects the sentences of a source that a language model may choose from: whole findings that are understandable without
 * context.
 */
import type { EvidenceItem } from './evidence-item.ts';
import { NOT_A_FINDING } from './finding-cues.ts';
import { isQuotable, NOT_LOOKED_AT, type Quote, storedText, wordLimit } from './quotes.ts';
import { sentencesOf, wordCount } from './sentences.ts';

export type OfferedSentence = Pick<Quote, 'text' | 'from' | 'start' | 'end'>;

const MOST_OFFERED = 3;

/** Matches the start of a sentence that depends on the previous one and could mean something else alone. */
const LEANS =
  /^(?:this|that|these|those|it|they|he|she|such|both|neither|the (?:latter|former|same)|however|but|yet|in contrast|by contrast|conversely|nevertheless|nonetheless|therefore|thus|hence|moreover|furthermore|also|similarly|instead|otherwise|only then)\b/i;

const standsAlone = (text: string): boolean =>
  !LEANS.test(text) && !NOT_A_FINDING.test(text) && !NOT_LOOKED_AT.test(text) && isQuotable(text);

/** Returns the best sentence, which is quoted in any case, and up to two more. */
export const offeredSentences = ({ row, quote }: EvidenceItem): readonly OfferedSentence[] => {
  const { text, from, start, end } = quote;
  const others = from === 'title' ? [] : sentencesOf(storedText(row, from));
  const near = others.filter(
    (one) =>
      one.start !== start &&
      one.section !== 'background' &&
      one.section !== 'methods' &&
      standsAlone(one.text) &&
      wordCount(one.text) <= wordLimit(row, from),
  );
  return [{ text, from, start, end }, ...near.slice(-(MOST_OFFERED - 1)).map((one) => ({ ...one, from }))];
};
