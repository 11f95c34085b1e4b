/**
 * Prepares examples with the same code that reads abstracts in production, so that training and inference cannot differ:
 * `node mark.ts passages|abstracts|prompts|articles|verdicts <in.jl> <out.jl>`.
 */
import { createWriteStream, readFileSync } from 'node:fs';
import { splitSentences, unify } from '../../../plugins/evidence/grading/record-text.ts';
import { effectFeatures, verdictFeatures } from '../../../plugins/evidence/reading/features.ts';
import { rankFeatures } from '../../../plugins/evidence/reading/ranking.ts';
import type { Prompt } from '../../../plugins/evidence/reading/roles.ts';
import { choosePassage, expandPrompt, scoreSentences } from '../../../plugins/evidence/reading/select.ts';
import { splitAbstract } from '../../../plugins/evidence/reading/sentences.ts';

type Row = Prompt & {
  readonly label: string;
  readonly evidence: string;
  readonly title: string;
  readonly abstract: string;
  readonly sentence: number;
};

/** Returns the features of a passage with the arms as given (`f`) and swapped (`s`). */
const bothWays = (prompt: Prompt, passage: string) => ({
  f: [...effectFeatures(prompt, passage)],
  s: [...effectFeatures({ ...prompt, intervention: prompt.comparator, comparator: prompt.intervention }, passage)],
});

const wordsOf = (text: string): Set<string> =>
  new Set(
    unify(text)
      .toLowerCase()
      .match(/[\p{L}\d]+/gu) ?? [],
  );

/** Returns the index of the sentence that shares most words with a marked passage, or null when none is nearly equal. */
const findMarked = (sentences: readonly { readonly text: string }[], passage: string): number | null => {
  const marked = wordsOf(passage);
  let [best, at] = [0.6, -1];
  for (const [index, { text }] of sentences.entries()) {
    const own = wordsOf(text);
    const score = own.intersection(marked).size / Math.max(1, own.union(marked).size);
    if (score > best) [best, at] = [score, index];
  }
  return at < 0 ? null : at;
};

/** Returns the ranking features of every sentence, the marked sentence, and the passage that the rules choose. */
const inAbstract = (row: Row, passage: string) => {
  const prompt = expandPrompt(row, row.abstract);
  const sentences = splitAbstract(row.abstract);
  const candidates = scoreSentences(prompt, sentences);
  const chosen = choosePassage(candidates);
  return {
    prompt,
    overlap: chosen?.best.overlap ?? 0,
    chosen: chosen?.passage ?? '',
    marked: findMarked(sentences, passage),
    rank: rankFeatures(prompt, sentences, candidates).map((values) => values.map((value) => +value.toFixed(4))),
  };
};

const prepare: Readonly<Record<string, (row: Row) => object | null>> = {
  passages: ({ evidence, ...row }) => ({ ...row, ...bothWays(row, evidence) }),
  abstracts: (row) => {
    const { prompt, chosen, ...found } = inAbstract(row, (row as Row & { readonly gold: string }).gold);
    return { ...row, abstract: '', gold: '', ...found, ...bothWays(prompt, chosen) };
  },
  prompts: (row) => {
    const passage = splitSentences(unify(row.abstract))[row.sentence];
    if (passage === undefined) return null;
    const { prompt, chosen, ...found } = inAbstract(row, passage);
    const whole = bothWays(prompt, chosen);
    return {
      ...row,
      abstract: '',
      title: '',
      ...found,
      ...bothWays(prompt, passage),
      ...{ p: bothWays(row, passage).f },
      af: whole.f,
      as: whole.s,
    };
  },
  articles: ({ evidence, ...row }) => {
    const { gold } = row as Row & { readonly gold: string };
    const labelled = row.label === '' ? { f: [], s: [] } : bothWays(row, evidence);
    const whole = row.abstract === '' ? null : inAbstract({ ...row, evidence }, gold);
    const told = whole && gold !== '' ? bothWays(whole.prompt, gold) : { f: [], s: [] };
    return {
      ...row,
      abstract: '',
      gold: '',
      title: '',
      ...labelled,
      af: told.f,
      as: told.s,
      marked: whole?.marked ?? null,
      rank: whole?.rank ?? [],
    };
  },
  verdicts: ({ abstract, evidence, title, ...row }) => ({ ...row, f: [...verdictFeatures(row, { title, abstract })] }),
};

const [kind = '', from = '', to = ''] = process.argv.slice(2);
const output = createWriteStream(to);
for (const line of readFileSync(from, 'utf8').trim().split('\n')) {
  const prepared = prepare[kind]!(JSON.parse(line) as Row);
  if (prepared) output.write(`${JSON.stringify(prepared)}\n`);
}
output.end();
