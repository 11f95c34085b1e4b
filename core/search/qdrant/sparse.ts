/**
 * BM25 as a dot product of sparse vectors. With the modifier `idf`, Qdrant multiplies every value of the query vector by
 * ln(1 + (N - n + 0.5) / (n + 0.5)), where N is the number of points in the shard and n the number of points that have
 * the dimension. This is Robertson's IDF kept positive, as in core/search/bm25.ts. For a fixed mean length, the rest of
 * BM25 depends on the document only: (k1 + 1) × count / (count + k1 × (1 - b + b × length / mean)). A document's vector
 * holds these values and a query's vector holds 1 for each of its terms, so that their dot product is BM25. Character
 * n-grams are scored in the same way. The title's terms have a separate vector of ones without the modifier: the query
 * supplies the IDF, which is that of the term in the whole text.
 *
 * The dimension of a term is its CRC-32. Among V terms, about V² / 2³³ pairs share a dimension (1 pair among 100,000
 * terms, 116 among a million): their weights are added in a document that has both, and a query for one term also finds
 * the other, without a matched word. Totals, facets and matched words are computed from the terms themselves and are
 * not affected. The dimension of an n-gram is its code, and no two codes share one.
 */
import { crc32 } from 'node:zlib';
import type { WeightedTerm } from '../bm25.ts';
import { gramsOf } from '../grams.ts';
import { COUNT_UNIT } from '../segment.ts';
import { SETTINGS } from '../settings.ts';

export interface SparseVector {
  readonly indices: number[];
  readonly values: number[];
}

/** A document's terms with their weighted counts, and its weighted length; counts and length are in quarters. */
export interface TermCounts {
  readonly terms: readonly string[];
  readonly counts: readonly number[];
  readonly length: number;
}

/** A document's words as written, with their weighted counts, and its weighted length; counts and length are in quarters. */
export interface WordCounts {
  readonly words: readonly string[];
  readonly word_counts: readonly number[];
  readonly length: number;
}

/** Returns the unsigned 32-bit dimension of a term, which is the same on every machine. */
export const dimensionOf = (term: string): number => crc32(term);

/** Returns the document's part of BM25; `meanLength` is in quarters, like the counts. */
export function documentVector({ terms, counts, length }: TermCounts, meanLength: number): SparseVector {
  const saturation = saturationOf(length, meanLength);
  return collect(terms.map((term, i) => [dimensionOf(term), saturated(counts[i]!, saturation)]));
}

/** Returns the document's part of the n-gram score; the count of a gram is the sum of the counts of the words that contain it. */
export function gramVector({ words, word_counts, length }: WordCounts, meanLength: number): SparseVector {
  const saturation = saturationOf(length, meanLength);
  const { indices, values } = collect(
    words.flatMap((word, i) => gramsOf(word).map((gram) => [gram, word_counts[i]!] as const)),
  );
  return { indices, values: values.map((count) => saturated(count, saturation)) };
}

/** Returns a vector with the value 1 for each term. */
export const titleVector = (terms: readonly string[]): SparseVector => {
  const { indices } = collect(terms.map((term) => [dimensionOf(term), 1]));
  return { indices, values: indices.map(() => 1) };
};

/** Returns the query's part of BM25: the weight of each term. */
export const termQuery = (terms: readonly WeightedTerm[]): SparseVector =>
  collect(terms.map(({ term, weight }) => [dimensionOf(term), weight]));

/** Returns the query's part of the n-gram score: 1 for each gram. */
export const gramQuery = (grams: readonly number[]): SparseVector => collect(grams.map((gram) => [gram, 1]));

function saturationOf(length: number, meanLength: number): number {
  const { k1, b } = SETTINGS;
  return COUNT_UNIT * k1 * (1 - b + (b * length) / meanLength);
}

const saturated = (count: number, saturation: number): number => ((SETTINGS.k1 + 1) * count) / (count + saturation);

/** Builds a vector and adds up the values of equal dimensions, because Qdrant rejects a vector that repeats a dimension. */
function collect(weighted: readonly (readonly [dimension: number, weight: number])[]): SparseVector {
  const values = new Map<number, number>();
  for (const [dimension, weight] of weighted) values.set(dimension, (values.get(dimension) ?? 0) + weight);
  return { indices: [...values.keys()], values: [...values.values()] };
}
