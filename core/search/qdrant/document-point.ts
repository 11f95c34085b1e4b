/** Converts a document into a point: its id, its payload and its vectors. */
import { createHash } from 'node:crypto';
import type { Schemas } from '@qdrant/js-client-rest';
import type { SearchDocument } from '../port.ts';
import { codeCount, quartersOf } from '../postings.ts';
import { COUNT_UNIT, countTerms, type FieldWeights } from '../segment.ts';
import { type FilterPayload, filterPayload } from './filter.ts';
import { documentVector, gramVector, type TermCounts, titleVector, type WordCounts } from './sparse.ts';

/** Name of the sparse vector of BM25 weights. */
export const TEXT = 'text';
/** Name of the sparse vector of the title's terms. */
export const TITLE = 'title';
/** Name of the sparse vector of character n-grams. */
export const NGRAM = 'ngram';
/** Name of the dense vector of the semantic retriever; points of which it knows no term have none. */
export const SEMANTIC = 'semantic';

const NOTHING = { indices: [], values: [] };
/** The sparse vectors of a document without text. */
export const EMPTY_VECTORS = { [TEXT]: NOTHING, [TITLE]: NOTHING, [NGRAM]: NOTHING };

/** The payload of a point. `length` and counts are in quarters; `counts` is parallel to `terms`, `word_counts` to `words`. */
export interface DocumentPayload extends TermCounts, WordCounts, FilterPayload {
  readonly id: string;
  /** Number of terms, from the first one, that occur in the title. */
  readonly lead: number;
}

/** Returns the point id of a document: Qdrant's ids are numbers or UUIDs; this is a UUID (version 8) from the id's SHA-256. */
export function pointId(id: string): string {
  const hex = createHash('sha256').update(id).digest('hex');
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Builds the payload of a document; its text is not stored. */
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

/** Builds the whole point; `meanLength` is in quarters. */
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
