/** Buffers that are reused from search to search: searches run one at a time, each synchronously. */

export const SCORED = ['bm25', 'title', 'ngram', 'semantic', 'feedback', 'nearby'] as const;
export type Scored = (typeof SCORED)[number];

/** Retrievers that score every document, and retrievers that do so in small corpora only. */
const WIDE = ['bm25', 'title', 'ngram'] as const;
const NARROW = ['semantic', 'feedback'] as const;

/** A score per document and retriever, by the document's number across all segments, and scratch buffers of the retrievers. */
export interface LegScores extends Readonly<Record<(typeof WIDE | typeof NARROW)[number], Float32Array>> {
  /** Scratch buffer as long as the scores, all zero between uses. */
  readonly counts: Float32Array;
  /** Scratch buffer as long as the scores; its contents are arbitrary. */
  readonly touched: Uint32Array;
  /** Scratch buffer for a sum of retrievers; its contents are arbitrary. */
  readonly fused: Float32Array;
}

/** Maximum length of the buffers, in documents, that are retained between searches; larger ones are released. */
const KEPT = 4_000_000;
let kept: LegScores | null = null;

/** Returns zeroed buffers for `size` documents, valid until the next call; those of NARROW are zeroed only if `narrow` is set. */
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
