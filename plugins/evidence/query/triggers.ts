/**
 * When the reranker runs, by the interface: for queries of ten words or more, for short queries with signs of a typo,
 * and for medium ones that look like a question on supplement and medicine. The interface gives the ten; the others:
 */
import { countWords } from './query-words.ts';

/** A query of this many words or more is long. */
export const LONG_QUERY = 10;
/** A query of this many words or fewer is short; those in between are medium. */
export const SHORT_QUERY = 3;

export type RerankTrigger = 'long' | 'typo' | 'interaction';

export interface QuerySigns {
  /** A word that was corrected, or that neither the base nor the vocabulary knows. */
  readonly typo: boolean;
  /** See interaction-pattern.ts. */
  readonly interaction: boolean;
}

/** Why a query is to be reranked; null when it is not. `query` is what was typed. */
export const rerankTrigger = (query: string, signs: QuerySigns): RerankTrigger | null => {
  const words = countWords(query);
  if (words >= LONG_QUERY) return 'long';
  if (words <= SHORT_QUERY) return words > 0 && signs.typo ? 'typo' : null;
  return signs.interaction ? 'interaction' : null;
};
