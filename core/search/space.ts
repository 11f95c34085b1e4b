/**
 * The space in which documents and queries are compared: the directions learned from the corpus, and beside them, where
 * the operator configured a sentence model, its dimensions. Rows are unit vectors of both parts together.
 */
import { type LsaModel, normalise, projectDocuments, projectQuery } from './lsa.ts';
import type { Segment } from './segment.ts';
import { rowOf, setRow, type VectorTable, vectorTable } from './vector-table.ts';

/** The corpus's part beside a sentence model's 1; measured, see bench/search/README.md. */
const CORPUS_SHARE = 0.7;

/** The vectors of all documents of a segment; its `embeddings` are taken in where it has them. */
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

/** Both parts as one unit vector; zeros when both are. */
export function beside(learned: Float32Array, embedded: Float32Array): Float32Array {
  const both = new Float32Array(learned.length + embedded.length);
  for (let i = 0; i < learned.length; i++) both[i] = CORPUS_SHARE * learned[i]!;
  both.set(embedded, learned.length);
  normalise(both, 0, both.length);
  return both;
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
