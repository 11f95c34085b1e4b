/**
 * Trains the classifier that runs after the refusal phrases, on our own questions and on PubMedQA's, none of which comes from a
 * person in danger.
 */
import { dangerBelief, dangerFeatures } from '#plugins/answers/engine/refusal-model.ts';

export interface Sample {
  readonly text: string;
  readonly danger: boolean;
}

const EPOCHS = 250;
const L2 = 0.002;
/** Weight of a missed danger relative to a needless refusal. */
const MISS_WEIGHT = 3;

/** Trains by full-batch gradient descent; equal samples give equal weights. Features that occur once are left out. */
export const trainDanger = (samples: readonly Sample[]): Map<string, number> => {
  const rows = samples.map(({ text, danger }) => ({ names: [...dangerFeatures(text)], danger }));
  const counts = new Map<string, number>();
  for (const { names } of rows) for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const weights = new Map([...counts].flatMap(([name, count]): [string, number][] => (count > 1 ? [[name, 0]] : [])));
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    const slopes = new Map<string, number>();
    for (const { names, danger } of rows) {
      const sum = names.reduce((total, name) => total + (weights.get(name) ?? 0), 0);
      const miss = (1 / (1 + Math.exp(-sum)) - (danger ? 1 : 0)) * (danger ? MISS_WEIGHT : 1);
      for (const name of names) slopes.set(name, (slopes.get(name) ?? 0) + miss);
    }
    for (const [name, weight] of weights) {
      const shrink = name === 'bias' ? 0 : L2 * weight;
      weights.set(name, weight - 2 * ((slopes.get(name) ?? 0) / rows.length + shrink));
    }
  }
  return weights;
};

/** Returns cross-validated beliefs: each comes from a model that was not trained on the sample. */
export const crossBelieve = (samples: readonly Sample[], folds = 5): number[] => {
  const beliefs = new Array<number>(samples.length).fill(0);
  for (let fold = 0; fold < folds; fold += 1) {
    const weights = trainDanger(samples.filter((_, at) => at % folds !== fold));
    samples.forEach(({ text }, at) => {
      if (at % folds === fold) beliefs[at] = dangerBelief(text, weights);
    });
  }
  return beliefs;
};
