/**
 * The lexical leg: BM25 over weighted fields (the "simple extension" of Robertson, Zaragoza and Taylor 2004: term
 * counts and lengths are summed over fields by weight first, then saturated once).
 */
import { COUNT_UNIT, indexOfSorted, type Segment } from './segment.ts';
import { TopK } from './top-k.ts';

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

export interface LexicalMatches {
  readonly top: readonly Ranked[];
  /** The allowed documents that hold any of the terms, per segment. */
  readonly matches: readonly Uint32Array[];
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

/** Scores all documents that hold any term; the best `depth` are ranked, equal scores by `comesFirst`. */
export function searchLexical(
  views: readonly SegmentView[],
  weighted: readonly WeightedTerm[],
  options: Bm25Settings & { meanLength: number; depth: number; comesFirst: (a: number, b: number) => boolean },
): LexicalMatches {
  const top = new TopK(options.depth, options.comesFirst);
  const matches = views.map((view) => {
    const scores = scoreSegment(view.segment, weighted, options);
    return scores ? collect(view, scores, top) : new Uint32Array(0);
  });
  return { top: top.sorted(), matches };
}

function scoreSegment(
  segment: Segment,
  weighted: readonly WeightedTerm[],
  { k1, b, meanLength }: Bm25Settings & { meanLength: number },
): Float32Array | null {
  let scores: Float32Array | null = null;
  const { docs, counts, lengths, starts } = segment;
  // Counts are in quarters, so the saturation they are held against is too.
  const base = COUNT_UNIT * k1 * (1 - b);
  const slope = (COUNT_UNIT * k1 * b) / meanLength;
  for (const { term, weight } of weighted) {
    const t = indexOfSorted(segment.terms, term);
    if (t < 0) continue;
    scores ??= new Float32Array(segment.ids.length);
    const gain = weight * (k1 + 1);
    const end = starts[t + 1]!;
    for (let i = starts[t]!; i < end; i++) {
      const doc = docs[i]!;
      const count = counts[i]!;
      scores[doc]! += (gain * count) / (count + base + slope * lengths[doc]!);
    }
  }
  return scores;
}

function collect(view: SegmentView, scores: Float32Array, top: TopK): Uint32Array {
  const { allowed, base } = view;
  const found = new Uint32Array(scores.length);
  let size = 0;
  for (let doc = 0; doc < scores.length; doc++) {
    const score = scores[doc]!;
    if (score === 0 || allowed[doc] === 0) continue;
    found[size++] = doc;
    if (score >= top.threshold) top.add(base + doc, score);
  }
  return found.slice(0, size);
}
