import { findControl } from './control-arm.ts';
import { markPassage } from './marked-passage.ts';
import { extractFeatures, hashFeature, shortGrams } from './ngrams.ts';
import type { RecordToRead } from './reading.ts';
import type { Prompt } from './roles.ts';
import { readRuleDirection } from './rule-direction.ts';
import { governingFeatures } from './skeleton.ts';
import { readValence } from './valence.ts';
import { chooseVerdictPassage } from './verdict-passage.ts';

/**
 * Number of copies of the feature for the direction that the grader's rules read, so that it weighs as much as this many n-grams.
 */
const RULE_COPIES = 6;

/** Returns the hashed features of a passage for one outcome. */
export const effectFeatures = (prompt: Prompt, passage: string): Set<number> =>
  extractFeatures(markPassage(prompt, passage), prompt.outcome, findControl(prompt.intervention, prompt.comparator));

const quarter = (share: number): number => Math.min(4, Math.ceil(share * 4));

/** Returns the hashed features for the direction of a whole source. */
export const verdictFeatures = (asked: Prompt, record: RecordToRead): Set<number> => {
  const { prompt, passage, result, conclusion, overlaps } = chooseVerdictPassage(asked, record.title, record.abstract);
  const features = extractFeatures(markPassage(prompt, passage), null);
  const rule = readRuleDirection(record);
  const valence = readValence(asked.outcome);
  const add = (name: string): void => void features.add(hashFeature(name));
  for (let copy = 0; copy < RULE_COPIES; copy += 1) add(`RULE${rule}#${copy}`);
  for (let copy = 0; copy < 3; copy += 1) add(`OV${quarter(overlaps[0])}#${copy}`);
  add(`OC${quarter(overlaps[1])},${rule}`);
  add(`OVR${quarter(overlaps[0])},${rule}`);
  for (const [mark, text] of [
    ['r', result],
    ['c', conclusion],
    ['t', record.title.slice(0, 300)],
  ] as const) {
    const tokens = markPassage(prompt, text);
    for (const name of shortGrams(tokens)) add(`${mark}:${name}`);
    for (const name of governingFeatures(tokens)) add(`${mark}${valence}:${name}`);
  }
  return features;
};
