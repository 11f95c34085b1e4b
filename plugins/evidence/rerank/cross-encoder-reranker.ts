/** Uses a configured cross-encoder as reranker, with the local one as fallback when it fails or takes too long. */
import { ModelError } from '#core/models/model-error.ts';
import type { CrossEncoder } from '#core/models/port.ts';
import type { Reranker } from './reranker.ts';

/** Timeout of the model in milliseconds; readers wait for a search, so a slower model does not help them. */
export const PATIENCE_MS = 2_000;
/** Input limit of cross-encoders in characters: 512 tokens are about this many characters of English. */
const LONGEST_PASSAGE = 2_000;

export const crossEncoderReranker = (model: CrossEncoder, local: Reranker, patienceMs = PATIENCE_MS): Reranker => ({
  name: model.name,
  rerank: async (query, candidates, { permission = null, signal } = {}) => {
    const passages = candidates.map(({ title, text }) => `${title} ${text}`.trim().slice(0, LONGEST_PASSAGE));
    try {
      const scores = await inTime(patienceMs, signal, (within) =>
        model.score(query, passages, { permission, signal: within }),
      );
      if (scores.length !== candidates.length || !scores.every(Number.isFinite))
        throw new Error('it did not answer with one number for each passage');
      return { scores, name: model.name, fallback: null };
    } catch (error) {
      // The caller has disconnected, so no result is needed.
      signal?.throwIfAborted();
      // This is not a failure: the person has not consented to sending the words of the search to the model.
      if (error instanceof ModelError && error.code === 'no_consent') return local.rerank(query, candidates);
      const reason = error instanceof Error ? error.message : String(error);
      return { ...(await local.rerank(query, candidates)), fallback: reason };
    }
  },
});

/** Rejects after the given time even if the work ignores its signal. */
const inTime = async <T>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (within: AbortSignal) => Promise<T>,
): Promise<T> => {
  const within = AbortSignal.any([AbortSignal.timeout(milliseconds), ...(signal ? [signal] : [])]);
  within.throwIfAborted();
  const over = Promise.withResolvers<never>();
  const stop = (): void => over.reject(within.reason);
  within.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work(within), over.promise]);
  } finally {
    within.removeEventListener('abort', stop);
  }
};
