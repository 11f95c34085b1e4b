/**
 * The lexical retriever: BM25 over weighted fields (the "simple extension" of Robertson, Zaragoza and Taylor 2004: term
 * counts and lengths are first summed over fields by weight, then saturated once).
 */
import { noInline } from './no-inline.ts';
import { COUNT_UNIT, indexOfSorted, LEAD_BIT, quartersOf } from './postings.ts';
import type { Segment } from './segment.ts';

export interface Bm25Settings {
  readonly k1: number;
  readonly b: number;
}

/** A segment in one search: the first of its document numbers, and the documents that may be returned. */
export interface SegmentView {
  readonly segment: Segment;
  readonly base: number;
  readonly allowed: Uint8Array;
  /** Whether all documents may be returned. */
  readonly open: boolean;
}

interface Into {
  readonly meanLength: number;
  readonly into: Float32Array;
  readonly lead?: Float32Array;
}

export interface Ranked {
  readonly ref: number;
  readonly score: number;
}

/** A query term and its IDF. */
export interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
}

/** Number of live documents and their mean weighted length: the corpus-wide inputs of a score. */
export interface CorpusStatistics {
  readonly documents: number;
  readonly meanLength: number;
}

export function corpusStatistics(segments: readonly Segment[]): CorpusStatistics {
  let documents = 0;
  let length = 0;
  for (const segment of segments) {
    documents += segment.live;
    length += segment.liveLength;
  }
  return { documents, meanLength: documents === 0 ? 1 : length / documents || 1 };
}

/** Returns the number of live documents that contain each term. Deleted documents do not count, so they never affect scores. */
export function documentFrequencies(segments: readonly Segment[], terms: readonly string[]): number[] {
  return terms.map((term) => segments.reduce((sum, segment) => sum + liveFrequency(segment, term), 0));
}

function liveFrequency(segment: Segment, term: string): number {
  const t = indexOfSorted(segment.terms, term);
  if (t < 0) return 0;
  const from = segment.starts[t]!;
  const to = segment.starts[t + 1]!;
  if (segment.live === segment.ids.length) return to - from;
  let live = 0;
  for (let i = from; i < to; i++) live += 1 - segment.deleted[segment.docs[i]!]!;
  return live;
}

/** Returns Robertson's IDF, kept positive. */
export function inverseFrequency(frequency: number, documents: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/** Adds each term's BM25 score to `into`, by document, and the weights of terms in titles to `lead` if it is given. */
export function addLexical(
  views: readonly SegmentView[],
  weighted: readonly WeightedTerm[],
  options: Bm25Settings & Into,
): void {
  for (const { segment, base } of views) {
    for (const { term, weight } of weighted) {
      const t = indexOfSorted(segment.terms, term);
      if (t >= 0 && weight !== 0) noInline(addTerm, segment, { t, weight, base }, options);
    }
  }
}

function addTerm(
  { docs, counts, lengths, starts }: Segment,
  { t, weight, base }: { t: number; weight: number; base: number },
  { k1, b, meanLength, into, lead }: Bm25Settings & Into,
): void {
  // Counts are in quarters, and so are the saturation terms below.
  const still = COUNT_UNIT * k1 * (1 - b);
  const slope = (COUNT_UNIT * k1 * b) / meanLength;
  const gain = weight * (k1 + 1);
  const end = starts[t + 1]!;
  for (let i = starts[t]!; i < end; i++) {
    const doc = docs[i]!;
    const stored = counts[i]!;
    const count = quartersOf(stored);
    into[base + doc]! += (gain * count) / (count + still + slope * lengths[doc]!);
    if (lead && stored >= LEAD_BIT) lead[base + doc]! += weight;
  }
}

/** Position from 1 of each term of a segment in the query; all zero between uses. A search has fewer than 255 terms. */
let places = new Uint8Array(0);

/**
 * Scores only some documents, given in ascending order: `into` and `lead` have a row for each of `refs`. It scans the terms
 * of each document, so that the cost depends on the documents' lengths and not on the terms' postings.
 */
export function addLexicalAt(
  views: readonly SegmentView[],
  weighted: readonly WeightedTerm[],
  { refs, ...options }: Bm25Settings & Into & { readonly refs: Uint32Array },
): void {
  let row = 0;
  for (const view of views) {
    const end = view.base + view.segment.ids.length;
    if (row >= refs.length || refs[row]! >= end) continue;
    const { terms } = view.segment;
    if (places.length < terms.length) places = new Uint8Array(terms.length * 2);
    const known = weighted.flatMap(({ term, weight }) => {
      const t = indexOfSorted(terms, term);
      return t < 0 ? [] : [{ t, weight }];
    });
    const weights = Float64Array.from([0, ...known.map(({ weight }) => weight)]);
    known.forEach(({ t }, i) => {
      places[t] = i + 1;
    });
    for (; row < refs.length && refs[row]! < end; row++)
      addDocument(view.segment, refs[row]! - view.base, { ...options, row, weights });
    for (const { t } of known) places[t] = 0;
  }
}

function addDocument(
  { forward, lengths }: Segment,
  doc: number,
  {
    k1,
    b,
    meanLength,
    into,
    lead,
    row,
    weights,
  }: Bm25Settings & Into & { readonly row: number; readonly weights: Float64Array },
): void {
  const still = COUNT_UNIT * k1 * (1 - b + (b * lengths[doc]!) / meanLength);
  const end = forward.starts[doc + 1]!;
  for (let i = forward.starts[doc]!; i < end; i++) {
    const place = places[forward.terms[i]!]!;
    if (place === 0) continue;
    const weight = weights[place]!;
    const stored = forward.counts[i]!;
    const count = quartersOf(stored);
    into[row]! += (weight * (k1 + 1) * count) / (count + still);
    if (lead && stored >= LEAD_BIT) lead[row]! += weight;
  }
}
