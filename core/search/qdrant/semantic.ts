/**
 * The semantic leg as this backend sees it, and the only file here that knows how vectors are made: by a sentence
 * model where one is configured, else by latent semantic analysis trained on the corpus, as in the in-process index.
 */
import { deserialize, serialize } from 'node:v8';
import type { Embedder } from '../../models/port.ts';
import { type LsaModel, projectQuery, projectSegment, trainingSet } from '../lsa.ts';
import { trainModel } from '../lsa-training.ts';
import { buildSegment, COUNT_UNIT, type Segment } from '../segment.ts';
import { LSA } from '../settings.ts';
import type { TermCounts } from './sparse.ts';

/** What a vector is made of: the text for a sentence model, the counted terms for LSA. */
export interface Embeddable extends TermCounts {
  readonly id: string;
  /** Null when only the stored terms are at hand. */
  readonly text: string | null;
}

export interface Semantic {
  /** Changes with the vectors that it makes. */
  readonly digest: string;
  readonly dimensions: number;
  /** One vector per document, null where the model knows nothing of it. */
  embedDocuments(documents: readonly Embeddable[]): Promise<(Float32Array | null)[]>;
  embedQuery(text: string, terms: readonly string[]): Promise<Float32Array | null>;
  /** IDF of a term in the model, undefined for one that it does not know; null for a model that has none. */
  readonly idfOf: ((term: string) => number | undefined) | null;
  /** For sentences, at once; null when that takes a model that has to be waited for. */
  readonly embedTerms: ((terms: readonly string[]) => Float32Array | null) | null;
}

const LONGEST_TEXT = 8_000;

/** Vectors by a sentence model; its name is part of the collection's settings. */
export function embedderSemantic(embedder: Embedder): Semantic {
  const embed = async (texts: readonly string[], kind: 'query' | 'passage') =>
    texts.length === 0 ? [] : await embedder.embed(texts, kind);
  return {
    digest: embedder.name,
    dimensions: embedder.dimensions,
    embedDocuments: async (documents) => {
      const vectors = await embed(
        documents.map(({ text }) => (text ?? '').slice(0, LONGEST_TEXT)),
        'passage',
      );
      return vectors.map((vector, i) => (documents[i]!.text?.trim() ? vector : null));
    },
    embedQuery: async (text) => (await embed([text], 'query'))[0] ?? null,
    idfOf: null,
    embedTerms: null,
  };
}

/** Vectors by LSA; models of few dimensions are filled up with zeros, which leave every cosine as it is. */
export function lsaSemantic(model: LsaModel): Semantic {
  const embedTerms = (terms: readonly string[]) => {
    const vector = terms.length > 0 ? projectQuery(model, terms) : null;
    return vector && padded(vector);
  };
  return {
    digest: model.digest,
    dimensions: LSA.dimensions,
    embedDocuments: async (documents) => {
      if (documents.length === 0) return [];
      const { segment, order } = segmentOf(documents);
      const vectors = await projectSegment(model, segment, breathe);
      const { dimensions } = model;
      return order.map((at) => {
        const vector = vectors.subarray(at * dimensions, (at + 1) * dimensions);
        return vector.some((value) => value !== 0) ? padded(vector) : null;
      });
    },
    embedQuery: async (_, terms) => embedTerms(terms),
    idfOf: (term) => {
      const row = model.rows.get(term);
      return row === undefined ? undefined : model.idf[row]!;
    },
    embedTerms,
  };
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

function padded(vector: Float32Array): Float32Array {
  if (vector.length === LSA.dimensions) return vector;
  const whole = new Float32Array(LSA.dimensions);
  whole.set(vector);
  return whole;
}

const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
