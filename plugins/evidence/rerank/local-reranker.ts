/** Reranks without a model: by a weighted sum of features that describe how well the words of query and candidate match. */
import type { PassageScorer } from '#core/search/port.ts';
import { FEATURES, featureRows } from './features.ts';
import type { Candidate, Reranker } from './reranker.ts';
import { WEIGHTS } from './weights.ts';

/** Returns scores in the order of the candidates. They have no fixed range and are comparable within one list only. */
export const scoreLocally = (text: string, scorer: PassageScorer, candidates: readonly Candidate[]): number[] =>
  featureRows(text, scorer, candidates).map((row) =>
    FEATURES.reduce((score, feature) => score + WEIGHTS[feature] * row[feature], 0),
  );

/**
 * Creates the local reranker. `scorerOf` is the index's: word weights and the semantic scores come from the corpus that is
 * searched.
 */
export const localReranker = (scorerOf: (text: string) => PassageScorer): Reranker => ({
  name: 'local',
  rerank: async (query, candidates) => ({
    scores: scoreLocally(query, scorerOf(query), candidates),
    name: 'local',
    fallback: null,
  }),
});
