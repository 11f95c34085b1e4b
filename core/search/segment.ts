/**
 * A segment: the postings of some documents as sorted arrays of numbers. Once built it is immutable, except for the
 * deletion marks and the vectors that the semantic retriever adds. Documents are ordered by id, so that one can be found
 * by binary search and two segments merge in one pass.
 */
import { analyseBoth } from './analyser.ts';
import { buildColumns, type FilterColumn, mergeColumns } from './filter-column.ts';
import { buildGrams, type GramTable, mergeGrams } from './grams.ts';
import type { SearchDocument } from './port.ts';
import {
  buildPostings,
  codeCount,
  detach,
  indexOfSorted,
  mergePostings,
  type PostingTable,
  quartersOf,
} from './postings.ts';
import { copyRow, type VectorTable, vectorTable } from './vector-table.ts';

export { COUNT_UNIT, indexOfSorted } from './postings.ts';

/** Number of leading terms that are treated as the title of a document without one. */
const LEAD_TERMS = 16;

export interface Segment {
  readonly ids: readonly string[];
  /** Sum over fields of field weight × number of terms, per document. */
  readonly lengths: Float32Array;
  /** Sorted; the postings of term t are at `starts[t]` up to `starts[t + 1]`. */
  readonly terms: readonly string[];
  readonly starts: Uint32Array;
  /** Document numbers within the segment, ascending for each term. */
  readonly docs: Uint32Array;
  /** Sum over fields of field weight × occurrences, encoded by `codeCount`; LEAD_BIT is set when the title has the term. */
  readonly counts: Uint16Array;
  /** Postings of the words as written (folded, not stemmed), for the n-gram retriever and for spelling correction. */
  readonly words: PostingTable;
  readonly columns: readonly FilterColumn[];
  /** 1 for a document that was removed or replaced. */
  readonly deleted: Uint8Array;
  live: number;
  liveLength: number;
  /** Unit vectors of the semantic retriever, one row per document; null until its model is trained. */
  vectors: VectorTable | null;
  /** Unit vectors of the operator's sentence model, one row per document; null without such a model. */
  readonly embeddings: VectorTable | null;
  /** Derived from `words`. */
  readonly grams: GramTable;
  /** Derived from the postings: the terms of document d and their encoded counts are at `starts[d]` up to `starts[d + 1]`. */
  readonly forward: { readonly starts: Uint32Array; readonly terms: Uint32Array; readonly counts: Uint16Array };
}

/** The weight of each text field, the title first; text of other fields is not indexed. */
export type FieldWeights = Readonly<Record<string, number>>;

/** Weighted term and word counts of one document. */
export interface DocumentTerms {
  readonly counts: Map<string, number>;
  readonly length: number;
  /** Terms of the title, or the first LEAD_TERMS terms of a document without a title. */
  readonly lead: ReadonlySet<string>;
  readonly words: Map<string, number>;
}

/** Analyses one document. Indexing spends most of its time here; the caller can pause between two documents. */
export function countTerms(document: SearchDocument, weights: FieldWeights): DocumentTerms {
  const counts = new Map<string, number>();
  const words = new Map<string, number>();
  let lead: ReadonlySet<string> = new Set();
  let length = 0;
  for (const [field, weight] of Object.entries(weights)) {
    const text = document.text[field];
    if (!text) continue;
    const both = analyseBoth(text);
    length += weight * both.terms.length;
    if (lead.size === 0) lead = new Set(field === firstOf(weights) ? both.terms : both.terms.slice(0, LEAD_TERMS));
    for (const term of both.terms) counts.set(term, (counts.get(term) ?? 0) + weight);
    for (const word of both.words) words.set(word, (words.get(word) ?? 0) + weight);
  }
  return { counts, length, lead, words };
}

function firstOf(weights: FieldWeights): string {
  return Object.keys(weights)[0] ?? '';
}

/** Builds a segment from documents in ascending order of distinct ids; `analysed` has the same order. */
export function buildSegment(
  documents: readonly SearchDocument[],
  analysed: readonly DocumentTerms[],
  embeddings: VectorTable | null = null,
): Segment {
  const { keys, ...postings } = buildPostings(
    analysed.map(({ counts }) => counts),
    (term, count, doc) => codeCount(count, analysed[doc]!.lead.has(term)),
  );
  return finish({
    ids: detach(documents.map((document) => document.id)),
    lengths: Float32Array.from(analysed, (document) => document.length),
    terms: keys,
    ...postings,
    words: buildPostings(
      analysed.map(({ words }) => words),
      (_, count) => codeCount(count, false),
    ),
    columns: buildColumns(documents),
    deleted: new Uint8Array(documents.length),
    vectors: null,
    embeddings,
  });
}

/** Completes a segment: counts the live documents and their length, and derives `grams` and `forward` from the postings. */
export function finish(
  segment: Omit<Segment, 'live' | 'liveLength' | 'grams' | 'forward'>,
  grams: GramTable = buildGrams(segment.words.keys),
): Segment {
  let live = 0;
  let liveLength = 0;
  segment.deleted.forEach((gone, doc) => {
    if (gone) return;
    live++;
    liveLength += segment.lengths[doc]!;
  });
  return { ...segment, live, liveLength, grams, forward: transpose(segment) };
}

/** Inverts the postings: from documents per term to terms per document. */
function transpose({
  ids,
  starts,
  docs,
  counts: stored,
}: Pick<Segment, 'ids' | 'starts' | 'docs' | 'counts'>): Segment['forward'] {
  const from = new Uint32Array(ids.length + 1);
  for (const doc of docs) from[doc + 1]!++;
  for (let doc = 0; doc < ids.length; doc++) from[doc + 1]! += from[doc]!;
  const next = from.slice(0, -1);
  const terms = new Uint32Array(docs.length);
  const counts = new Uint16Array(docs.length);
  for (let t = 0; t + 1 < starts.length; t++) {
    for (let i = starts[t]!; i < starts[t + 1]!; i++) {
      const at = next[docs[i]!]!++;
      terms[at] = t;
      counts[at] = stored[i]!;
    }
  }
  return { starts: from, terms, counts };
}

/** Marks a document as deleted; returns false when the segment has no live document with that id. */
export function remove(segment: Segment, id: string): boolean {
  const doc = indexOfSorted(segment.ids, id);
  if (doc < 0 || segment.deleted[doc]) return false;
  segment.deleted[doc] = 1;
  segment.live--;
  segment.liveLength -= segment.lengths[doc]!;
  return true;
}

/** Returns the weighted count of a term in a document, in quarters; 0 when the document does not contain it. */
export function countIn(segment: Segment, term: string, doc: number): number {
  const t = indexOfSorted(segment.terms, term);
  if (t < 0) return 0;
  let low = segment.starts[t]!;
  let high = segment.starts[t + 1]! - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = segment.docs[middle]!;
    if (value === doc) return quartersOf(segment.counts[middle]!);
    if (value < doc) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
}

/** Merges the live documents of two segments into one; `vectors` and `embeddings` are merged when both segments have them. */
export function mergeSegments(a: Segment, b: Segment): Segment {
  const order = mergedOrder(a, b);
  const places = [new Int32Array(a.ids.length).fill(-1), new Int32Array(b.ids.length).fill(-1)] as const;
  order.forEach(({ part, doc }, at) => {
    places[part]![doc] = at;
  });
  const parts = [a, b];
  const { keys, ...postings } = mergePostings(termTable(a), termTable(b), places).table;
  const words = mergePostings(a.words, b.words, places);
  const merged = {
    ids: detach(order.map(({ part, doc }) => parts[part]!.ids[doc]!)),
    lengths: Float32Array.from(order, ({ part, doc }) => parts[part]!.lengths[doc]!),
    terms: keys,
    ...postings,
    words: words.table,
    columns: mergeColumns(parts, order),
    deleted: new Uint8Array(order.length),
    vectors: mergeRows(parts, order, (part) => part.vectors),
    embeddings: mergeRows(parts, order, (part) => part.embeddings),
  };
  return finish(merged, mergeGrams(a.grams, b.grams, words.numbers));
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

function termTable({ terms, starts, docs, counts }: Segment): PostingTable {
  return { keys: terms, starts, docs, counts };
}

function mergeRows(
  parts: readonly Segment[],
  order: readonly { part: number; doc: number }[],
  tableOf: (part: Segment) => VectorTable | null,
): VectorTable | null {
  const tables = parts.map((part) => ({ table: tableOf(part), documents: part.ids.length }));
  const filled = tables.find(({ documents }) => documents > 0);
  if (!filled?.table || tables.some(({ table, documents }) => documents > 0 && !table) || order.length === 0)
    return null;
  const merged = vectorTable(order.length, filled.table.dimensions);
  order.forEach(({ part, doc }, row) => {
    copyRow(tables[part]!.table!, doc, { table: merged, row });
  });
  return merged;
}
