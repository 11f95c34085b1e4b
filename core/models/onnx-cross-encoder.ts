/** A reranker with a local ONNX model, which reads the query and a passage together. */
import type { Guard } from './guard.ts';
import { ModelError } from './model-error.ts';
import type { OnnxRunner } from './onnx-runner.ts';
import type { CrossEncoder } from './port.ts';

const BATCH = 16;

export const onnxCrossEncoder = (name: string, runner: OnnxRunner, guard: Guard): CrossEncoder => {
  const scoreBatch = async (query: string, texts: readonly string[], signal: AbortSignal): Promise<Float32Array> => {
    const { numbers } = await runner.run({ texts, query }, signal);
    if (numbers.length !== texts.length || numbers.some((score) => !Number.isFinite(score)))
      throw new ModelError('bad_reply', 'The reranker made a score that is none');
    return numbers;
  };
  return {
    name,
    // The model runs locally and no data leaves the program, so no permission is needed.
    score: async (query, passages, { signal }) => {
      const scores: number[] = [];
      for (let from = 0; from < passages.length; from += BATCH) {
        const texts = passages.slice(from, from + BATCH);
        scores.push(...(await guard.run((inner) => scoreBatch(query, texts, inner), signal)));
      }
      return scores;
    },
  };
};
