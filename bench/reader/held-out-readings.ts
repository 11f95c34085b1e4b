/**
 * Measures the reader on the held-out tenth of a language model's readings: `node held-out-readings.ts <prompts.jl>
 * <reading-verdicts.jl>`.
 */
import { readFileSync } from 'node:fs';
import { splitSentences, unify } from '../../plugins/evidence/grading/record-text.ts';
import { loadReader } from '../../plugins/evidence/reading/load.ts';
import type { EffectProbabilities } from '../../plugins/evidence/reading/reading.ts';
import type { Prompt } from '../../plugins/evidence/reading/roles.ts';
import { type Pair, printClasses, printCoverage, printReliability } from './measures.ts';

interface HeldPrompt extends Prompt {
  readonly split: string;
  readonly kind: string;
  readonly label: string;
  readonly sentence: number;
  readonly title: string;
  readonly abstract: string;
  readonly dir: string;
}

const LABELS = ['increased', 'decreased', 'none'] as const;
const DIRECTIONS = ['positive', 'negative', 'null', 'mixed'] as const;
const NAMES: Readonly<Record<string, string>> = { better: 'positive', worse: 'negative', none: 'null' };
const load = (path: string): HeldPrompt[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as HeldPrompt)
    .filter(({ split }) => split === 'held');
const toPair = (truth: string, effect: EffectProbabilities | null): Pair => {
  if (!effect) return { truth, predicted: 'none', probability: 0 };
  const predicted = LABELS.toSorted((left, right) => effect[right] - effect[left])[0]!;
  return { truth, predicted, probability: effect[predicted] };
};

const reader = await loadReader();
const [promptsFile = '', verdictsFile = ''] = process.argv.slice(2);
for (const kind of ['trial', 'reading']) {
  const rows = load(promptsFile).filter((row) => row.kind === kind);
  console.log(`\nHeld-out prompts, ${kind}, from the passage: ${rows.length}`);
  const passages = rows.map((row) =>
    toPair(row.label, reader.label(row, splitSentences(unify(row.abstract))[row.sentence] ?? '')),
  );
  printClasses(passages, LABELS);
  console.log(`Held-out prompts, ${kind}, from the whole abstract (an abstention counts as "none")`);
  const whole = rows.map((row) => toPair(row.label, reader.labelInAbstract(row, row.abstract)));
  printClasses(whole, LABELS);
  printReliability(whole);
}
const rows = load(verdictsFile);
const verdicts = rows.map((row): Pair => {
  const truth = NAMES[row.dir] ?? 'mixed';
  const scores = reader.directions(row, row.intervention.split(', '), { key: '', terms: row.outcome.split(', ') });
  if (!scores) return { truth, predicted: null, probability: 0 };
  const predicted = DIRECTIONS.slice(0, 3).toSorted((left, right) => scores[right] - scores[left])[0]!;
  return { truth, predicted, probability: scores[predicted] };
});
console.log(`\nHeld-out verdicts: ${rows.length}; a definite verdict on a mixed or unclear row is an error`);
printClasses(verdicts, DIRECTIONS);
printCoverage(verdicts);
printReliability(verdicts);
console.log('The same without mixed and unclear rows');
printCoverage(verdicts.filter(({ truth }) => truth !== 'mixed'));
const given = rows.map((row) => ({
  truth: NAMES[row.dir] ?? 'mixed',
  verdict: reader.verdict(row, row.intervention.split(', '), { key: '', terms: row.outcome.split(', ') }),
}));
for (const direction of DIRECTIONS) {
  const said = given.filter(({ verdict }) => verdict?.direction === direction);
  console.log(
    `verdict ${direction}: ${said.filter(({ truth }) => truth === direction).length} of ${said.length} right`,
  );
}
