/**
 * Defines populations. Life stage and illness together form a population, and each population is a separate question: a result in
 * pregnant women does not apply to athletes. Pure functions.
 */
import { type Group, groupsIn } from '#plugins/evidence/index.ts';
import type { People as FindingPeople } from '#plugins/findings/index.ts';

export const LIFE_STAGES = [
  'adults',
  'older-adults',
  'athletes',
  'children',
  'infants',
  'preterm-infants',
  'pregnancy',
  'breastfeeding',
] as const;
export type LifeStage = (typeof LIFE_STAGES)[number];

export interface Population {
  readonly people: LifeStage;
  /** Slug of an illness, `other:…` for one without a page, "" for none. */
  readonly condition: string;
}

export const keyOf = ({ people, condition }: Population): string => (condition ? `${people}/${condition}` : people);

/** Condition pages that are about a life stage rather than an illness. */
const STAGE_PAGES: Readonly<Record<string, LifeStage>> = { pregnancy: 'pregnancy' };

/** Returns whether a population is the one that the page of a condition is about. */
export const isPopulationOf = (slug: string, { people, condition }: Population): boolean =>
  condition === slug || (condition === '' && STAGE_PAGES[slug] === people);

const STAGE_OF: Readonly<Record<FindingPeople, LifeStage>> = {
  adults: 'adults',
  women: 'adults',
  men: 'adults',
  'all-ages': 'adults',
  'older-adults': 'older-adults',
  'postmenopausal-women': 'older-adults',
  athletes: 'athletes',
  adolescents: 'children',
  children: 'children',
  infants: 'infants',
  newborns: 'infants',
  'preterm-infants': 'preterm-infants',
  'pregnant-women': 'pregnancy',
  'breastfeeding-women': 'breastfeeding',
};

/**
 * Returns the life stage of people with an illness. Age within adulthood and sport are then ignored, since trials in heart
 * failure, for example, include mostly older people anyway.
 */
const withIllness = (people: LifeStage): LifeStage =>
  people === 'older-adults' || people === 'athletes' ? 'adults' : people;

export const populationOfFinding = ({
  people,
  condition,
}: {
  readonly people: FindingPeople;
  readonly condition: string;
}): Population => {
  const stage = STAGE_OF[people];
  return { people: condition ? withIllness(stage) : stage, condition };
};

const STAGE_OF_GROUP: Readonly<Record<Group, LifeStage>> = {
  infants: 'infants',
  children: 'children',
  pregnancy: 'pregnancy',
  breastfeeding: 'breastfeeding',
};

const PRETERM = /\b(preterm|premature|very low birth ?weight|low birth ?weight)\b/i;
const OLDER =
  /\b(older (?:adults?|people|men|women)|elderly|postmenopausal|post-menopausal|aged 6\d|over 6\d|sarcopeni\w+|nursing home)\b/i;
const ATHLETES =
  /\b(athlet\w+|(?:resistance|strength|well|endurance)-?\s?trained|trained (?:men|women|people|adults|cyclists|runners)|players|cyclists|runners|swimmers|rowers|triathletes|soldiers|bodybuilders)\b/i;

/** Returns the slug of the illness that a text names, or "" when it names none. */
export type ConditionFinder = (text: string) => string;

interface NamedCondition {
  readonly slug: string;
  readonly name: string;
  readonly synonyms: readonly string[];
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns whether a name is an acronym such as AIDS, which must match in capitals only: "ergogenic aids" are not an illness. */
const isAcronym = (name: string): boolean => name === name.toUpperCase();

const patternOf = (words: readonly string[]): RegExp =>
  new RegExp(
    `(?<![\\w-])(${words
      .toSorted((a, b) => b.length - a.length)
      .map(escaped)
      .join('|')})(?![\\w-])`,
  );

/**
 * Returns a function that finds the first illness named in a text. It matches two regular expressions, whatever the number of
 * conditions.
 */
export const conditionFinder = (conditions: Iterable<NamedCondition>): ConditionFinder => {
  const plain = new Map<string, string>();
  const acronyms = new Map<string, string>();
  for (const { slug, name, synonyms } of conditions) {
    // A life stage is not an illness: "pregnant women" are already a population.
    if (slug in STAGE_PAGES) continue;
    for (const word of [name, ...synonyms])
      if (isAcronym(word)) acronyms.set(word, slug);
      else plain.set(word.toLowerCase(), slug);
  }
  const inWords = plain.size ? patternOf([...plain.keys()]) : null;
  const inCapitals = acronyms.size ? patternOf([...acronyms.keys()]) : null;
  return (text) =>
    plain.get(inWords?.exec(text.toLowerCase())?.[1] ?? '') ?? acronyms.get(inCapitals?.exec(text)?.[1] ?? '') ?? '';
};

/** Reads the population from the short description in a record, otherwise from its title. */
export const populationOfSource = (
  { population, title }: { readonly population: string; readonly title: string },
  findCondition: ConditionFinder,
): Population => {
  const text = population || title;
  const condition = findCondition(population) || findCondition(title);
  const [group] = groupsIn(text);
  if (group === 'infants' && PRETERM.test(text)) return { people: 'preterm-infants', condition };
  if (group) return { people: STAGE_OF_GROUP[group], condition };
  if (condition) return { people: 'adults', condition };
  if (ATHLETES.test(text)) return { people: 'athletes', condition };
  return { people: OLDER.test(text) ? 'older-adults' : 'adults', condition };
};

const STAGE_WORDS: Readonly<Record<LifeStage, string>> = {
  adults: 'adults',
  'older-adults': 'older adults',
  athletes: 'athletes and trained people',
  children: 'children',
  infants: 'infants',
  'preterm-infants': 'preterm infants',
  pregnancy: 'pregnant women',
  breastfeeding: 'breastfeeding women',
};

/**
 * Returns the population in words, such as "adults" or "adults with depression". `conditionName` is the name on the illness's
 * page.
 */
export const populationInWords = ({ people, condition }: Population, conditionName: string): string => {
  if (!condition) return STAGE_WORDS[people];
  const illness = conditionName || condition.replace(/^other:/, '').replaceAll('-', ' ');
  return `${STAGE_WORDS[people]} with ${illness}`;
};

/** Outcomes that belong to particular life stages, which lead the assessment instead of adults. */
const OWN_STAGES: Readonly<Record<string, readonly LifeStage[]>> = {
  'child-growth': ['children', 'infants'],
  'necrotising-enterocolitis': ['preterm-infants', 'infants'],
  'infant-colic': ['infants'],
  'pregnancy-outcomes': ['pregnancy'],
  'pre-eclampsia': ['pregnancy'],
  'gestational-diabetes': ['pregnancy'],
  falls: ['older-adults', 'adults'],
  fractures: ['older-adults', 'adults'],
  'muscle-recovery': ['athletes', 'adults'],
  'exercise-performance': ['athletes', 'adults'],
};

const GENERAL: readonly LifeStage[] = ['adults', 'older-adults', 'athletes'];

/**
 * Returns how far a population is from the one that readers associate with a topic, 0 for nearest: people with the illness that
 * the topic names, or people in general; then other illnesses; then other life stages. `own` are the illnesses whose pages are
 * about the topic.
 */
export const distanceFrom = (topic: string, { people, condition }: Population, own: ReadonlySet<string>): number => {
  const stages = OWN_STAGES[topic] ?? GENERAL;
  const stage = stages.includes(people) ? 0 : 2;
  if (!condition || own.has(condition)) return stage;
  return stage + 1;
};
