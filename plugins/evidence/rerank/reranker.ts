/** Defines the interface of a reranker, which scores the candidates of the first stage again by their text. */
import type { HandOver } from '#core/models/permission.ts';
import type { LegRank } from '#core/search/port.ts';

/** A hit of the first stage with its text. */
export interface Candidate {
  readonly id: string;
  readonly title: string;
  /** Summary and abstract of the source. */
  readonly text: string;
  /** Score of the first stage; comparable within one response only. */
  readonly score: number;
  readonly legs: readonly LegRank[];
}

export interface Reranked {
  /** One score for each candidate, in their order; higher is better, comparable within one response only. */
  readonly scores: readonly number[];
  /** Name of the reranker that computed the scores. */
  readonly name: string;
  /** Why a reranker other than the configured one was used; null when it was not. */
  readonly fallback: string | null;
}

export interface Reranker {
  readonly name: string;
  /**
   * Scores the candidates. A reranker outside this program is called only with a permission; without one the local reranker is
   * used.
   */
  rerank(query: string, candidates: readonly Candidate[], handOver?: Partial<HandOver>): Promise<Reranked>;
}
