/**
 * The vector space in which documents and queries are compared: the dimensions learned from the corpus followed, if the
 * operator has configured a sentence model, by its dimensions. Rows are unit vectors of both parts together.
 */
import { type LsaModel, normalise, projectDocuments, projectQuery } from './lsa.ts';
import type { Segment } from './segment.ts';
import { rowOf, setRow, type VectorTable, vectorTable } from './vector-table.ts';

/** Weight of the corpus's part, where the sentence model's part has weight 1; measured, see bench/search/README.md. */
const CORPUS_SHARE = 0.7;

/** Computes the vectors of all documents of a segment, combined with its `embeddings` if it has them. */
export async function placeSegment(
  model: LsaModel,
  segment: Segment,
  breathe: () => Promise<void>,
): Promise<VectorTable> {
  const { embeddings } = segment;
  const own = model.dimensions;
  const table = vectorTable(segment.ids.length, own + (embeddings?.dimensions ?? 0));
  const offer = (learned: Float32Array, doc: number) =>
    setRow(table, doc, embeddings ? beside(learned, rowOf(embeddings, doc)) : learned);
  await projectDocuments(model, segment, { breathe, offer });
  return table;
}

/** Combines both parts into one unit vector; zeros when both parts are zeros. */
export function beside(learned: Float32Array, embedded: Float32Array): Float32Array {
  const both = new Float32Array(learned.length + embedded.length);
  for (let i = 0; i < learned.length; i++) both[i] = CORPUS_SHARE * learned[i]!;
  both.set(embedded, learned.length);
  normalise(both, 0, both.length);
  return both;
}

/**
 * Returns the unit vector of a query, or null when neither model knows the query. `width` is the sentence model's number of
 * dimensions, 0 without such a model; `embedded` is null when that model failed, and then only the corpus's part is used.
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
