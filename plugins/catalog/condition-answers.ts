/**
 * Builds the answers for the people who have a condition, and for preventing it in people who do not. A result in anybody else is
 * never among them: it is related research, and is shown separately. Pure.
 */
import { type Static, Type } from 'typebox';
import { AssessmentView, inSentence, LinkView } from '#plugins/evidence/index.ts';
import {
  assessmentView,
  CERTAINTIES,
  type ConditionFinder,
  conditionFinder,
  type Finding,
  isPopulationOf,
  type OutcomeAssessment,
  type OutcomeGrade,
} from '#plugins/outcomes/index.ts';
import type { ConditionRow, Terms } from '#plugins/vocabulary/index.ts';

export const ConditionAnswer = Type.Object({
  supplement: LinkView,
  outcome: Type.String(),
  /** The question, such as "Zinc and colds". */
  question: Type.String(),
  /** Address of the question's own page. */
  href: Type.String(),
  assessment: AssessmentView,
});
export type ConditionAnswer = Static<typeof ConditionAnswer>;

export const ConditionAnswers = Type.Array(
  Type.Object({
    id: Type.String(),
    title: Type.String(),
    about: Type.String(),
    none: Type.String(),
    answers: Type.Array(ConditionAnswer),
  }),
);
export type ConditionAnswers = Static<typeof ConditionAnswers>;

interface Material {
  readonly row: ConditionRow;
  readonly terms: Terms;
  readonly grades: readonly OutcomeGrade[];
  readonly byId: ReadonlyMap<string, Finding>;
}

interface Candidate {
  readonly grade: OutcomeGrade;
  readonly assessment: OutcomeAssessment;
}

/** Outcomes that are left out: the level of a supplement in the blood does not answer a question about a condition. */
const ASIDE = ['nutrient-status'];
const SAFETY = 'safety';

/** Returns the assessments in people who have the condition. */
export const inPeopleWith = ({ row, grades }: Pick<Material, 'row' | 'grades'>): readonly Candidate[] =>
  grades
    .filter(({ topic_slug: topic }) => !ASIDE.includes(topic))
    .flatMap((grade) =>
      grade.assessments
        .filter(({ population }) => isPopulationOf(row.slug, population))
        .map((assessment) => ({ grade, assessment })),
    );

/** Words in outcomes that count new cases rather than the severity of an illness. */
const NEW_CASES =
  /\b(new|catching|getting|having|developing|onset|cases?|incidence|prevent\w*|risk of|number of|first|later|ever|progress\w*)\b/i;

/** Returns whether an outcome is the onset of the condition: exactly its name, or its name with a word for new cases. */
const isGetting = (outcome: string, { slug, name, synonyms }: ConditionRow, find: ConditionFinder): boolean =>
  find(outcome) === slug &&
  (NEW_CASES.test(outcome) || [name, ...synonyms].some((word) => word.toLowerCase() === outcome.toLowerCase()));

/** Returns the assessments in people without an illness whose leading outcome is the onset of the condition. */
export const preventionOf = ({ row, grades, terms, byId }: Material): readonly Candidate[] => {
  const find = conditionFinder([...terms.conditions.values()]);
  const own = grades.filter(({ topic_slug: topic }) => row.topics.includes(topic));
  return own.flatMap((grade) =>
    grade.assessments
      .filter(
        ({ population, lead, direction }) =>
          population.condition === '' &&
          direction !== 'negative' &&
          isGetting(byId.get(lead)?.outcome ?? '', row, find),
      )
      .map((assessment) => ({ grade, assessment })),
  );
};

const isSure = ({ assessment }: Candidate): boolean => assessment.certainty !== 'very_low';
const points =
  (direction: string) =>
  ({ assessment }: Candidate): boolean =>
    assessment.direction === direction;
const isSafety = ({ grade }: Candidate): boolean => grade.topic_slug === SAFETY;

const helps = (one: Candidate): boolean => !isSafety(one) && points('positive')(one) && isSure(one);
const makesNoDifference = (one: Candidate): boolean => !isSafety(one) && points('null')(one) && isSure(one);
const harms = (one: Candidate): boolean => points('negative')(one);
const isUnknown = (one: Candidate): boolean => !isSafety(one) && !helps(one) && !makesNoDifference(one) && !harms(one);

/** Compares candidates: the condition's own outcomes first, then by certainty, then by number of people. */
const byCertainty =
  ({ topics }: ConditionRow) =>
  (a: Candidate, b: Candidate): number =>
    Number(!topics.includes(a.grade.topic_slug)) - Number(!topics.includes(b.grade.topic_slug)) ||
    CERTAINTIES.indexOf(a.assessment.certainty) - CERTAINTIES.indexOf(b.assessment.certainty) ||
    (b.assessment.people ?? 0) - (a.assessment.people ?? 0) ||
    (a.grade.vertical < b.grade.vertical ? -1 : 1);

const answerOf = ({ grade, assessment }: Candidate, { terms, byId }: Material): ConditionAnswer => {
  const supplement = terms.supplements.get(grade.supplement_slug)?.name ?? grade.supplement_slug;
  const outcome = terms.topics.get(grade.topic_slug)?.name ?? grade.topic_slug;
  return {
    supplement: { name: supplement, href: `/supplements/${grade.supplement_slug}` },
    outcome,
    question: `${inSentence(supplement)} and ${inSentence(outcome)}`,
    href: `/evidence/${grade.vertical}`,
    assessment: assessmentView(assessment, { terms, byId }),
  };
};

/** Builds the groups in the order in which a reader asks. Empty groups stay, and state that nothing was found. */
export const conditionAnswers = (material: Material): ConditionAnswers => {
  const { row } = material;
  const name = inSentence(row.name);
  const own = inPeopleWith(material).toSorted(byCertainty(row));
  const prevention = preventionOf(material).toSorted(byCertainty(row));
  const pick = (candidates: readonly Candidate[], test: (one: Candidate) => boolean): ConditionAnswer[] =>
    candidates.filter(test).map((one) => answerOf(one, material));
  const groups = [
    {
      id: 'helps',
      title: 'May help',
      about: `In studies of people with ${name}, with at least low certainty.`,
      none: `No supplement was found to help people with ${name} with more than very low certainty.`,
      answers: pick(own, helps),
    },
    {
      id: 'no-difference',
      title: 'Makes little or no difference',
      about: `In studies of people with ${name}, with at least low certainty.`,
      none: 'No finding of “no difference” is entered here. That does not mean that there is none.',
      answers: pick(own, makesNoDifference),
    },
    {
      id: 'harms',
      title: 'Was worse or did harm',
      about: `In studies of people with ${name}.`,
      none: 'No harm was found in the studies entered here. That does not mean that these supplements are safe.',
      answers: pick(own, harms),
    },
    {
      id: 'uncertain',
      title: 'Too uncertain to say',
      about: 'Studied, but the results are too few, too weak or too mixed.',
      none: 'Nothing else was assessed.',
      answers: pick(own, isUnknown),
    },
    {
      id: 'prevention',
      title: 'To prevent it',
      about: `In people who did not have ${name}.`,
      none: '',
      answers: pick(prevention, (one) => !isSafety(one)),
    },
  ];
  return groups.filter(({ id, answers }) => id !== 'prevention' || answers.length);
};

const list = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const SHOWN = 4;

/** Formats names with the most certain first: "St John's wort (moderate certainty), saffron (low certainty) and 3 more". */
const namesOf = (answers: readonly ConditionAnswer[]): string => {
  const best = new Map<string, string>();
  for (const { supplement, assessment } of answers)
    if (!best.has(supplement.name)) best.set(supplement.name, assessment.word.toLowerCase());
  const names = [...best].map(([name, word]) => `${inSentence(name)} (${word} certainty)`);
  const rest = names.length - SHOWN;
  return list.format(rest > 0 ? [...names.slice(0, SHOWN), `${rest} more`] : names);
};

/** Returns the verdict in two or three sentences, for the top of the page and the meta description. */
export const verdictOf = (groups: ConditionAnswers, conditionName: string): string => {
  const name = inSentence(conditionName);
  const of = (id: string): readonly ConditionAnswer[] => groups.find((group) => group.id === id)?.answers ?? [];
  const helping = new Set(of('helps').map(({ supplement }) => supplement.name));
  const [sideEffects, harmful] = [true, false].map((isHelping) =>
    of('harms').filter(({ supplement }) => helping.has(supplement.name) === isHelping),
  ) as [ConditionAnswer[], ConditionAnswer[]];
  if (!groups.some(({ answers }) => answers.length))
    return `No supplement has been assessed here in people with ${name}. That is a gap in this base: it does not mean that nothing helps, or that anything is safe.`;
  return [
    of('helps').length
      ? `May help people with ${name}: ${namesOf(of('helps'))}.`
      : `Nothing assessed here was found to help people with ${name} with more than very low certainty.`,
    of('no-difference').length ? `Little or no difference: ${namesOf(of('no-difference'))}.` : '',
    harmful.length ? `Worse or harmful: ${namesOf(harmful)}.` : '',
    sideEffects.length ? `With side effects: ${namesOf(sideEffects)}.` : '',
  ]
    .filter(Boolean)
    .join(' ');
};
