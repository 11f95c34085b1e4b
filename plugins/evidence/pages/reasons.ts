/** Describes in words why a source was found. */
import type { RankedRecord } from '../schemas/search.ts';

/** Retrievers and marks of the ranking; unknown ones are shown unchanged. */
const REASON_WORDS: Readonly<Record<string, string>> = {
  semantic: 'Found by meaning',
  feedback: 'Found by words that the best sources share',
  rrf_primary: 'Near the top by words and by meaning',
  reranked: 'Moved when the best were compared with the question once more',
};

type Reasoned = Pick<RankedRecord, 'rank_reasons' | 'rank_explain'>;

/** Returns, for example, "Found by words: magnesium, sleep", "Found by meaning" or "Near the top by words and by meaning". */
export const reasonsInWords = ({ rank_reasons, rank_explain }: Reasoned): string[] =>
  rank_reasons.map((reason) => {
    if (reason !== 'bm25') return REASON_WORDS[reason] ?? reason;
    const { matched } = rank_explain;
    return matched.length ? `Found by words: ${matched.join(', ')}` : 'Found by words';
  });
