/** Measures the cost of a sentence model: its time by kind of text, its failures, and the memory of its vectors. */
import type { Embedder } from '#core/models/port.ts';
import { QUERY_PATIENCE_MS } from '#core/search/sentence-vectors.ts';
import { LSA } from '#core/search/settings.ts';
import { vectorTable } from '#core/search/vector-table.ts';

export interface EmbedderCounts {
  /** Milliseconds for all passages together. */
  passageMs: number;
  /** Milliseconds of each query. */
  readonly queryMs: number[];
  queries: number;
  failed: number;
  /** Queries that were searched without a vector, because the model exceeded the time limit of a query. */
  late: number;
}

/** Wraps an embedder and counts its calls. */
export function countedEmbedder(embedder: Embedder): { embedder: Embedder; counts: EmbedderCounts } {
  const counts: EmbedderCounts = { passageMs: 0, queryMs: [], queries: 0, failed: 0, late: 0 };
  const embed: Embedder['embed'] = async (texts, kind, handOver) => {
    const since = performance.now();
    const failed = (error: unknown): never => {
      if (kind === 'query') counts.failed += 1;
      throw error;
    };
    const vectors = await embedder.embed(texts, kind, handOver).catch(failed);
    const took = performance.now() - since;
    if (kind === 'passage') counts.passageMs += took;
    else {
      counts.queryMs.push(took);
      if (took > QUERY_PATIENCE_MS) counts.late += 1;
    }
    return vectors;
  };
  const counting: Embedder['embed'] = (texts, kind, handOver) => {
    if (kind === 'query') counts.queries += 1;
    return embed(texts, kind, handOver);
  };
  return { embedder: { ...embedder, embed: counting }, counts };
}

/** Returns the bytes in memory per document: its vector in the semantic space, and the model's own vector if there is one. */
export function vectorBytes(width: number): number {
  const rowOf = (dimensions: number): number => {
    const { codes, scales } = vectorTable(1, dimensions);
    return codes.byteLength + scales.byteLength;
  };
  return rowOf(LSA.dimensions + width) + (width > 0 ? rowOf(width) : 0);
}
