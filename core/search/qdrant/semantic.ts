/**
 * The semantic retriever of this backend, and its only module that knows how vectors are computed: by latent semantic
 * analysis trained on the corpus and, if one is configured, also by a sentence model, as in the in-process index.
 * A vector holds LSA.dimensions numbers of the first, padded with zeros, followed by those of the second.
 */
import { deserialize, serialize } from 'node:v8';
import type { Embedder } from '../../models/port.ts';
import { toUnit } from '../../models/unit-vector.ts';
import { type LsaModel, projectQuery, projectSegment, trainingSet } from '../lsa.ts';
import { trainModel } from '../lsa-training.ts';
import type { SearchQuery } from '../port.ts';
import { buildSegment, COUNT_UNIT, type Segment } from '../segment.ts';
import { embedQuery } from '../sentence-vectors.ts';
import { LSA } from '../settings.ts';
import { beside, placeQuery } from '../space.ts';
import type { TermCounts } from './sparse.ts';

/** The input for the vector of one document. */
export interface Embeddable extends TermCounts {
  readonly id: string;
  /** Vector by the sentence model; null without a model, and for a document without text. */
  readonly embedded: Float32Array | null;
}

/** The vector of a query, and whether the sentence model contributed to it. */
export interface PlacedQuery {
  readonly vector: Float32Array | null;
  readonly embedded: boolean;
}

/** The operations that searches need from the trained model; without a model there is no semantic retriever. */
export interface Semantic {
  readonly model: LsaModel;
  /** Dimensions of the whole vector. */
  readonly dimensions: number;
  placeQuery(query: Pick<SearchQuery, 'text' | 'permission'>, terms: readonly string[]): Promise<PlacedQuery>;
  /** Returns the IDF of a term in the model, undefined for an unknown term. */
  idfOf(term: string): number | undefined;
  /** Returns synchronously the vector of a sentence's terms, by the LSA model alone. */
  embedTerms(terms: readonly string[]): Float32Array | null;
}

/** Returns the dimensions of a vector with a sentence model of `width` dimensions (0 without one). */
export const dimensionsWith = (width: number): number => LSA.dimensions + width;

/** Builds the retriever of a trained model; when the sentence model fails, queries use the LSA part alone. */
export function semanticOf(model: LsaModel, embedder: Embedder | null): Semantic {
  const width = embedder?.dimensions ?? 0;
  return {
    model,
    dimensions: dimensionsWith(width),
    placeQuery: async (query, terms) => {
      const embedded = embedder && (await embedQuery(embedder, query));
      const vector = placeQuery(model, terms, { width, embedded });
      return { vector: vector && laidOut(vector, model.dimensions, width), embedded: embedded !== null };
    },
    idfOf: (term) => {
      const row = model.rows.get(term);
      return row === undefined ? undefined : model.idf[row]!;
    },
    embedTerms: (terms) => (terms.length > 0 ? projectQuery(model, terms) : null),
  };
}

/** Returns one vector per document, null where it would be all zeros. Without an LSA model, only the sentence model is used. */
export async function placeDocuments(
  documents: readonly Embeddable[],
  { model, width }: { model: LsaModel | null; width: number },
): Promise<(Float32Array | null)[]> {
  const own = model?.dimensions ?? 0;
  const learned = model ? await learnedOf(model, documents) : documents.map(() => new Float32Array(0));
  const none = new Float32Array(width);
  return documents.map(({ embedded }, at) => {
    const vector = width === 0 ? learned[at]! : beside(learned[at]!, embedded ?? none);
    return vector.some((value) => value !== 0) ? laidOut(vector, own, width) : null;
  });
}

/** Returns the sentence model's part of a stored vector, which need not be recomputed for a new LSA model. */
export function embeddedIn(vector: readonly number[] | null, width: number): Float32Array | null {
  return vector && width > 0 ? toUnit(Float32Array.from(vector.slice(-width))) : null;
}

/** Pads the LSA part with zeros to LSA.dimensions, so that every model fits the collection and cosines do not change. */
function laidOut(vector: Float32Array, own: number, width: number): Float32Array {
  const whole = new Float32Array(dimensionsWith(width));
  whole.set(vector.subarray(0, own));
  whole.set(vector.subarray(own), LSA.dimensions);
  return whole;
}

async function learnedOf(model: LsaModel, documents: readonly Embeddable[]): Promise<Float32Array[]> {
  const { segment, order } = segmentOf(documents);
  const vectors = await projectSegment(model, segment, breathe);
  const { dimensions } = model;
  return order.map((at) => vectors.subarray(at * dimensions, (at + 1) * dimensions));
}

/** Trains a model on these documents, a sample of `trainedOn`. Rejects when they share too few terms. */
export async function trainLsa(
  documents: readonly Embeddable[],
  trainedOn: number,
  signal: AbortSignal,
): Promise<LsaModel> {
  const set = await trainingSet([segmentOf(documents).segment], breathe);
  return await trainModel(set, { dimensions: LSA.dimensions, power: LSA.power, trainedOn }, signal);
}

export const packModel = (model: LsaModel): Buffer => serialize(model);

/** Returns null for bytes that this version cannot read: there is then no semantic retriever until a new model is trained. */
export function unpackModel(bytes: Buffer): LsaModel | null {
  try {
    const model = deserialize(bytes) as LsaModel;
    return model.rows.size * model.dimensions === model.projection.length ? model : null;
  } catch {
    return null;
  }
}

/** Builds a segment of the documents; `order` has the position of each of them in it. */
function segmentOf(documents: readonly Embeddable[]): { segment: Segment; order: number[] } {
  const sorted = [...documents].sort((a, b) => (a.id < b.id ? -1 : 1));
  const places = new Map(sorted.map((document, at) => [document, at]));
  const segment = buildSegment(
    sorted.map(({ id }) => ({ id, text: {}, filters: {} })),
    sorted.map(({ terms, counts, length }) => ({
      counts: new Map(terms.map((term, i) => [term, counts[i]! / COUNT_UNIT])),
      length: length / COUNT_UNIT,
      lead: new Set<string>(),
      words: new Map<string, number>(),
    })),
  );
  return { segment, order: documents.map((document) => places.get(document)!) };
}

const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
