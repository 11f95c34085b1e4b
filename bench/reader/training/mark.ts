/**
 * Prepares examples with the same code that reads abstracts in production, so that training and inference cannot differ:
 * `node mark.ts passages|abstracts|verdicts <in.jl> <out.jl>`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { effectFeatures, verdictFeatures } from '../../../plugins/evidence/reading/features.ts';
import type { Prompt } from '../../../plugins/evidence/reading/roles.ts';
import { choosePassage, expandPrompt, scoreSentences } from '../../../plugins/evidence/reading/select.ts';
import { splitAbstract } from '../../../plugins/evidence/reading/sentences.ts';

type Row = Prompt & { readonly evidence: string; readonly title: string; readonly abstract: string };

/** Features of a passage with the arms as they are (`f`) and swapped (`s`). */
const bothWays = (prompt: Prompt, passage: string) => ({
  f: [...effectFeatures(prompt, passage)],
  s: [...effectFeatures({ ...prompt, intervention: prompt.comparator, comparator: prompt.intervention }, passage)],
});

const prepare: Readonly<Record<string, (row: Row) => object>> = {
  passages: ({ evidence, ...row }) => ({ ...row, ...bothWays(row, evidence) }),
  abstracts: ({ abstract, evidence, title, ...row }) => {
    const prompt = expandPrompt(row, abstract);
    const chosen = choosePassage(scoreSentences(prompt, splitAbstract(abstract)));
    return { ...row, overlap: chosen?.best.overlap ?? 0, ...bothWays(prompt, chosen?.passage ?? '') };
  },
  verdicts: ({ abstract, evidence, title, ...row }) => ({ ...row, f: [...verdictFeatures(row, { title, abstract })] }),
};

const [kind = '', from = '', to = ''] = process.argv.slice(2);
const rows = readFileSync(from, 'utf8').trim().split('\n');
writeFileSync(to, rows.map((line) => JSON.stringify(prepare[kind]!(JSON.parse(line) as Row))).join('\n'));
