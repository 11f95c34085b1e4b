/** Reads the texts of the first hits and sorts these hits in the reranker's order. */
import type { HandOver } from '#core/models/permission.ts';
import type { SearchHit } from '#core/search/port.ts';
import type { SourceRows } from '../source-rows.ts';
import type { Reranker } from './reranker.ts';

/** Number of first hits that are reranked. */
export const RERANK_DEPTH = 50;

/** Explains the position of a reranked hit. */
export interface RerankedPlace {
  readonly reranker: string;
  readonly score: number;
  /** Rank in the first stage, from 1. */
  readonly first_stage_rank: number;
}

export interface RankedHit extends SearchHit {
  readonly reranked: RerankedPlace | null;
}

export interface RerankedHits {
  readonly hits: readonly RankedHit[];
  readonly used: boolean;
  readonly fallback: string | null;
}

export const unranked = (hits: readonly SearchHit[]): RerankedHits => ({
  hits: hits.map((hit) => ({ ...hit, reranked: null })),
  used: false,
  fallback: null,
});

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));

/**
 * Sorts the first RERANK_DEPTH hits in the reranker's order; the others follow in their previous order. Scores remain comparable
 * within the response: the scores of reranked hits are above the best of the others.
 */
export const rerankHits = async (
  { rows, reranker, ...handOver }: { readonly rows: SourceRows; readonly reranker: Reranker } & Partial<HandOver>,
  query: string,
  hits: readonly SearchHit[],
): Promise<RerankedHits> => {
  const head = hits.slice(0, RERANK_DEPTH);
  // A single candidate cannot be reordered.
  if (head.length < 2) return unranked(hits);
  const texts = await rows.read(head.map(({ id }) => id));
  const candidates = head.map(({ id, score, legs }) => {
    const text = texts.get(id);
    return { id, title: text?.title ?? '', text: text ? `${text.summary} ${text.abstract}` : '', score, legs };
  });
  const { scores, name, fallback } = await reranker.rerank(query, candidates, handOver);
  const floor = Math.max(0, ...hits.slice(RERANK_DEPTH).map(({ score }) => score));
  const middle = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const spread = Math.sqrt(scores.reduce((sum, score) => sum + (score - middle) ** 2, 0) / scores.length) || 1;
  const ranked = head
    .map(
      (hit, at): RankedHit => ({
        ...hit,
        score: floor + sigmoid((scores[at]! - middle) / spread),
        reasons: [...hit.reasons, 'reranked'],
        reranked: { reranker: name, score: scores[at]!, first_stage_rank: at + 1 },
      }),
    )
    .sort(
      (a, b) => b.reranked!.score - a.reranked!.score || a.reranked!.first_stage_rank - b.reranked!.first_stage_rank,
    );
  const rest = hits.slice(RERANK_DEPTH).map((hit) => ({ ...hit, reranked: null }));
  return { hits: [...ranked, ...rest], used: true, fallback };
};
