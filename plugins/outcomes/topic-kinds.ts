/** Classifies outcomes, for the order of lists and for the gaps that apply to them. */
import { MEASUREMENT_TOPICS, OWN_LEVEL_TOPIC, SAFETY_TOPIC } from './grading/method.ts';

/**
 * `health`: outcomes that people feel, have or fear. `measurement`: a surrogate value. `own_level`: the amount of the supplement
 * that reaches the body, which does not show its effect there. `safety`: never a reason to take it.
 */
export const TOPIC_KINDS = ['health', 'measurement', 'own_level', 'safety'] as const;
export type TopicKind = (typeof TOPIC_KINDS)[number];

export const topicKind = (topic: string): TopicKind => {
  if (topic === SAFETY_TOPIC) return 'safety';
  if (topic === OWN_LEVEL_TOPIC) return 'own_level';
  return MEASUREMENT_TOPICS.includes(topic) ? 'measurement' : 'health';
};
