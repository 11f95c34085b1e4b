/**
 * Regenerates plugins/answers/engine/refusal-weights.tsv from test/plugins/answers/refusals.tsv (all sets except the three
 * held-out ones) and from PubMedQA's questions, which do not come from people in danger.
 * Usage: node bench/ask/train-refusal.ts [data folder]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldQuestion } from '#plugins/answers/engine/refusal.ts';
import { crossBelieve, type Sample, trainDanger } from './refusal-training.ts';
import { readLabelled } from './stance-model.ts';

const data = process.argv[2] ?? join(import.meta.dirname, '../../../shared/data');
const root = join(import.meta.dirname, '../..');
const UNSEEN = new Set(['fifth', 'eighth', 'ninth']);
const URGENT = new Set(['overdose', 'self_harm', 'emergency']);
const LEAST_WEIGHT = 0.12;

const own = readFileSync(join(root, 'test/plugins/answers/refusals.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t') as [set: string, kind: string, question: string])
  .filter(([set]) => !UNSEEN.has(set))
  .map(([, kind, question]) => ({ text: foldQuestion(question), danger: URGENT.has(kind), kind }));
const labelled = readLabelled(join(data, 'pubmedqa/pqal-dev.json'));
if (!labelled) {
  console.log(`No data at ${data}: nothing to train with.`);
  process.exit(0);
}
const calm: Sample[] = labelled.map(({ question }) => ({ text: foldQuestion(question), danger: false }));
const all: Sample[] = [...own, ...calm];

const beliefs = crossBelieve(all);
const at = (threshold: number, of: (place: number) => boolean): string => {
  const places = all.map((_, place) => place).filter(of);
  return `${places.filter((place) => (beliefs[place] ?? 0) >= threshold).length} of ${places.length}`;
};
for (const threshold of [0.5, 0.6, 0.7])
  console.log(
    `cross-validated at ${threshold}: urgent ${at(threshold, (place) => all[place]!.danger)}, of our calm questions ${at(threshold, (place) => own[place]?.kind === 'none')}, of PubMedQA's ${at(threshold, (place) => place >= own.length)}`,
  );

const weights = [...trainDanger(all)].filter(([, weight]) => Math.abs(weight) >= LEAST_WEIGHT);
const lines = weights
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, weight]) => `${name}\t${Math.round(weight * 100) / 100}\n`);
writeFileSync(join(root, 'plugins/answers/engine/refusal-weights.tsv'), lines.join(''));
console.log(`${lines.length} features`);
