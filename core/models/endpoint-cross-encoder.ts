/**
 * Reranks passages with an endpoint's `/rerank`. It supports two request formats: `{model, query, documents}` (vLLM, the
 * llama.cpp server, Jina, Cohere and compatible ones), then `{query, texts, truncate}` (text-embeddings-inference); and three
 * response formats: `{results: [{index, relevance_score}]}`, the same under `data`, and a bare `[{index, score}]`.
 */
import { type Endpoint, post, readJson } from './endpoint.ts';
import type { Guard } from './guard.ts';
import { EndpointRefusal, ModelError } from './model-error.ts';
import { Permission } from './permission.ts';
import type { CrossEncoder } from './port.ts';

/** Maximum number of passages per request; it is the default limit of text-embeddings-inference. */
const BATCH = 32;

type Shape = 'documents' | 'texts';

interface Ranked {
  readonly index?: unknown;
  readonly relevance_score?: unknown;
  readonly score?: unknown;
}

const bodyOf = (shape: Shape, model: string, { query, passages }: Batch): object =>
  shape === 'documents'
    ? { ...(model && { model }), query, documents: passages }
    : { query, texts: passages, truncate: true, raw_scores: true };

const readScores = (reply: unknown, count: number, name: string): number[] => {
  const bad = () => new ModelError('bad_reply', `The reply of the ${name} has not one score for each passage`);
  const { results, data } = (reply ?? {}) as { results?: unknown; data?: unknown };
  const ranked = [reply, results, data].find(Array.isArray) as readonly Ranked[] | undefined;
  const scores = new Array<number>(count).fill(Number.NaN);
  for (const { index, relevance_score, score } of ranked ?? []) {
    const value = relevance_score ?? score;
    if (typeof index !== 'number' || !(index in scores) || typeof value !== 'number') throw bad();
    scores[index] = value;
  }
  if (scores.some((score) => !Number.isFinite(score))) throw bad();
  return scores;
};

interface Batch {
  readonly query: string;
  readonly passages: readonly string[];
}

export const endpointCrossEncoder = (endpoint: Endpoint, guard: Guard): CrossEncoder => {
  const path = endpoint.baseUrl.endsWith('/rerank') ? '' : '/rerank';
  let known: Shape | null = null;
  const ask = async (shape: Shape, batch: Batch, signal: AbortSignal): Promise<number[]> => {
    const reply = await post(endpoint, { path, body: bodyOf(shape, endpoint.model, batch), signal });
    const scores = readScores(await readJson(reply, endpoint.name), batch.passages.length, endpoint.name);
    known = shape;
    return scores;
  };
  const scoreBatch = async (batch: Batch, signal: AbortSignal): Promise<number[]> => {
    try {
      return await ask(known ?? 'documents', batch, signal);
    } catch (error) {
      const otherShape = error instanceof EndpointRefusal && [400, 422].includes(error.status ?? 0);
      if (known || !otherShape) throw error;
      // When both formats are refused, the first refusal is more informative.
      return ask('texts', batch, signal).catch((second: unknown) => {
        throw second instanceof EndpointRefusal ? error : second;
      });
    }
  };
  return {
    name: endpoint.model || new URL(endpoint.baseUrl).host,
    score: async (query, passages, { permission, signal }) => {
      Permission.check(permission, endpoint.name);
      const scores: number[] = [];
      for (let from = 0; from < passages.length; from += BATCH) {
        const batch = { query, passages: passages.slice(from, from + BATCH) };
        scores.push(...(await guard.run((inner) => scoreBatch(batch, inner), signal)));
      }
      return scores;
    },
  };
};
