/** The reranker that needs no model: a weighted sum of how the words of query and candidate fit together. */
import type { PassageScorer } from '#core/search/port.ts';
import { FEATURES, featureRows } from './features.ts';
import type { Candidate, Reranker } from './reranker.ts';
import { WEIGHTS } from './weights.ts';

/** Scores in the order of the candidates; without a limit, comparable within one list only. */
export const scoreLocally = (text: string, scorer: PassageScorer, candidates: readonly Candidate[]): number[] =>
  featureRows(text, scorer, candidates).map((row) =>
    FEATURES.reduce((score, feature) => score + WEIGHTS[feature] * row[feature], 0),
  );

/** `scorerOf` is the index's: word weights and the semantic leg come from the corpus that is searched. */
export const localReranker = (scorerOf: (text: string) => PassageScorer): Reranker => ({
  name: 'local',
  rerank: async (query, candidates) => ({
    scores: scoreLocally(query, scorerOf(query), candidates),
    name: 'local',
    fallback: null,
  }),
});
