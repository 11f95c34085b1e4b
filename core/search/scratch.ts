/** Arrays of one search, used again by the next: searches run one at a time, each without a pause. */

/** A score per document and leg; `size` documents, all zero at the beginning. */
export interface LegScores {
  readonly size: number;
  readonly bm25: Float32Array;
  readonly title: Float32Array;
  readonly ngram: Float32Array;
  readonly semantic: Float32Array;
  readonly feedback: Float32Array;
  readonly nearby: Float32Array;
  readonly counts: Float32Array;
  readonly touched: Uint32Array;
}

export const SCORED = ['bm25', 'title', 'ngram', 'semantic', 'feedback', 'nearby'] as const;
export type Scored = (typeof SCORED)[number];

/** Room that is kept between searches, in documents: what is larger is given back. */
const KEPT = 4_000_000;
let kept: LegScores | null = null;

/** Zeroed arrays for so many documents; valid until the next call. */
export function legScores(size: number): LegScores {
  const room = kept && kept.bm25.length >= size ? kept : allocate(Math.ceil(size * 1.2));
  if (room.bm25.length <= KEPT) kept = room;
  for (const leg of SCORED) room[leg].fill(0, 0, size);
  room.counts.fill(0, 0, size);
  return { ...room, size };
}

function allocate(size: number): LegScores {
  const scores = () => new Float32Array(size);
  return {
    size,
    bm25: scores(),
    title: scores(),
    ngram: scores(),
    semantic: scores(),
    feedback: scores(),
    nearby: scores(),
    counts: scores(),
    touched: new Uint32Array(size),
  };
}
