/** Embeddings of an OpenAI-compatible endpoint: hosted ones, Ollama, vLLM, llama.cpp, text-embeddings-inference. */
import { type Endpoint, post, readJson } from './endpoint.ts';
import type { Guard } from './guard.ts';
import { EndpointRefusal, ModelError } from './model-error.ts';
import { promptsOf } from './passage-prompts.ts';
import { Permission } from './permission.ts';
import type { Embedder } from './port.ts';
import { toUnit } from './unit-vector.ts';

/** The most that text-embeddings-inference takes in one request by default. */
const BATCH = 32;
/** More than any model has; a reply beyond it is not one of vectors. */
const MOST_DIMENSIONS = 16_384;
/** Below this a refusal is not about the length. */
const SHORTEST_CUT = 400;

interface EmbeddingReply {
  readonly data?: readonly { readonly index?: unknown; readonly embedding?: unknown }[];
}

/** In the order of the texts, whatever the order of the reply. */
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

/** Texts that are too long for the model are cut by halves until it takes them; the length that it took is kept. */
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
        // What it refused at every length, it did not refuse for its length: nothing is learned from that.
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
  /** Null: asked of the endpoint with one short text. */
  readonly dimensions: number | null;
  /** Called when the endpoint has other dimensions than are known. */
  readonly onChange: () => void;
}

/** @throws ModelError when the dimensions are not known and the endpoint does not answer. */
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
  /** Within the guard, so that a model that became another counts as failing. */
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
        // An endpoint refuses an empty text; a space is as empty, and is taken.
        const batch = texts.slice(from, from + BATCH).map((text) => `${prompts[kind]}${text}` || ' ');
        vectors.push(...(await guard.run((inner) => askSame(batch, inner), signal)));
      }
      return vectors;
    },
  };
};
