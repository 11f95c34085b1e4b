/**
 * Scores how much a question resembles one from someone in danger, after the phrases of refusal-words.ts: a logistic
 * regression over words. It can only add a refusal, never remove one.
 */
import { REFUSAL_WEIGHTS } from './refusal-weights.ts';

const stem = (word: string): string => word.replace(/(?:'s|ings?|ed|es|s|ly)$/, '').slice(0, 8);

/** Returns the names of the features of a folded text: stems, pairs of stems, and a few patterns. */
export const dangerFeatures = (folded: string): ReadonlySet<string> => {
  const words = (folded.match(/[a-z]+(?:'[a-z]+)?|\d+/g) ?? []).map((word) => (/^\d/.test(word) ? 'NUM' : stem(word)));
  const found = new Set<string>(['bias']);
  words.forEach((word, at) => {
    found.add(word);
    if (at > 0) found.add(`${words[at - 1]}_${word}`);
  });
  // "Tell me" is not a report about oneself.
  const told = folded.replace(/\b(?:tell|write|give|show|remind) me\b/g, ' ');
  if (/\b(?:i|i'm|i've|im|my|me|myself)\b/.test(told)) found.add('F_FIRST');
  if (
    /\b(?:my|our|the|a) (?:\w+ )?(?:son|daughter|child|kid|baby|toddler|infant|mum|mom|dad|father|mother|husband|wife|partner|brother|sister|friend|mate|dog|cat|puppy|grand\w+|newborn|nan)\b/.test(
      folded,
    )
  )
    found.add('F_FAMILY');
  if (/^(?:do|does|did|is|are|can|what|which|how|should|has|have|was|were)\b/.test(folded)) found.add('F_ASKS');
  if (
    /\b(?:took|swallowed|ate|drank|had|given(?! that)|gave|taken|chewed|woke|feel|feels|felt|keeps?|started|since|after)\b/.test(
      folded,
    )
  )
    found.add('F_HAPPENED');
  if (/\b(?:trials?|stud(?:y|ies)|evidence|review|cohort|mice|rats?|risk of|patients)\b/.test(folded))
    found.add('F_RESEARCH');
  return found;
};

/** Weights by feature name. This is a map because any word may be a feature. */
export type DangerWeights = ReadonlyMap<string, number>;
const WEIGHTS: DangerWeights = new Map(REFUSAL_WEIGHTS);

/** Returns the probability that a folded text comes from someone in danger, 0 to 1. */
export const dangerBelief = (folded: string, weights: DangerWeights = WEIGHTS): number => {
  let sum = 0;
  for (const name of dangerFeatures(folded)) sum += weights.get(name) ?? 0;
  return 1 / (1 + Math.exp(-sum));
};
