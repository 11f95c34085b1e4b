/**
 * Loads the weights of the refusal model from refusal-weights.tsv beside this file: one feature and its weight per line.
 * bench/ask/train-refusal.ts generates that file from the project's own questions (test/plugins/answers/refusals.tsv) and, as
 * negative examples, the questions of PubMedQA (MIT licence).
 */
import { readFileSync } from 'node:fs';

const FILE = new URL('./refusal-weights.tsv', import.meta.url);

export const REFUSAL_WEIGHTS: readonly (readonly [feature: string, weight: number])[] = readFileSync(FILE, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [feature = '', weight = ''] = line.split('\t');
    return [feature, Number(weight)];
  });
