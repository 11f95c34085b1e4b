/** Topics of the safety floor: each is stated for every supplement, even if only to report that nobody studied it. */
import type { CautionCondition } from '../rules/severity-labels.ts';

/** States of a person and activities that cautions cover. Driving is covered only for supplements that cause drowsiness. */
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

/** Topics that an editor may declare as not studied well enough for any statement. */
export type NotStudiedTopic = Exclude<CautionTopic, 'driving'>;
export const isNotStudiedTopic = (topic: CautionTopic): topic is NotStudiedTopic => topic !== 'driving';
export const NOT_STUDIED_TOPICS: readonly NotStudiedTopic[] = CAUTION_TOPICS.filter(isNotStudiedTopic);

const WHO: Readonly<Record<NotStudiedTopic, string>> = {
  pregnancy: 'in pregnancy',
  breastfeeding: 'while breastfeeding',
  children: 'in children',
  'older-adults': 'in older people',
  surgery: 'around operations',
  'kidney-disease': 'in people with kidney disease',
  'liver-disease': 'in people with liver disease',
  'lab-tests': 'on laboratory tests',
};
/** Advice where little is known: missing evidence is no reason not to tell the doctor, pharmacist or laboratory. */
const TO_DO: Readonly<Record<NotStudiedTopic, string>> = {
  pregnancy: 'Ask your doctor or midwife before taking it.',
  breastfeeding: 'Ask your doctor or midwife before taking it.',
  children: 'Keep it where children cannot reach it, and ask a doctor before giving it to a child.',
  'older-adults': 'Ask a doctor or pharmacist first, above all with other medicines.',
  surgery: 'Tell the surgical team that you take it.',
  'kidney-disease': 'Ask the doctor who treats your kidneys first.',
  'liver-disease': 'Ask the doctor who treats your liver first.',
  'lab-tests': 'Tell the doctor or laboratory that you take it.',
};

/**
 * Statements such as "Its effects in children have not been studied well enough …", true both of topics that nobody studied and
 * of those with too few studies.
 */
export const NOT_STUDIED_WORDS = Object.fromEntries(
  NOT_STUDIED_TOPICS.map((topic) => [
    topic,
    `Its effects ${WHO[topic]} have not been studied well enough. That does not make it safe. ${TO_DO[topic]}`,
  ]),
) as Readonly<Record<NotStudiedTopic, string>>;

export const OWN_TOPIC_WORDS: Readonly<Record<Exclude<FloorTopic, CautionTopic>, string>> = {
  'upper-intake': 'Upper intake',
  'longest-studied': 'Longest time studied',
};
