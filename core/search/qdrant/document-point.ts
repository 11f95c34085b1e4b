/** One document as a point: what is stored of it, and how to get back from it what a search needs. */
import { createHash } from 'node:crypto';
import type { Schemas } from '@qdrant/js-client-rest';
import type { SearchDocument } from '../port.ts';
import { codeCount, quartersOf } from '../postings.ts';
import { COUNT_UNIT, countTerms, type FieldWeights } from '../segment.ts';
import { type FilterPayload, filterPayload } from './filter.ts';
import { documentVector, gramVector, type TermCounts, titleVector, type WordCounts } from './sparse.ts';

/** Name of the sparse vector of BM25 weights. */
export const TEXT = 'text';
/** Name of the sparse vector of the terms that stand in the title. */
export const TITLE = 'title';
/** Name of the sparse vector of character n-grams. */
export const NGRAM = 'ngram';
/** Name of the dense vector of the semantic leg; points that it knows nothing of have none. */
export const SEMANTIC = 'semantic';

const NOTHING = { indices: [], values: [] };
/** The sparse vectors of a document without text. */
export const EMPTY_VECTORS = { [TEXT]: NOTHING, [TITLE]: NOTHING, [NGRAM]: NOTHING };

/** The payload of a point. `length` and counts in quarters; `terms` and `counts`, `words` and `word_counts` go in parallel. */
export interface DocumentPayload extends TermCounts, WordCounts, FilterPayload {
  readonly id: string;
  /** So many of the terms, the first ones, stand in the title. */
  readonly lead: number;
}

/** Points have numbers or UUIDs; this is one made of the document's id (version 8, from its SHA-256). */
export function pointId(id: string): string {
  const hex = createHash('sha256').update(id).digest('hex');
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** What is kept of a document; its text is not. */
export function payloadOf(document: SearchDocument, fields: FieldWeights): DocumentPayload {
  const { counts, length, lead, words } = countTerms(document, fields);
  const leading = [...counts].filter(([term]) => lead.has(term));
  const terms = [...leading, ...[...counts].filter(([term]) => !lead.has(term))];
  return {
    id: document.id,
    terms: terms.map(([term]) => term.toWellFormed()),
    counts: terms.map(([, count]) => quarters(count)),
    lead: leading.length,
    length: Math.round(length * COUNT_UNIT),
    words: [...words.keys()].map((word) => word.toWellFormed()),
    word_counts: [...words.values()].map(quarters),
    ...filterPayload(document.filters),
  };
}

const quarters = (count: number): number => quartersOf(codeCount(count, false));

/** The whole point; `meanLength` in quarters. */
export function pointOf(
  payload: DocumentPayload,
  meanLength: number,
  semantic: Float32Array | readonly number[] | null,
): Schemas['PointStruct'] {
  const vector = {
    [TEXT]: documentVector(payload, meanLength),
    [TITLE]: titleVector(payload.terms.slice(0, payload.lead)),
    [NGRAM]: gramVector(payload, meanLength),
    ...(semantic && { [SEMANTIC]: [...semantic] }),
  };
  return { id: pointId(payload.id), vector, payload: { ...payload } };
}
