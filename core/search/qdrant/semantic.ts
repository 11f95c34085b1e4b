/**
 * The semantic leg as this backend sees it, and the only file here that knows how vectors are made: by latent semantic
 * analysis trained on the corpus and, where one is configured, by a sentence model beside it, as in the in-process index.
 * A vector holds LSA.dimensions of the first, filled up with zeros, then those of the second.
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

/** What a vector is made of. */
export interface Embeddable extends TermCounts {
  readonly id: string;
  /** By the sentence model; null without one, and for a document without text. */
  readonly embedded: Float32Array | null;
}

/** A query's place, and whether the sentence model took part. */
export interface PlacedQuery {
  readonly vector: Float32Array | null;
  readonly embedded: boolean;
}

/** What searches need of the trained model; there is no semantic leg before there is one. */
export interface Semantic {
  readonly model: LsaModel;
  /** Of the whole vector. */
  readonly dimensions: number;
  placeQuery(query: Pick<SearchQuery, 'text' | 'permission'>, terms: readonly string[]): Promise<PlacedQuery>;
  /** IDF of a term in the model, undefined for one that it does not know. */
  idfOf(term: string): number | undefined;
  /** For sentences, at once, by the corpus's part alone. */
  embedTerms(terms: readonly string[]): Float32Array | null;
}

/** Numbers in a vector, with a sentence model of so many dimensions (0 without one). */
export const dimensionsWith = (width: number): number => LSA.dimensions + width;

/** The leg of a trained model; when the sentence model does not answer, the corpus's part speaks alone. */
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

/** One vector per document, null where nothing is known of it. Without a model the sentence model's part stands alone. */
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

/** The sentence model's part of a stored vector, which need not be computed again for another model beside it. */
export function embeddedIn(vector: readonly number[] | null, width: number): Float32Array | null {
  return vector && width > 0 ? toUnit(Float32Array.from(vector.slice(-width))) : null;
}

/** Room for the largest model, so that cosines stay as they are and every model fits the collection. */
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

/** A model of these documents, which are a sample of `trainedOn`. Rejects when they share too few terms. */
export async function trainLsa(
  documents: readonly Embeddable[],
  trainedOn: number,
  signal: AbortSignal,
): Promise<LsaModel> {
  const set = await trainingSet([segmentOf(documents).segment], breathe);
  return await trainModel(set, { dimensions: LSA.dimensions, power: LSA.power, trainedOn }, signal);
}

export const packModel = (model: LsaModel): Buffer => serialize(model);

/** Null for bytes that this version cannot read: the semantic leg then rests until a model is trained anew. */
export function unpackModel(bytes: Buffer): LsaModel | null {
  try {
    const model = deserialize(bytes) as LsaModel;
    return model.rows.size * model.dimensions === model.projection.length ? model : null;
  } catch {
    return null;
  }
}

/** The documents as a segment, and where in it each of them is. */
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
