/**
 * Fits the numbers in plugins/evidence/reading/calibration.ts: `node bench/reader/calibrate.ts`. The effect's temperature is fitted on the
 * dev split, the verdict's on the held-out sources; the verdict's accuracy is also printed with each half fitted on the other half.
 */
import { CALIBRATION } from '../../plugins/evidence/reading/calibration.ts';
import { loadReader } from '../../plugins/evidence/reading/load.ts';
import { DATA } from '../grading/reference.ts';
import {
  isTestSource,
  type LabelledPrompt,
  readAbstracts,
  readArticleAbstracts,
  readJudgedSources,
  readTable,
} from './data.ts';

interface Case {
  /** Logarithms of the uncalibrated probabilities. */
  readonly scores: readonly number[];
  readonly truth: number;
}

const TEMPERATURES = Array.from({ length: 31 }, (_, index) => 0.5 + index * 0.1);

const probabilities = ({ scores }: Case, temperature: number): number[] => {
  const values = scores.map((score) => Math.exp(score / temperature));
  const total = values.reduce((left, right) => left + right, 0);
  return values.map((value) => value / total);
};
const lossOf = (cases: readonly Case[], temperature: number): number =>
  cases.reduce((sum, given) => sum - Math.log(probabilities(given, temperature)[given.truth]!), 0) / cases.length;

/** Returns the temperature with the lowest log loss. */
const fitTemperature = (cases: readonly Case[]): number =>
  TEMPERATURES.toSorted((left, right) => lossOf(cases, left) - lossOf(cases, right))[0]!;

/** Reverts the current calibration, so that the result does not depend on it. */
const rawScores = (values: readonly number[], temperature: number): number[] =>
  values.map((value) => Math.log(Math.max(value, 1e-12)) * temperature);

const reader = await loadReader();
const prompts = readTable<LabelledPrompt>(new URL('evidence-inference/dev.tsv', DATA));
const effects = prompts.map((row): Case => {
  const { increased, decreased, none } = reader.label(row, row.evidence);
  const scores = rawScores([increased, decreased, none], CALIBRATION.effectTemperature);
  return { scores, truth: ['increased', 'decreased', 'none'].indexOf(row.label) };
});
console.log('effect', fitTemperature(effects));

const { byPmid } = await readArticleAbstracts();
const names = ['positive', 'negative', 'null', 'mixed'] as const;
const sources = readJudgedSources(readAbstracts(byPmid)).filter(({ pmid }) => isTestSource(pmid));
const cases = sources.flatMap(({ direction, record, interventions, terms }): Case[] => {
  const found = reader.directions(record, interventions, { key: '', terms });
  if (!found) return [];
  const values = names.map((name) => found[name]);
  const truth = names.indexOf(direction === 'unclear' ? 'mixed' : (direction as 'mixed'));
  return [{ scores: rawScores(values, CALIBRATION.verdictTemperature), truth }];
});
console.log('verdict, all', fitTemperature(cases));

const halves = [cases.filter((_, index) => index % 2 === 0), cases.filter((_, index) => index % 2 === 1)] as const;
const crossed = [0, 1].flatMap((half) => {
  const temperature = fitTemperature(halves[1 - half]!);
  console.log(`half ${half}: fitted on the other half`, temperature);
  return halves[half]!.map((given) => ({ values: probabilities(given, temperature), truth: given.truth }));
});
const decided = crossed
  .filter(({ truth }) => truth < 3)
  .map(({ values, truth }) => {
    const three = values.slice(0, 3);
    const best = three.indexOf(Math.max(...three));
    return { right: best === truth, probability: three[best]! };
  })
  .toSorted((left, right) => right.probability - left.probability);
for (const share of [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]) {
  const taken = decided.slice(0, Math.round(share * decided.length));
  const right = taken.filter((given) => given.right).length;
  console.log(
    `coverage ${share}: ${right} of ${taken.length} right (${((100 * right) / taken.length).toFixed(1)} %), least probability ${taken.at(-1)?.probability.toFixed(2)}`,
  );
}
