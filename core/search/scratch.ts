/** Arrays of one search, used again by the next: searches run one at a time, each without a pause. */

export const SCORED = ['bm25', 'title', 'ngram', 'semantic', 'feedback', 'nearby'] as const;
export type Scored = (typeof SCORED)[number];

/** Legs that look at every document, and legs that do where there are few. */
const WIDE = ['bm25', 'title', 'ngram'] as const;
const NARROW = ['semantic', 'feedback'] as const;

/** A score per document and leg, by the document's number in all segments, and what the legs need beside them. */
export interface LegScores extends Readonly<Record<(typeof WIDE | typeof NARROW)[number], Float32Array>> {
  /** As long as the scores, all zero between uses. */
  readonly counts: Float32Array;
  /** As long as the scores; whatever it holds. */
  readonly touched: Uint32Array;
  /** The same, for a sum of legs. */
  readonly fused: Float32Array;
}

/** Room that is kept between searches, in documents: what is larger is given back. */
const KEPT = 4_000_000;
let kept: LegScores | null = null;

/** Zeroed arrays for so many documents, valid until the next call; those of NARROW only where they are wanted. */
export function legScores(size: number, { narrow }: { readonly narrow: boolean }): LegScores {
  const room = kept && kept.bm25.length >= size ? kept : allocate(Math.ceil(size * 1.2));
  if (room.bm25.length <= KEPT) kept = room;
  for (const leg of narrow ? [...WIDE, ...NARROW] : WIDE) room[leg].fill(0, 0, size);
  room.counts.fill(0, 0, size);
  return room;
}

function allocate(size: number): LegScores {
  const scores = () => new Float32Array(size);
  return {
    bm25: scores(),
    title: scores(),
    ngram: scores(),
    semantic: scores(),
    feedback: scores(),
    counts: scores(),
    touched: new Uint32Array(size),
    fused: scores(),
  };
}
