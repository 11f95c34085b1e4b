/** Computes sentence embeddings with a local ONNX model. */
import type { Guard } from './guard.ts';
import { ModelError } from './model-error.ts';
import type { OnnxRunner } from './onnx-runner.ts';
import type { Prompts } from './passage-prompts.ts';
import type { Embedder } from './port.ts';
import { toUnit } from './unit-vector.ts';

/** Small, so that a search does not wait long for a batch of the index. */
const BATCH = 16;

export interface OnnxEmbedderParts {
  readonly name: string;
  readonly runner: OnnxRunner;
  readonly guard: Guard;
  readonly prompts: Prompts;
  /** Null: determined with one short text, which loads the model. */
  readonly dimensions: number | null;
  /** Called when the model has other dimensions than expected. */
  readonly onChange: () => void;
}

/**
 * Opens the embedder.
 * @throws ModelError when the dimensions are unknown and the model cannot be loaded.
 */
export const onnxEmbedder = async ({ dimensions: known, ...parts }: OnnxEmbedderParts): Promise<Embedder> => {
  const { name, runner, guard, prompts } = parts;
  const probe = (inner: AbortSignal) => runner.run({ texts: ['dimensions'], query: '' }, inner);
  const dimensions = known ?? (await guard.run(probe)).perText;

  /** Checks the vectors within the guard, so that invalid ones count as a failure of the model. */
  const embedBatch = async (texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> => {
    const { numbers, perText } = await runner.run({ texts, query: '' }, signal);
    const vectors = texts.map((_, at) => toUnit(numbers.slice(at * perText, (at + 1) * perText)));
    if (perText !== dimensions) {
      parts.onChange();
      const change = `has ${perText} dimensions now, not ${dimensions}`;
      throw new ModelError('bad_reply', `The embedding model ${change}; start the program anew`);
    }
    if (vectors.includes(null)) throw new ModelError('bad_reply', 'The embedding model made a vector that is none');
    return vectors as Float32Array[];
  };

  return {
    name,
    dimensions,
    // The model runs locally and no data leaves the program, so no permission is needed.
    embed: async (texts, kind, { signal }) => {
      const vectors = new Array<Float32Array>(texts.length);
      // Texts of similar length are batched together, because all texts of a batch are padded to the longest.
      const order = texts.map((_, at) => at).sort((a, b) => (texts[a]?.length ?? 0) - (texts[b]?.length ?? 0));
      for (let from = 0; from < order.length; from += BATCH) {
        const places = order.slice(from, from + BATCH);
        const prompted = places.map((at) => `${prompts[kind]}${texts[at]}`);
        const batch = await guard.run((inner) => embedBatch(prompted, inner), signal);
        for (const [at, place] of places.entries()) vectors[place] = batch[at] as Float32Array;
      }
      return vectors;
    },
  };
};
