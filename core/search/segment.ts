/**
 * A segment: the postings of some documents as sorted arrays of numbers. It never changes once built, but for the
 * marks of deleted documents and the vectors that the semantic leg puts in. Documents are in order of their ids,
 * so that one can be found by binary search and two segments merge in one pass.
 */
import { analyse } from './analyser.ts';
import { buildColumns, type FilterColumn, mergeColumns } from './filter-column.ts';
import type { SearchDocument } from './port.ts';

/** Term counts are kept in quarters, so that field weights may be 0.25, 1.5 and so on. */
export const COUNT_UNIT = 4;
const COUNT_LIMIT = 65_535;

export interface Segment {
  readonly ids: readonly string[];
  /** Sum of field weight × number of terms, per document. */
  readonly lengths: Float32Array;
  /** Sorted; the postings of term t are at `starts[t]` up to `starts[t + 1]`. */
  readonly terms: readonly string[];
  readonly starts: Uint32Array;
  /** Document numbers within the segment, ascending for each term. */
  readonly docs: Uint32Array;
  /** Sum of field weight × occurrences, in quarters. */
  readonly counts: Uint16Array;
  readonly columns: readonly FilterColumn[];
  /** 1 for a document that was removed or replaced. */
  readonly deleted: Uint8Array;
  live: number;
  liveLength: number;
  /** Unit vectors of the semantic leg, one row per document; null until that leg is trained. */
  vectors: Float32Array | null;
}

/** The weight of each text field; text of other fields is not indexed. */
export type FieldWeights = Readonly<Record<string, number>>;

/** Weighted term counts of one document. */
interface DocumentTerms {
  readonly counts: Map<string, number>;
  readonly length: number;
}

/** Analyses one document; the slow part of indexing, kept apart so that the caller can pause between documents. */
export function countTerms(document: SearchDocument, weights: FieldWeights): DocumentTerms {
  const counts = new Map<string, number>();
  let length = 0;
  for (const [field, weight] of Object.entries(weights)) {
    const text = document.text[field];
    if (!text) continue;
    const terms = analyse(text);
    length += weight * terms.length;
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + weight);
  }
  return { counts, length };
}

/** Builds a segment; `documents` in ascending order of distinct ids, `analysed` in the same order. */
export function buildSegment(documents: readonly SearchDocument[], analysed: readonly DocumentTerms[]): Segment {
  const sizes = new Map<string, number>();
  let total = 0;
  for (const { counts } of analysed) {
    total += counts.size;
    for (const term of counts.keys()) sizes.set(term, (sizes.get(term) ?? 0) + 1);
  }
  const terms = detach([...sizes.keys()].sort());
  const place = new Map<string, number>();
  const starts = new Uint32Array(terms.length + 1);
  terms.forEach((term, t) => {
    place.set(term, t);
    starts[t + 1] = starts[t]! + sizes.get(term)!;
  });
  const next = starts.slice(0, -1);
  const docs = new Uint32Array(total);
  const counts = new Uint16Array(total);
  analysed.forEach((document, doc) => {
    for (const [term, count] of document.counts) {
      const at = next[place.get(term)!]!++;
      docs[at] = doc;
      counts[at] = Math.min(COUNT_LIMIT, Math.max(1, Math.round(count * COUNT_UNIT)));
    }
  });
  return finish({
    ids: detach(documents.map((document) => document.id)),
    lengths: Float32Array.from(analysed, (document) => document.length),
    terms,
    starts,
    docs,
    counts,
    columns: buildColumns(documents),
    deleted: new Uint8Array(documents.length),
    vectors: null,
  });
}

/** Sums up what is live. */
export function finish(segment: Omit<Segment, 'live' | 'liveLength'>): Segment {
  let live = 0;
  let liveLength = 0;
  segment.deleted.forEach((gone, doc) => {
    if (gone) return;
    live++;
    liveLength += segment.lengths[doc]!;
  });
  return { ...segment, live, liveLength };
}

/** The strings as slices of one new string: a term must not keep the whole abstract it was cut from in memory. */
function detach(strings: readonly string[]): string[] {
  if (strings.length === 0 || strings.some((string) => string.includes('\n') || !string.isWellFormed()))
    return [...strings];
  return Buffer.from(strings.join('\n')).toString().split('\n');
}

/** Marks a document as deleted; false when the segment has no live document of that id. */
export function remove(segment: Segment, id: string): boolean {
  const doc = indexOfSorted(segment.ids, id);
  if (doc < 0 || segment.deleted[doc]) return false;
  segment.deleted[doc] = 1;
  segment.live--;
  segment.liveLength -= segment.lengths[doc]!;
  return true;
}

/** The place of a string in a sorted list, or -1. */
export function indexOfSorted(sorted: readonly string[], wanted: string): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = sorted[middle]!;
    if (value === wanted) return middle;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** The weighted count of a term in a document in quarters; 0 when it is not there. */
export function countIn(segment: Segment, term: string, doc: number): number {
  const t = indexOfSorted(segment.terms, term);
  if (t < 0) return 0;
  let low = segment.starts[t]!;
  let high = segment.starts[t + 1]! - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = segment.docs[middle]!;
    if (value === doc) return segment.counts[middle]!;
    if (value < doc) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
}

/** One segment with the live documents of two; `vectors` go along when both have them. */
export function mergeSegments(a: Segment, b: Segment): Segment {
  const order = mergedOrder(a, b);
  const places = [new Int32Array(a.ids.length).fill(-1), new Int32Array(b.ids.length).fill(-1)] as const;
  order.forEach(({ part, doc }, at) => {
    places[part]![doc] = at;
  });
  const parts = [a, b];
  return finish({
    ids: detach(order.map(({ part, doc }) => parts[part]!.ids[doc]!)),
    lengths: Float32Array.from(order, ({ part, doc }) => parts[part]!.lengths[doc]!),
    ...mergePostings(a, b, places),
    columns: mergeColumns(parts, order),
    deleted: new Uint8Array(order.length),
    vectors: mergeVectors(parts, order),
  });
}

function mergedOrder(a: Segment, b: Segment): { part: 0 | 1; doc: number }[] {
  const order: { part: 0 | 1; doc: number }[] = [];
  let i = 0;
  let j = 0;
  while (i < a.ids.length || j < b.ids.length) {
    const first = j >= b.ids.length || (i < a.ids.length && a.ids[i]! < b.ids[j]!);
    const entry = first ? { part: 0 as const, doc: i++ } : { part: 1 as const, doc: j++ };
    if (!(first ? a : b).deleted[entry.doc]) order.push(entry);
  }
  return order;
}

function mergePostings(a: Segment, b: Segment, places: readonly [Int32Array, Int32Array]) {
  const docs = new Uint32Array(a.docs.length + b.docs.length);
  const counts = new Uint16Array(docs.length);
  const terms: string[] = [];
  const ends: number[] = [];
  let at = 0;
  let i = 0;
  let j = 0;
  while (i < a.terms.length || j < b.terms.length) {
    const left = i < a.terms.length ? a.terms[i]! : undefined;
    const right = j < b.terms.length ? b.terms[j]! : undefined;
    const term = right === undefined || (left !== undefined && left <= right) ? left! : right;
    let p = left === term ? a.starts[i]! : 0;
    const pEnd = left === term ? a.starts[++i]! : 0;
    let q = right === term ? b.starts[j]! : 0;
    const qEnd = right === term ? b.starts[++j]! : 0;
    const from = at;
    for (;;) {
      while (p < pEnd && places[0][a.docs[p]!]! < 0) p++;
      while (q < qEnd && places[1][b.docs[q]!]! < 0) q++;
      const nextA = p < pEnd ? places[0][a.docs[p]!]! : Number.POSITIVE_INFINITY;
      const nextB = q < qEnd ? places[1][b.docs[q]!]! : Number.POSITIVE_INFINITY;
      if (nextA === nextB) break;
      docs[at] = Math.min(nextA, nextB);
      counts[at++] = nextA < nextB ? a.counts[p++]! : b.counts[q++]!;
    }
    if (at === from) continue;
    terms.push(term);
    ends.push(at);
  }
  return {
    terms: detach(terms),
    starts: Uint32Array.from([0, ...ends]),
    docs: docs.slice(0, at),
    counts: counts.slice(0, at),
  };
}

function mergeVectors(parts: readonly Segment[], order: readonly { part: number; doc: number }[]): Float32Array | null {
  const [a, b] = parts.map((part) => part.vectors);
  if (!a || !b || order.length === 0) return null;
  const size = parts[0]!.ids.length > 0 ? a.length / parts[0]!.ids.length : b.length / parts[1]!.ids.length;
  const merged = new Float32Array(order.length * size);
  order.forEach(({ part, doc }, at) => {
    merged.set(parts[part]!.vectors!.subarray(doc * size, (doc + 1) * size), at * size);
  });
  return merged;
}
