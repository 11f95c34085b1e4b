/** A logistic regression that separates supplements that were given or taken from those that are only named. */
import { readFileSync } from 'node:fs';
import type { GivenFeatures } from './given-features.ts';

interface GivenModel {
  /** Version of the training data and the weights. */
  readonly version: string;
  readonly bias: number;
  readonly weights: Readonly<Record<string, number>>;
  /** Lowest probability at which a supplement counts. */
  readonly threshold: number;
}

let model: GivenModel | null = null;

/** Returns the model; reads its weights from the file on the first call. */
export const givenModel = (): GivenModel => {
  model ??= JSON.parse(readFileSync(new URL('given-weights.json', import.meta.url), 'utf8')) as GivenModel;
  return model;
};

/** Returns the probability, 0 to 1, that the supplement was given or taken. */
export const probabilityOfGiven = (features: GivenFeatures): number => {
  const { bias, weights } = givenModel();
  let sum = bias;
  for (const [name, value] of features) sum += value * (weights[name] ?? 0);
  return 1 / (1 + Math.exp(-sum));
};
