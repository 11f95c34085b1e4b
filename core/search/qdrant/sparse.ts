/**
 * BM25 as a dot product. Qdrant multiplies every value of the query vector by ln(1 + (N - n + 0.5) / (n + 0.5)), with
 * N points in the shard and n of them holding the dimension (modifier `idf`), which is Robertson's IDF kept positive
 * as core/search/bm25.ts has it. The rest of BM25 depends on the document alone, once the mean length is settled:
 * (k1 + 1) × count / (count + k1 × (1 - b + b × length / mean)). That is what a document's vector holds, and a query's
 * vector holds 1 for each of its terms, so that the score of the two is BM25.
 *
 * A dimension is the CRC-32 of the term. Of V terms about V² / 2³³ pairs share one (1 of 100,000 terms, 116 of a
 * million): their weights are added in a document that has both, and a query for one finds the other, with no word
 * shown as matched. Totals, facets and matched words are made from the terms themselves and are not touched by this.
 */
import { crc32 } from 'node:zlib';
import { COUNT_UNIT } from '../segment.ts';
import { SEARCH } from './settings.ts';

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

/** Unsigned 32-bit dimension of a term; the same on every machine. */
export const dimensionOf = (term: string): number => crc32(term);

/** The document's side of BM25; `meanLength` in quarters like the counts. */
export function documentVector({ terms, counts, length }: TermCounts, meanLength: number): SparseVector {
  const { k1, b } = SEARCH;
  const saturation = COUNT_UNIT * k1 * (1 - b + (b * length) / meanLength);
  return collect(terms.map((term, i) => [term, ((k1 + 1) * counts[i]!) / (counts[i]! + saturation)]));
}

/** The query's side: 1 for each term. */
export const queryVector = (terms: readonly string[]): SparseVector => collect(terms.map((term) => [term, 1]));

/** Qdrant refuses a vector that names a dimension twice. */
function collect(weighted: readonly (readonly [string, number])[]): SparseVector {
  const values = new Map<number, number>();
  for (const [term, weight] of weighted) {
    const dimension = dimensionOf(term);
    values.set(dimension, (values.get(dimension) ?? 0) + weight);
  }
  return { indices: [...values.keys()], values: [...values.values()] };
}
