/** Computes embeddings with an OpenAI-compatible endpoint: hosted ones, Ollama, vLLM, llama.cpp, text-embeddings-inference. */
import { type Endpoint, post, readJson } from './endpoint.ts';
import type { Guard } from './guard.ts';
import { EndpointRefusal, ModelError } from './model-error.ts';
import { promptsOf } from './passage-prompts.ts';
import { Permission } from './permission.ts';
import type { Embedder } from './port.ts';
import { toUnit } from './unit-vector.ts';

/** Maximum number of texts per request; it is the default limit of text-embeddings-inference. */
const BATCH = 32;
/** Upper bound of the dimensions of any model; a reply with more does not contain vectors. */
const MOST_DIMENSIONS = 16_384;
/** Minimum length in characters: if a shorter text is refused, its length is not the reason. */
const SHORTEST_CUT = 400;

interface EmbeddingReply {
  readonly data?: readonly { readonly index?: unknown; readonly embedding?: unknown }[];
}

/** Returns the vectors in the order of the texts, whatever the order of the reply. */
const readVectors = (reply: unknown, count: number, name: string): Float32Array[] => {
  const bad = (what: string) => new ModelError('bad_reply', `The reply of the ${name} ${what}`);
  const { data } = (reply ?? {}) as EmbeddingReply;
  if (!Array.isArray(data) || data.length !== count) throw bad(`has not ${count} vectors`);
  const vectors = new Array<Float32Array>(count);
  for (const [at, { index, embedding }] of (data as NonNullable<EmbeddingReply['data']>).entries()) {
    const place = typeof index === 'number' ? index : at;
    const isList = Array.isArray(embedding) && embedding.length <= MOST_DIMENSIONS;
    const isVector = isList && embedding.every((value) => typeof value === 'number');
    const vector = isVector ? toUnit(Float32Array.from(embedding as number[])) : null;
    if (!vector || !Number.isInteger(place) || place < 0 || place >= count) throw bad('has a vector that is none');
    vectors[place] = vector;
  }
  if (Object.keys(vectors).length !== count) throw bad('names a vector twice');
  return vectors;
};

type Ask = (texts: readonly string[], signal: AbortSignal) => Promise<Float32Array[]>;

/**
 * Returns a function that requests embeddings. Texts that are too long for the model are halved until it accepts them; the
 * accepted length is remembered.
 */
const asker = (endpoint: Endpoint): Ask => {
  let longest = Number.POSITIVE_INFINITY;
  return async (texts, signal) => {
    let length = longest;
    for (;;) {
      const input = texts.map((text) => text.slice(0, length));
      const body = { ...(endpoint.model && { model: endpoint.model }), input, encoding_format: 'float' };
      try {
        const reply = await post(endpoint, { path: '/embeddings', body, signal });
        const vectors = readVectors(await readJson(reply, endpoint.name), texts.length, endpoint.name);
        // The length is remembered only after a success: when every length was refused, the length was not the reason.
        longest = Math.min(longest, length);
        return vectors;
      } catch (error) {
        const cut = Math.floor(Math.max(...input.map((text) => text.length)) / 2);
        const mayBeLength = error instanceof EndpointRefusal && [400, 413, 422].includes(error.status ?? 0);
        if (!mayBeLength || cut < SHORTEST_CUT) throw error;
        length = cut;
      }
    }
  };
};

export interface EmbedderParts {
  readonly endpoint: Endpoint;
  readonly guard: Guard;
  /** Null: determined with a request for one short text. */
  readonly dimensions: number | null;
  /** Called when the vectors of the endpoint have other dimensions than expected. */
  readonly onChange: () => void;
}

/**
 * Opens the embedder.
 * @throws ModelError when the dimensions are unknown and the endpoint does not respond.
 */
export const openaiEmbedder = async ({
  endpoint,
  guard,
  dimensions: known,
  onChange,
}: EmbedderParts): Promise<Embedder> => {
  const ask = asker(endpoint);
  const prompts = promptsOf(endpoint.model);
  const probe = async (): Promise<number> =>
    (await guard.run((signal) => ask(['dimensions'], signal)))[0]?.length as number;
  const dimensions = known ?? (await probe());
  /** Checks the dimensions within the guard, so that a replaced model counts as a failure. */
  const askSame = async (texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> => {
    const vectors = await ask(texts, signal);
    const other = vectors.find((vector) => vector.length !== dimensions);
    if (!other) return vectors;
    onChange();
    const change = `has ${other.length} dimensions now, not ${dimensions}`;
    throw new ModelError('bad_reply', `The ${endpoint.name} ${change}; start the program anew`);
  };
  return {
    name: endpoint.model || new URL(endpoint.baseUrl).host,
    dimensions,
    embed: async (texts, kind, { permission, signal }) => {
      Permission.check(permission, endpoint.name);
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += BATCH) {
        // An endpoint rejects an empty text, but accepts a space, which is equivalent.
        const batch = texts.slice(from, from + BATCH).map((text) => `${prompts[kind]}${text}` || ' ');
        vectors.push(...(await guard.run((inner) => askSame(batch, inner), signal)));
      }
      return vectors;
    },
  };
};
