/** What sort of thing an outcome is, for the order of lists and for what can be missing on it. */
import { MEASUREMENT_TOPICS, OWN_LEVEL_TOPIC, SAFETY_TOPIC } from './grading/method.ts';

/**
 * `health`: what people feel, have or fear. `measurement`: a value that stands for it. `own_level`: how much of the
 * supplement reaches the body, which says nothing on what it does there. `safety`: never a reason to take it.
 */
export const TOPIC_KINDS = ['health', 'measurement', 'own_level', 'safety'] as const;
export type TopicKind = (typeof TOPIC_KINDS)[number];

export const topicKind = (topic: string): TopicKind => {
  if (topic === SAFETY_TOPIC) return 'safety';
  if (topic === OWN_LEVEL_TOPIC) return 'own_level';
  return MEASUREMENT_TOPICS.includes(topic) ? 'measurement' : 'health';
};
