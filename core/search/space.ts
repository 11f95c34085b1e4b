/**
 * The space in which documents and queries are compared: the directions learned from the corpus, and beside them, where
 * the operator configured a sentence model, its dimensions. Rows are unit vectors of both parts together.
 */
import { type LsaModel, normalise, projectQuery, projectSegment } from './lsa.ts';
import type { Segment } from './segment.ts';
import { vectorTable } from './vector-memory.ts';

/** The corpus's part beside a sentence model's 1; measured, see bench/search/README.md. */
const CORPUS_SHARE = 0.7;

/** The vectors of all documents of a segment; its `embeddings` are taken in where it has them. */
export async function placeSegment(
  model: LsaModel,
  segment: Segment,
  breathe: () => Promise<void>,
): Promise<Float32Array> {
  const learned = await projectSegment(model, segment, breathe);
  const { embeddings } = segment;
  if (!embeddings || segment.ids.length === 0) return learned;
  const own = model.dimensions;
  const width = embeddings.length / segment.ids.length;
  const table = vectorTable(segment.ids.length, own + width);
  for (let doc = 0; doc < segment.ids.length; doc++) {
    const at = doc * (own + width);
    for (let i = 0; i < own; i++) table[at + i] = CORPUS_SHARE * learned[doc * own + i]!;
    table.set(embeddings.subarray(doc * width, (doc + 1) * width), at + own);
    normalise(table, at, own + width);
  }
  return table;
}

/**
 * The unit vector of a query. `width` is the sentence model's number of dimensions, 0 without one; `embedded` is null
 * when that model did not answer: the corpus's part then speaks alone. Null when neither knows the query.
 */
export function placeQuery(
  model: LsaModel,
  terms: readonly string[],
  { width, embedded }: { width: number; embedded: Float32Array | null },
): Float32Array | null {
  const learned = projectQuery(model, terms);
  if (width === 0) return learned;
  const vector = new Float32Array(model.dimensions + width);
  learned?.forEach((value, i) => {
    vector[i] = CORPUS_SHARE * value;
  });
  if (embedded) vector.set(embedded, model.dimensions);
  return normalise(vector, 0, vector.length) ? vector : null;
}
