/**
 * BM25 as a dot product. Qdrant multiplies every value of the query vector by ln(1 + (N - n + 0.5) / (n + 0.5)), with
 * N points in the shard and n of them holding the dimension (modifier `idf`), which is Robertson's IDF kept positive
 * as core/search/bm25.ts has it. The rest of BM25 depends on the document alone, once the mean length is settled:
 * (k1 + 1) × count / (count + k1 × (1 - b + b × length / mean)). That is what a document's vector holds, and a query's
 * vector holds 1 for each of its terms, so that the score of the two is BM25. The same goes for character n-grams.
 * Terms of the title have a vector of their own, of ones and without the modifier: the query brings the IDF, which is
 * that of the term in the whole text.
 *
 * The dimension of a term is its CRC-32. Of V terms about V² / 2³³ pairs share one (1 of 100,000 terms, 116 of a
 * million): their weights are added in a document that has both, and a query for one finds the other, with no word
 * shown as matched. Totals, facets and matched words are made from the terms themselves and are not touched by this.
 * The dimension of an n-gram is its code, which no other has.
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

/** A document's terms with their weighted counts, and its weighted length; counts and length in quarters. */
export interface TermCounts {
  readonly terms: readonly string[];
  readonly counts: readonly number[];
  readonly length: number;
}

/** A document's words as written, with their weighted counts; counts and length in quarters. */
export interface WordCounts {
  readonly words: readonly string[];
  readonly word_counts: readonly number[];
  readonly length: number;
}

/** Unsigned 32-bit dimension of a term; the same on every machine. */
export const dimensionOf = (term: string): number => crc32(term);

/** The document's side of BM25; `meanLength` in quarters like the counts. */
export function documentVector({ terms, counts, length }: TermCounts, meanLength: number): SparseVector {
  const saturation = saturationOf(length, meanLength);
  return collect(terms.map((term, i) => [dimensionOf(term), saturated(counts[i]!, saturation)]));
}

/** The document's side of the n-gram leg: a gram counts as often as the words that hold it. */
export function gramVector({ words, word_counts, length }: WordCounts, meanLength: number): SparseVector {
  const saturation = saturationOf(length, meanLength);
  const { indices, values } = collect(
    words.flatMap((word, i) => gramsOf(word).map((gram) => [gram, word_counts[i]!] as const)),
  );
  return { indices, values: values.map((count) => saturated(count, saturation)) };
}

/** 1 for each term. */
export const titleVector = (terms: readonly string[]): SparseVector => {
  const { indices } = collect(terms.map((term) => [dimensionOf(term), 1]));
  return { indices, values: indices.map(() => 1) };
};

/** The query's side: a weight for each term. */
export const termQuery = (terms: readonly WeightedTerm[]): SparseVector =>
  collect(terms.map(({ term, weight }) => [dimensionOf(term), weight]));

/** The query's side of the n-gram leg: 1 for each. */
export const gramQuery = (grams: readonly number[]): SparseVector => collect(grams.map((gram) => [gram, 1]));

function saturationOf(length: number, meanLength: number): number {
  const { k1, b } = SETTINGS;
  return COUNT_UNIT * k1 * (1 - b + (b * length) / meanLength);
}

const saturated = (count: number, saturation: number): number => ((SETTINGS.k1 + 1) * count) / (count + saturation);

/** Qdrant refuses a vector that names a dimension twice. */
function collect(weighted: readonly (readonly [dimension: number, weight: number])[]): SparseVector {
  const values = new Map<number, number>();
  for (const [dimension, weight] of weighted) values.set(dimension, (values.get(dimension) ?? 0) + weight);
  return { indices: [...values.keys()], values: [...values.values()] };
}
