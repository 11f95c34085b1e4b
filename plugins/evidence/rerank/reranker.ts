/** What a reranker is: it weighs the candidates of the first stage again, by their text. */
import type { HandOver } from '#core/models/permission.ts';
import type { LegRank } from '#core/search/port.ts';

/** A hit of the first stage with its text, in the first stage's order. */
export interface Candidate {
  readonly id: string;
  readonly title: string;
  /** Summary and abstract. */
  readonly text: string;
  /** Of the first stage; comparable within one answer only. */
  readonly score: number;
  readonly legs: readonly LegRank[];
}

export interface Reranked {
  /** One for each candidate, in their order; higher is better, comparable within one answer only. */
  readonly scores: readonly number[];
  /** Which reranker it was in the end. */
  readonly name: string;
  /** Why another than the configured one had to do it; null when none. */
  readonly fallback: string | null;
}

export interface Reranker {
  readonly name: string;
  /** A reranker outside this program is asked only with a permission; without one the local one ranks. */
  rerank(query: string, candidates: readonly Candidate[], handOver?: Partial<HandOver>): Promise<Reranked>;
}
