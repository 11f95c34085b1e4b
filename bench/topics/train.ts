/**
 * Trains plugins/evidence/matching/given-weights.json on labelled records; the test part of labels.tsv is never used.
 * Usage: node bench/topics/train.ts
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Example, editorsLabels, examplesOf, type Label, readLabelled, readLabels } from './examples.ts';

/** Minimum number of examples with a feature; rarer features are left out. */
const FEWEST = 4;
const L2 = 6;
const ROUNDS = 600;
const FOLDS = 8;

interface Weights {
  readonly bias: number;
  readonly weights: ReadonlyMap<string, number>;
}

const probability = ({ bias, weights }: Weights, { features }: Example): number => {
  let sum = bias;
  for (const [name, value] of features) sum += value * (weights.get(name) ?? 0);
  return 1 / (1 + Math.exp(-sum));
};

/** Trains a logistic regression by Nesterov's accelerated gradient with a fixed step. Deterministic. */
const trainWeights = (examples: readonly Example[]): Weights => {
  const counts = new Map<string, number>();
  for (const { features } of examples)
    for (const [name, value] of features) if (value) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts]
    .filter(([, count]) => count >= FEWEST)
    .map(([name]) => name)
    .sort();
  const place = new Map(names.map((name, at) => [name, at]));
  const rows = examples.map(({ features, given }) => {
    const entries = [...features].flatMap(([name, value]) => {
      const at = place.get(name);
      return at === undefined || !value ? [] : [[at, value] as const];
    });
    return { entries, given: given ? 1 : 0 };
  });
  const norm = Math.max(...rows.map(({ entries }) => entries.reduce((sum, [, value]) => sum + value ** 2, 1)));
  const step = 1 / (0.25 * norm * 0.15 * rows.length + L2);
  let current = new Float64Array(names.length + 1);
  let look = current.slice();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const gradient = look.map((weight, at) => (at === names.length ? 0 : L2 * weight));
    for (const { entries, given } of rows) {
      let sum = look[names.length]!;
      for (const [at, value] of entries) sum += look[at]! * value;
      const error = 1 / (1 + Math.exp(-sum)) - given;
      for (const [at, value] of entries) gradient[at]! += error * value;
      gradient[names.length]! += error;
    }
    const next = look.map((weight, at) => weight - step * gradient[at]!);
    const momentum = (round - 1) / (round + 2);
    look = next.map((weight, at) => weight + momentum * (weight - current[at]!));
    current = next;
  }
  return { bias: current[names.length]!, weights: new Map(names.map((name, at) => [name, current[at]!])) };
};

const f1At = (scored: readonly (readonly [number, boolean])[], threshold: number): number => {
  const right = scored.filter(([p, given]) => p >= threshold && given).length;
  const called = scored.filter(([p]) => p >= threshold).length;
  const there = scored.filter(([, given]) => given).length;
  return (2 * right) / (called + there);
};

const folder = import.meta.dirname;
const held = await readLabels(join(folder, 'labels.tsv'));
const labels = new Map<string, Label>(
  [...editorsLabels(), ...(await readLabels(join(folder, '../../content/evidence/screening.tsv'))), ...held].filter(
    ([, { split }]) => split !== 'test',
  ),
);
const examples = examplesOf(await readLabelled(labels), labels);
console.log(
  `${examples.length} examples of ${labels.size} records, ${examples.filter(({ given }) => given).length} given`,
);

const scored: (readonly [number, boolean])[] = [];
for (let fold = 0; fold < FOLDS; fold += 1) {
  const isHeld = ({ pmid }: Example): boolean => Number(pmid) % FOLDS === fold;
  const weights = trainWeights(examples.filter((example) => !isHeld(example)));
  for (const example of examples.filter(isHeld)) scored.push([probability(weights, example), example.given]);
}
const thresholds = Array.from({ length: 61 }, (_, at) => 0.2 + at / 100);
const threshold = thresholds.reduce((best, one) => (f1At(scored, one) > f1At(scored, best) ? one : best));
for (const at of [0.3, 0.4, threshold, 0.5, 0.6, 0.7]) {
  const right = scored.filter(([p, given]) => p >= at && given).length;
  console.log(
    `cross-validated at ${at.toFixed(2)}: precision ${(right / scored.filter(([p]) => p >= at).length).toFixed(3)}, recall ${(right / scored.filter(([, given]) => given).length).toFixed(3)}, F1 ${f1At(scored, at).toFixed(3)}`,
  );
}

const { bias, weights } = trainWeights(examples);
const round = (value: number): number => Math.round(value * 1_000) / 1_000;
const kept = [...weights]
  .map(([name, weight]) => [name, round(weight)] as const)
  .filter(([, weight]) => Math.abs(weight) >= 0.02);
const model = {
  version: 'given-1',
  bias: round(bias),
  threshold: round(threshold),
  weights: Object.fromEntries(kept),
};
const file = join(folder, '../../plugins/evidence/matching/given-weights.json');
writeFileSync(file, `${JSON.stringify(model, null, 0).replaceAll(',"', ',\n"')}\n`);
console.log(`${kept.length} weights written`);
