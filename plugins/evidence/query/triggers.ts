/**
 * Decides when the reranker runs: for queries of ten words or more, for short queries with signs of a typo, and for medium ones
 * that resemble a question on supplement and medicine. The API specification sets the ten words; this file sets the others.
 */
import { countWords } from './query-words.ts';

/** Minimum number of words of a long query. */
export const LONG_QUERY = 10;
/** Maximum number of words of a short query; longer ones below LONG_QUERY are medium. */
export const SHORT_QUERY = 3;

export type RerankTrigger = 'long' | 'typo' | 'interaction';

export interface QuerySigns {
  /** Whether a word was corrected, or is neither in the index nor in the vocabulary. */
  readonly typo: boolean;
  /** See interaction-pattern.ts. */
  readonly interaction: boolean;
}

/** Returns why a query is to be reranked; null when it is not. `query` is the text as typed. */
export const rerankTrigger = (query: string, signs: QuerySigns): RerankTrigger | null => {
  const words = countWords(query);
  if (words >= LONG_QUERY) return 'long';
  if (words <= SHORT_QUERY) return words > 0 && signs.typo ? 'typo' : null;
  return signs.interaction ? 'interaction' : null;
};
