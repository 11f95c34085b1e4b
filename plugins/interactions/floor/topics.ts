/** What is said of every supplement, be it that nobody studied it. */
import type { CautionCondition } from '../rules/words.ts';

/** States of a person and uses that a caution speaks of. Driving is said of what makes drowsy. */
export const CAUTION_TOPICS = [
  'pregnancy',
  'breastfeeding',
  'children',
  'older-adults',
  'surgery',
  'kidney-disease',
  'liver-disease',
  'driving',
  'lab-tests',
] as const satisfies readonly CautionCondition[];
export type CautionTopic = (typeof CAUTION_TOPICS)[number];

export const FLOOR_TOPICS = [...CAUTION_TOPICS, 'upper-intake', 'longest-studied'] as const;
export type FloorTopic = (typeof FLOOR_TOPICS)[number];

/** Topics that an editor may declare to be not studied well enough to say anything. */
export const NOT_STUDIED_TOPICS = CAUTION_TOPICS.filter((topic) => topic !== 'driving');

export const OWN_TOPIC_WORDS: Readonly<Record<Exclude<FloorTopic, CautionTopic>, string>> = {
  'upper-intake': 'Upper intake',
  'longest-studied': 'Longest time studied',
};
