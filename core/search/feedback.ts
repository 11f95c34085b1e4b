/**
 * Relevance feedback (Rocchio 1971): expands the query by the best documents of the first round, once in the lexical
 * retriever with their strongest terms and once in the semantic retriever with their vectors.
 */
import type { SegmentView, WeightedTerm } from './bm25.ts';
import { type LsaModel, normalise, termWeight } from './lsa.ts';
import { COUNT_UNIT, quartersOf } from './postings.ts';
import { rowOf } from './vector-table.ts';

/** A term of a document, its weighted count there, and its IDF in the semantic model. */
export interface CountedTerm {
  readonly term: string;
  readonly count: number;
  readonly idf: number;
}

/** The segment view of a document, and its number in the segment. */
export interface Located {
  readonly view: SegmentView;
  readonly doc: number;
}

/**
 * Returns the query's terms, which share the weight `1 - share` equally, and the strongest terms of the documents, which
 * share `share` in proportion to their tf-idf in documents of unit length times the document's part of the scores. The
 * weights add up to 1.
 */
export function expandTerms(
  terms: readonly string[],
  found: readonly (Located & { score: number })[],
  { model, size, share }: { model: LsaModel; size: number; share: number },
): WeightedTerm[] {
  const documents = found.map((each) => ({ score: each.score, own: termsOf(each, model) }));
  return expandBy(terms, documents, { size, share });
}

/** Expands the terms in the same way, from documents whose terms `unitTerms` has already weighted. */
export function expandBy(
  terms: readonly string[],
  found: readonly { readonly score: number; readonly own: readonly WeightedTerm[] }[],
  { size, share }: { size: number; share: number },
): WeightedTerm[] {
  const whole = found.reduce((sum, { score }) => sum + score, 0);
  const gained = new Map<string, number>();
  for (const { own, score } of found) {
    for (const { term, weight } of own) gained.set(term, (gained.get(term) ?? 0) + (weight * score) / whole);
  }
  const strongest = [...gained].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, size);
  const sum = strongest.reduce((total, [, weight]) => total + weight, 0);
  const expanded = new Map(terms.map((term) => [term, (1 - share) / terms.length]));
  for (const [term, weight] of strongest) expanded.set(term, (expanded.get(term) ?? 0) + (share * weight) / sum);
  return [...expanded].map(([term, weight]) => ({ term, weight }));
}

/** Returns the terms of a document that the model knows, as a vector of length 1. */
function termsOf({ view, doc }: Located, model: LsaModel): WeightedTerm[] {
  const { segment } = view;
  const { starts, terms, counts } = segment.forward;
  const counted: CountedTerm[] = [];
  for (let i = starts[doc]!; i < starts[doc + 1]!; i++) {
    const term = segment.terms[terms[i]!]!;
    const row = model.rows.get(term);
    if (row === undefined) continue;
    counted.push({ term, count: quartersOf(counts[i]!) / COUNT_UNIT, idf: model.idf[row]! });
  }
  return unitTerms(counted);
}

/** Returns the terms of one document as a vector of length 1. */
export function unitTerms(counted: readonly CountedTerm[]): WeightedTerm[] {
  // The power of the IDF is 1.5 here and 2 in training: chosen by measurement.
  const own = counted.map(({ term, count, idf }) => ({ term, weight: termWeight(count, idf) / Math.sqrt(idf) }));
  const square = own.reduce((sum, { weight }) => sum + weight ** 2, 0);
  const scale = square === 0 ? 0 : 1 / Math.sqrt(square);
  return own.map(({ term, weight }) => ({ term, weight: weight * scale }));
}

/** Returns the query's vector (null if it has none) moved towards the documents' by `share`, as a unit vector, or null. */
export function moveVector(
  query: Float32Array | null,
  found: readonly (Located & { score: number })[],
  options: { dimensions: number; share: number },
): Float32Array | null {
  const documents = found.flatMap(({ view, doc, score }) => {
    const { vectors } = view.segment;
    return vectors ? [{ score, vector: rowOf(vectors, doc) }] : [];
  });
  return moveTowards(query, documents, options);
}

/** Moves the vector in the same way, towards documents whose vectors are given. */
export function moveTowards(
  query: Float32Array | null,
  found: readonly { readonly score: number; readonly vector: Float32Array }[],
  { dimensions, share }: { dimensions: number; share: number },
): Float32Array | null {
  const middle = new Float32Array(dimensions);
  for (const { vector, score } of found) {
    for (let i = 0; i < dimensions; i++) middle[i]! += score ** 2 * vector[i]!;
  }
  if (!normalise(middle, 0, dimensions)) return query;
  if (!query) return middle;
  const moved = query.map((value, i) => (1 - share) * value + share * middle[i]!);
  return normalise(moved, 0, dimensions) ? moved : query;
}
