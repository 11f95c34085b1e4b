/** Why a source was found, in a reader's words. */
import type { RankedRecord } from '../schemas/search.ts';

/** Legs and marks of the ranking; those that are unknown here are shown as they are. */
const REASON_WORDS: Readonly<Record<string, string>> = {
  semantic: 'Found by meaning',
  feedback: 'Found by words that the best sources share',
  rrf_primary: 'Near the top by words and by meaning',
  reranked: 'Moved when the best were compared with the question once more',
};

type Reasoned = Pick<RankedRecord, 'rank_reasons' | 'rank_explain'>;

/** "Found by words: magnesium, sleep", "Found by meaning", "Near the top by words and by meaning". */
export const reasonsInWords = ({ rank_reasons, rank_explain }: Reasoned): string[] =>
  rank_reasons.map((reason) => {
    if (reason !== 'bm25') return REASON_WORDS[reason] ?? reason;
    const { matched } = rank_explain;
    return matched.length ? `Found by words: ${matched.join(', ')}` : 'Found by words';
  });
