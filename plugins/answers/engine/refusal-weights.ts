/**
 * Weights of the second net under the refusal phrases, from refusal-weights.tsv beside this file: a feature and its
 * weight a line. bench/ask/train-refusal.ts makes that file from our own questions (test/plugins/answers/refusals.tsv)
 * and, as questions that nobody in danger asks, those of PubMedQA (MIT licence).
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
