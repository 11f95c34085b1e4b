import { grade } from '../../plugins/evidence/grading/grade.ts';
import { readFindings } from '../../plugins/evidence/grading/result-findings.ts';
import { emptyRecord } from '../../plugins/evidence/source-record.ts';
import type { JudgedSource, LabelledPrompt } from './data.ts';

const UP = /\b(?:increas\w+|higher|greater|more|longer|rose|rais\w+|elevat\w+|improv\w+)\b/g;
const DOWN = /\b(?:decreas\w+|lower\w*|less|fewer|shorter|fell|reduc\w+|declin\w+)\b/g;

/**
 * What the rules that the grader has today say of a passage. They know benefits and missing differences only, so words of
 * increase and decrease are counted for the direction; the prompt is not looked at.
 */
export const labelByRules = (_: LabelledPrompt, passage: string): string => {
  const text = passage.toLowerCase();
  const { gains, nulls } = readFindings([text]);
  const [up, down] = [text.match(UP)?.length ?? 0, text.match(DOWN)?.length ?? 0];
  if (nulls > 0 && nulls >= gains) return 'none';
  return up === 0 && down === 0 ? 'none' : down > up ? 'decreased' : 'increased';
};

/** The direction that the grader reads today. */
export const directionByRules = ({ pmid, record }: JudgedSource): string =>
  grade({ ...emptyRecord('pubmed'), pmid, title: record.title, abstract: record.abstract }).direction;
