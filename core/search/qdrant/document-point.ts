/** One document as a point: what is stored of it, and how to get back from it what a search needs. */
import { createHash } from 'node:crypto';
import type { Schemas } from '@qdrant/js-client-rest';
import type { SearchDocument } from '../port.ts';
import { COUNT_UNIT, countTerms, type FieldWeights } from '../segment.ts';
import { type FilterPayload, filterPayload } from './filter.ts';
import { documentVector, type TermCounts } from './sparse.ts';

/** Name of the sparse vector of BM25 weights. */
export const TEXT = 'text';
/** Name of the dense vector of the semantic leg; points that it knows nothing of have none. */
export const SEMANTIC = 'semantic';
const COUNT_LIMIT = 65_535;

/** The payload of a point. `length` and `counts` in quarters; `terms` and `counts` go in parallel. */
export interface DocumentPayload extends TermCounts, FilterPayload {
  readonly id: string;
}

/** Points have numbers or UUIDs; this is one made of the document's id (version 8, from its SHA-256). */
export function pointId(id: string): string {
  const hex = createHash('sha256').update(id).digest('hex');
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** What is kept of a document; its text is not. */
export function payloadOf(document: SearchDocument, fields: FieldWeights): DocumentPayload {
  const { counts, length } = countTerms(document, fields);
  return {
    id: document.id,
    terms: [...counts.keys()].map((term) => term.toWellFormed()),
    counts: [...counts.values()].map((count) => Math.min(COUNT_LIMIT, Math.max(1, Math.round(count * COUNT_UNIT)))),
    length: Math.round(length * COUNT_UNIT),
    ...filterPayload(document.filters),
  };
}

/** The whole point; `meanLength` in quarters. */
export function pointOf(
  payload: DocumentPayload,
  meanLength: number,
  semantic: Float32Array | readonly number[] | null,
): Schemas['PointStruct'] {
  return {
    id: pointId(payload.id),
    vector: { [TEXT]: documentVector(payload, meanLength), ...(semantic && { [SEMANTIC]: [...semantic] }) },
    payload: { ...payload },
  };
}
