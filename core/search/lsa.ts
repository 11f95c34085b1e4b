/**
 * The semantic retriever: latent semantic analysis (Deerwester et al. 1990), trained on the corpus itself, so that it
 * needs no external model. The vector of a document or a query is its tf-idf weights, projected on the strongest
 * directions of term co-occurrence and scaled to unit length; the similarity is the cosine.
 */
import type { Ranked, SegmentView } from './bm25.ts';
import { COUNT_UNIT, indexOfSorted, quartersOf } from './postings.ts';
import type { Segment } from './segment.ts';
import { TopK } from './top-k.ts';
import { scanVectors } from './vector-table.ts';

export interface LsaModel {
  /** Row of each known term in `projection`. */
  readonly rows: ReadonlyMap<string, number>;
  readonly idf: Float32Array;
  /** Matrix of terms × dimensions, row by row. */
  readonly projection: Float32Array;
  readonly dimensions: number;
  /** Number of documents in the index when training began; the share of changes that makes a new model due is relative to it. */
  readonly trainedOn: number;
  /** Hash of the model's numbers. */
  readonly digest: string;
}

/** The tf-idf matrix of the training sample, by term: the entries of term t are at `starts[t]` up to `starts[t + 1]`. */
export interface TrainingMatrix {
  readonly documents: number;
  readonly starts: Uint32Array;
  readonly docs: Uint32Array;
  readonly weights: Float32Array;
}

export interface TrainingSet {
  readonly terms: readonly string[];
  readonly idf: Float32Array;
  readonly matrix: TrainingMatrix;
}

export const SAMPLE_SIZE = 10_000;
const VOCABULARY_SIZE = 30_000;
/** A term in fewer documents, or in a larger share of them, says nothing about a subject. */
const FEWEST_DOCUMENTS = 3;
const LARGEST_SHARE = 0.3;

/**
 * Returns the weight of a term that occurs `count` times in a document; rare terms weigh more. The square of the IDF
 * here and its power of 1.5 in queries were chosen by measurement (bench/search/README.md).
 */
export function termWeight(count: number, idf: number): number {
  return (1 + Math.log(Math.max(count, 1))) * idf ** 2;
}

/**
 * Builds the tf-idf matrix to train on. The sample is chosen and ordered by a hash of the ids, so that the same
 * documents give the same model in any order of arrival. The segments must not change during the call, which pauses by
 * calling `breathe`.
 */
export async function trainingSet(segments: readonly Segment[], breathe: () => Promise<void>): Promise<TrainingSet> {
  const { places, size } = sample(segments);
  const frequencies = new Map<string, number>();
  for (const [s, segment] of segments.entries()) {
    const place = places[s]!;
    for (const [t, term] of segment.terms.entries()) {
      let sampled = 0;
      for (let i = segment.starts[t]!; i < segment.starts[t + 1]!; i++) if (place[segment.docs[i]!]! >= 0) sampled++;
      if (sampled > 0) frequencies.set(term, (frequencies.get(term) ?? 0) + sampled);
      if (t % 1000 === 0) await breathe();
    }
  }
  const terms = vocabulary(frequencies, size);
  await breathe();
  const idf = Float32Array.from(terms, (term) => Math.log(size / frequencies.get(term)!));
  const starts = new Uint32Array(terms.length + 1);
  const docs = new Uint32Array(terms.reduce((sum, term) => sum + frequencies.get(term)!, 0));
  const weights = new Float32Array(docs.length);
  for (const [t, term] of terms.entries()) {
    const row = sampledPostings(segments, places, term);
    row.forEach(({ doc, count }, i) => {
      docs[starts[t]! + i] = doc;
      weights[starts[t]! + i] = termWeight(count, idf[t]!);
    });
    starts[t + 1] = starts[t]! + row.length;
    if (t % 100 === 0) await breathe();
  }
  normaliseDocuments(docs, weights, size);
  return { terms, idf, matrix: { documents: size, starts, docs, weights } };
}

/** Returns a term's postings in order of rows: the result of a floating-point sum depends on its order. */
function sampledPostings(segments: readonly Segment[], places: readonly Int32Array[], term: string) {
  const found: { doc: number; count: number }[] = [];
  segments.forEach((segment, s) => {
    const t = indexOfSorted(segment.terms, term);
    if (t < 0) return;
    for (let i = segment.starts[t]!; i < segment.starts[t + 1]!; i++) {
      const doc = places[s]![segment.docs[i]!]!;
      if (doc >= 0) found.push({ doc, count: quartersOf(segment.counts[i]!) / COUNT_UNIT });
    }
  });
  return found.sort((a, b) => a.doc - b.doc);
}

/** Scales the weights of every document to unit length, in place. */
function normaliseDocuments(docs: Uint32Array, weights: Float32Array, size: number): void {
  const squares = new Float64Array(size);
  for (let i = 0; i < docs.length; i++) squares[docs[i]!]! += weights[i]! ** 2;
  for (let i = 0; i < docs.length; i++) weights[i]! /= Math.sqrt(squares[docs[i]!]!);
}

/** Returns, per segment, the row of each sampled document in the matrix, -1 for other documents; and the sample size. */
function sample(segments: readonly Segment[]): { places: Int32Array[]; size: number } {
  const live: { s: number; doc: number; id: string; hash: number }[] = [];
  segments.forEach((segment, s) => {
    segment.ids.forEach((id, doc) => {
      if (!segment.deleted[doc]) live.push({ s, doc, id, hash: hashOf(id) });
    });
  });
  live.sort((a, b) => a.hash - b.hash || (a.id < b.id ? -1 : 1));
  const places = segments.map((segment) => new Int32Array(segment.ids.length).fill(-1));
  const size = Math.min(SAMPLE_SIZE, live.length);
  for (let at = 0; at < size; at++) places[live[at]!.s]![live[at]!.doc] = at;
  return { places, size };
}

/** Returns the FNV-1a hash of the text's UTF-16 code units with a final mixing step, as an unsigned 32-bit number. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function vocabulary(frequencies: ReadonlyMap<string, number>, documents: number): string[] {
  const most = documents * LARGEST_SHARE;
  const fitting = [...frequencies].filter(([, frequency]) => frequency >= FEWEST_DOCUMENTS && frequency <= most);
  fitting.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return fitting
    .slice(0, VOCABULARY_SIZE)
    .map(([term]) => term)
    .sort();
}

/** Calls `offer` with the unit vector of each document, valid until the next call; pauses every 200 documents. */
export async function projectDocuments(
  model: LsaModel,
  segment: Segment,
  { breathe, offer }: { breathe: () => Promise<void>; offer: (vector: Float32Array, doc: number) => void },
): Promise<void> {
  const { dimensions, projection, idf } = model;
  const { starts, terms, counts } = segment.forward;
  const rows = Int32Array.from(segment.terms, (term) => model.rows.get(term) ?? -1);
  const vector = new Float32Array(dimensions);
  for (let doc = 0; doc < segment.ids.length; doc++) {
    vector.fill(0);
    for (let i = starts[doc]!; i < starts[doc + 1]!; i++) {
      const row = rows[terms[i]!]!;
      if (row < 0) continue;
      const weight = termWeight(quartersOf(counts[i]!) / COUNT_UNIT, idf[row]!);
      addScaled(vector, { from: projection, at: row * dimensions, weight });
    }
    normalise(vector, 0, dimensions);
    offer(vector, doc);
    if (doc % 200 === 0) await breathe();
  }
}

/** Returns the unit vectors of all documents of a segment, concatenated. */
export async function projectSegment(
  model: LsaModel,
  segment: Segment,
  breathe: () => Promise<void>,
): Promise<Float32Array> {
  const vectors = new Float32Array(segment.ids.length * model.dimensions);
  await projectDocuments(model, segment, {
    breathe,
    offer: (vector, doc) => vectors.set(vector, doc * model.dimensions),
  });
  return vectors;
}

/** Returns the unit vector of a query, or null when the model knows none of its terms. */
export function projectQuery(model: LsaModel, terms: readonly string[]): Float32Array | null {
  const vector = new Float32Array(model.dimensions);
  for (const term of terms) {
    const row = model.rows.get(term);
    if (row === undefined) continue;
    addScaled(vector, { from: model.projection, at: row * model.dimensions, weight: model.idf[row]! ** 1.5 });
  }
  return normalise(vector, 0, model.dimensions) ? vector : null;
}

function addScaled(
  to: Float32Array,
  { from, at, weight }: { readonly from: Float32Array; readonly at: number; readonly weight: number },
): void {
  for (let i = 0; i < to.length; i++) to[i]! += weight * from[at + i]!;
}

export function normalise(vectors: Float32Array, at: number, dimensions: number): boolean {
  let square = 0;
  for (let i = at; i < at + dimensions; i++) square += vectors[i]! ** 2;
  if (square < 1e-12) {
    vectors.fill(0, at, at + dimensions);
    return false;
  }
  const scale = 1 / Math.sqrt(square);
  for (let i = at; i < at + dimensions; i++) vectors[i]! *= scale;
  return true;
}

/** Returns the `depth` allowed documents nearest to the query with a cosine of `floor` (above 0) or more; scans all. */
export function searchSemantic(
  views: readonly SegmentView[],
  query: Float32Array,
  options: { depth: number; floor: number; comesFirst: (a: number, b: number) => boolean },
): readonly Ranked[] {
  const top = new TopK(options.depth, options.comesFirst);
  for (const { segment, base, allowed } of views) {
    if (!segment.vectors) continue;
    const cosines = new Float32Array(allowed.length);
    scanVectors(segment.vectors, query, cosines);
    for (let doc = 0; doc < allowed.length; doc++) {
      if (allowed[doc] === 0) continue;
      const cosine = cosines[doc]!;
      if (cosine >= options.floor && cosine >= top.threshold) top.add(base + doc, cosine);
    }
  }
  return top.sorted();
}
