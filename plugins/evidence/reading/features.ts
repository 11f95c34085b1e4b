import { markPassage } from './marked-passage.ts';
import { extractFeatures, extractOutcomeFeatures, hashFeature } from './ngrams.ts';
import type { RecordToRead } from './reading.ts';
import type { Prompt } from './roles.ts';
import { readRuleDirection } from './rule-direction.ts';
import { chooseVerdictPassage } from './verdict-passage.ts';

/** The direction that the grader's rules read counts as much as this many n-grams. */
const RULE_COPIES = 6;

/** Features of what a passage says of one outcome. */
export const effectFeatures = (prompt: Prompt, passage: string): Set<number> => {
  const features = extractFeatures(markPassage(prompt, passage));
  for (const hash of extractOutcomeFeatures(prompt.outcome)) features.add(hash);
  return features;
};

/** Features of the direction of a whole source. */
export const verdictFeatures = (asked: Prompt, record: RecordToRead): Set<number> => {
  const { prompt, passage } = chooseVerdictPassage(asked, record.title, record.abstract);
  const features = extractFeatures(markPassage(prompt, passage));
  const rule = readRuleDirection(record);
  for (let copy = 0; copy < RULE_COPIES; copy += 1) features.add(hashFeature(`RULE${rule}#${copy}`));
  return features;
};
