/**
 * Regenerates plugins/answers/engine/stance/weights.ts from PubMedQA's labelled questions (Jin et al. 2019, MIT).
 * Usage: node bench/ask/train-stance.ts [data folder, default ../shared/data]
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { examplesOf, L2, readLabelled, trainStance } from './stance-model.ts';

const data = process.argv[2] ?? join(import.meta.dirname, '../../../shared/data');
const all = readLabelled(join(data, 'pubmedqa/pqal-dev.json'));
if (!all) {
  console.log(`No data at ${data}: nothing to train with.`);
  process.exit(0);
}

const weights = trainStance(examplesOf(all, [true, false]), L2);
const round = (value: number): number => Math.round(value * 1000) / 1000;
const lines = Object.entries(weights)
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, [yes, no, maybe]]) => `  ${name}: [${round(yes)}, ${round(no)}, ${round(maybe)}],`);

writeFileSync(
  join(import.meta.dirname, '../../plugins/answers/engine/stance/weights.ts'),
  `/**
 * Weights of the stance model: made by bench/ask/train-stance.ts from the ${all.length} labelled questions of PubMedQA (Jin et al.
 * 2019, MIT licence), each seen with and without its conclusion. No text of that set is in here. Not written by hand.
 */
import type { StanceWeights } from './stance.ts';

export const STANCE_WEIGHTS: StanceWeights = {
${lines.join('\n')}
};
`,
);
console.log(`${lines.length} features from ${all.length} questions`);
