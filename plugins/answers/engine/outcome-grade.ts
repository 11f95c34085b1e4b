/**
 * Reads the grade of the outcome that a question is about. No answer has a higher certainty than its grade, and the page of
 * the grade is linked.
 */
import { inSentence } from '#plugins/evidence/index.ts';
import { sourceUrl } from '#plugins/findings/index.ts';
import { CERTAINTY_WORDS, forCondition, nameOfPopulation, type OutcomeGrade } from '#plugins/outcomes/index.ts';
import type { Terms } from '#plugins/vocabulary/index.ts';
import { CONFIDENCES, type Confidence } from './balance.ts';
import type { EngineParts } from './port.ts';
import { comparesNamed, type Question } from './question.ts';

/** Returns the topics that the question names, without the wider topics that a condition is also filed under. */
export const topicsMeant = ({ topics, conditions }: Question): Question['topics'] =>
  topics.filter(({ slug }) => !conditions.length || conditions.some((condition) => condition.topics[0] === slug));

/**
 * Returns the grade for people with the condition in the question when it was assessed for them, otherwise the overall grade.
 */
export const gradeFor = (grade: OutcomeGrade, { conditions }: Pick<Question, 'conditions'>): OutcomeGrade =>
  forCondition(grade, conditions[0]?.slug)[0] ?? grade;

/**
 * Returns the assessed grades of the supplement for each topic of the question. Returns none for questions of harm or about
 * several supplements.
 */
export const gradesOf = async (
  { outcomes }: Pick<EngineParts, 'outcomes'>,
  question: Question,
): Promise<readonly OutcomeGrade[]> => {
  const [supplement] = question.supplements;
  if (!supplement || question.supplements.length > 1 || question.asks.has('harm') || comparesNamed(question)) return [];
  const found = await Promise.all(
    topicsMeant(question).map(({ slug }) => outcomes.ofVertical(`${supplement.slug}-${slug}`)),
  );
  return found.filter((grade) => grade?.assessed === true).map((grade) => gradeFor(grade as OutcomeGrade, question));
};

/** Returns the certainty of the most certain grade, or `high` when nothing is graded, which sets no limit. */
export const mostByGrades = (grades: readonly OutcomeGrade[]): Confidence =>
  grades.length
    ? (CONFIDENCES[Math.max(...grades.map(({ certainty }) => CONFIDENCES.indexOf(certainty)))] ?? 'very_low')
    : 'high';

const DIRECTION_SAID: Readonly<Record<string, string>> = {
  positive: 'in favour',
  null: 'no difference found',
  negative: 'against, a worse result',
  mixed: 'mixed',
};
/** Returns the direction in words. "No difference found" is distinct from harm. */
export const directionInWords = ({ direction }: Pick<OutcomeGrade, 'direction'>): string =>
  DIRECTION_SAID[direction] ?? 'unclear';

/**
 * Returns one line per grade: "**Magnesium and muscle cramps, in pregnant women:** … Certainty low, direction in favour. [How
 * it was graded](…)".
 */
export const gradeLines = (
  grades: readonly OutcomeGrade[],
  { supplements, topics }: Question,
  terms: Terms,
): string[] =>
  grades.map((grade) => {
    const word = CERTAINTY_WORDS[grade.certainty];
    const [lead] = grade.assessments;
    const whom = lead ? `, in ${nameOfPopulation(lead.population, terms)}` : '';
    const topic = topics.find(({ slug }) => slug === grade.topic_slug);
    const names = [supplements[0]?.name ?? '', topic?.name ?? ''].map(inSentence).join(' and ');
    const said = lead?.summary ? `${lead.summary} ([source](${sourceUrl(lead.lead.replace(/#[^#]*$/, ''))})) ` : '';
    return `**Grade of ${names}${whom}:** ${said}Certainty ${word.toLowerCase()}, direction ${directionInWords(grade)}. [How it was graded](/evidence/${grade.vertical})`;
  });
