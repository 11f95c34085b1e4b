/**
 * The lexical leg: BM25 over weighted fields (the "simple extension" of Robertson, Zaragoza and Taylor 2004: term
 * counts and lengths are summed over fields by weight first, then saturated once).
 */
import { COUNT_UNIT, indexOfSorted, LEAD_BIT, quartersOf } from './postings.ts';
import { type Segment, storedAt } from './segment.ts';

export interface Bm25Settings {
  readonly k1: number;
  readonly b: number;
}

/** A segment as one search sees it: where its document numbers begin, and which documents may be answered. */
export interface SegmentView {
  readonly segment: Segment;
  readonly base: number;
  readonly allowed: Uint8Array;
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

/** Live documents and their mean weighted length: what a score needs to know of the whole corpus. */
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

/** In how many live documents each term is found. Deleted ones do not count, so that history leaves no trace in scores. */
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

/** Robertson's IDF, kept positive. */
export function inverseFrequency(frequency: number, documents: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/** Adds each term's BM25 to `into`, by document; `lead`, where given, gains the weights of terms that stand in titles. */
export function addLexical(
  views: readonly SegmentView[],
  weighted: readonly WeightedTerm[],
  options: Bm25Settings & { meanLength: number; into: Float32Array; lead?: Float32Array },
): void {
  for (const { segment, base } of views) {
    for (const { term, weight } of weighted) {
      const t = indexOfSorted(segment.terms, term);
      if (t >= 0 && weight !== 0) addTerm(segment, { t, weight, base }, options);
    }
  }
}

function addTerm(
  { docs, counts, lengths, starts }: Segment,
  { t, weight, base }: { t: number; weight: number; base: number },
  { k1, b, meanLength, into, lead }: Bm25Settings & { meanLength: number; into: Float32Array; lead?: Float32Array },
): void {
  // Counts are in quarters, so the saturation they are held against is too.
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

/** The same for some documents only, given in ascending order: looks each of them up instead of reading all postings. */
export function addLexicalAt(
  views: readonly SegmentView[],
  weighted: readonly WeightedTerm[],
  {
    refs,
    ...options
  }: Bm25Settings & { meanLength: number; into: Float32Array; lead?: Float32Array; refs: readonly number[] },
): void {
  let at = 0;
  for (const view of views) {
    const end = view.base + view.segment.ids.length;
    if (at >= refs.length || refs[at]! >= end) continue;
    const numbered = weighted.flatMap(({ term, weight }) => {
      const t = indexOfSorted(view.segment.terms, term);
      return t < 0 ? [] : [{ t, weight }];
    });
    for (; at < refs.length && refs[at]! < end; at++) addTermsAt(view, numbered, { ...options, ref: refs[at]! });
  }
}

function addTermsAt(
  { segment, base }: SegmentView,
  numbered: readonly { t: number; weight: number }[],
  options: Bm25Settings & { meanLength: number; into: Float32Array; lead?: Float32Array; ref: number },
): void {
  const { k1, b, meanLength, into, lead, ref } = options;
  const doc = ref - base;
  const still = COUNT_UNIT * k1 * (1 - b + (b * segment.lengths[doc]!) / meanLength);
  for (const { t, weight } of numbered) {
    const stored = storedAt(segment, t, doc);
    if (stored === 0) continue;
    const count = quartersOf(stored);
    into[ref]! += (weight * (k1 + 1) * count) / (count + still);
    if (lead && stored >= LEAD_BIT) lead[ref]! += weight;
  }
}
