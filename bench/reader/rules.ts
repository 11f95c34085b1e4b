import { grade } from '../../plugins/evidence/grading/grade.ts';
import { readFindings } from '../../plugins/evidence/grading/result-findings.ts';
import { emptyRecord } from '../../plugins/evidence/source-record.ts';
import type { JudgedSource, LabelledPrompt } from './data.ts';

const UP = /\b(?:increas\w+|higher|greater|more|longer|rose|rais\w+|elevat\w+|improv\w+)\b/g;
const DOWN = /\b(?:decreas\w+|lower\w*|less|fewer|shorter|fell|reduc\w+|declin\w+)\b/g;

/**
 * Labels a passage with the grader's current rules. They recognize only benefits and missing differences, so words of increase
 * and decrease are counted for the direction; the prompt is ignored.
 */
export const labelByRules = (_: LabelledPrompt, passage: string): string => {
  const text = passage.toLowerCase();
  const { gains, nulls } = readFindings([text]);
  const [up, down] = [text.match(UP)?.length ?? 0, text.match(DOWN)?.length ?? 0];
  if (nulls > 0 && nulls >= gains) return 'none';
  return up === 0 && down === 0 ? 'none' : down > up ? 'decreased' : 'increased';
};

/** Returns the direction that the grader currently reads. */
export const directionByRules = ({ pmid, record }: JudgedSource): string =>
  grade({ ...emptyRecord('pubmed'), pmid, title: record.title, abstract: record.abstract }).direction;
