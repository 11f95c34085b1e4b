/** Runs the interaction check for the pairs in a question, with the same results as GET /api/interactions/check. */
import {
  check,
  type InteractionServices,
  pairToDo,
  SEVERITIES,
  SEVERITY_WORDS,
  type Severity,
} from '#plugins/interactions/index.ts';
import type { AnswerBody } from '../schemas.ts';
import { asMarkdown } from './attribution.ts';
import { CONFIDENCES, type Confidence } from './balance.ts';
import type { Question } from './question.ts';

export type InteractionAnswer = AnswerBody['interactions'][number];
type FoundAnswer = Extract<InteractionAnswer, { found: true }>;

const MOST_PAIRS = 8;
type Pair = readonly [supplement: string, other: string];

/** Returns every supplement paired with every medicine, and pairs of supplements when the question combines them. */
const pairsIn = ({ supplements, substances, medicines, background, asks }: Question): Pair[] => {
  const subjects = [...supplements, ...substances].map(({ name }) => name);
  const withMedicines = subjects.flatMap((subject) =>
    [...medicines, ...background].map(({ kind, input, name }): Pair => [subject, kind === 'class' ? name : input]),
  );
  const together = asks.has('combination')
    ? subjects.flatMap((a, at) => subjects.slice(at + 1).map((b): Pair => [a, b]))
    : [];
  return [...withMedicines, ...together].slice(0, MOST_PAIRS);
};

/**
 * Uses the name of the supplement in the result of a pair of supplements, because a supplement may share its name with a
 * medicine (vitamin D).
 */
const ofSupplements = (answer: InteractionAnswer, name: string): InteractionAnswer => {
  if (answer.found || !answer.checked || !answer.resolved.drug) return answer;
  return { ...answer, resolved: { ...answer.resolved, drug: { ...answer.resolved.drug, name } } };
};

const isFound = (answer: InteractionAnswer): answer is FoundAnswer => answer.found;

/**
 * Returns the interactions, the most serious first, followed by the pairs that were checked without a record, with the
 * checker's own message.
 */
export const checkInteractions = async (
  services: InteractionServices,
  question: Question,
): Promise<readonly InteractionAnswer[]> => {
  const pairs = pairsIn(question);
  if (!pairs.length) return [];
  const book = await services.book();
  const names = services.names(book);
  const answers: InteractionAnswer[] = [];
  for (const [supplement, drug] of pairs) {
    const answer = (await check(book, names, { supplement, drug })) as InteractionAnswer;
    const isTwoSupplements = question.supplements.some(({ name }) => name === drug);
    answers.push(isTwoSupplements ? ofSupplements(answer, drug) : answer);
  }
  const rank = (answer: InteractionAnswer): number =>
    isFound(answer) ? SEVERITIES.indexOf(answer.severity as Severity) : SEVERITIES.length;
  return answers.sort((a, b) => rank(a) - rank(b));
};

export const foundInteractions = (answers: readonly InteractionAnswer[]): readonly FoundAnswer[] =>
  answers.filter(isFound);

const TIER_CONFIDENCE: Readonly<Record<string, Confidence>> = { A: 'high', B: 'moderate', C: 'low', D: 'very_low' };
const LIKELIHOOD_CONFIDENCE: Readonly<Record<string, Confidence>> = { likely: 'moderate', probable: 'low' };

/**
 * Returns the confidence of an interaction record: the higher of the one by its evidence tier and the one by its likelihood.
 */
export const interactionConfidence = (answers: readonly InteractionAnswer[]): AnswerBody['confidence'] => {
  const [first] = foundInteractions(answers);
  if (!first) return 'very_low';
  const byTier = CONFIDENCES.indexOf(TIER_CONFIDENCE[first.evidence_tier] ?? 'very_low');
  const byLikelihood = CONFIDENCES.indexOf(LIKELIHOOD_CONFIDENCE[first.likelihood] ?? 'very_low');
  return CONFIDENCES[Math.max(byTier, byLikelihood)] ?? 'very_low';
};

export const interactionSummary = (answers: readonly InteractionAnswer[]): string => {
  const [first] = foundInteractions(answers);
  return first
    ? `${first.supplement.name} with ${first.drug.name}: an interaction of severity “${SEVERITY_WORDS[first.severity as Severity].toLowerCase()}” is on record.`
    : '';
};

const nameOf = (end: { readonly name: string } | null, fallback: string): string => end?.name ?? fallback;

/** Returns one line per pair for the top of the answer, with a link to the record. */
export const interactionLine = (answer: InteractionAnswer): string => {
  if (answer.found) {
    const severity = SEVERITY_WORDS[answer.severity as Severity];
    const guess = answer.needs_confirmation ? ' Check that these are the names you meant.' : '';
    return `**${answer.supplement.name} with ${answer.drug.name}: ${severity}.** ${asMarkdown(answer.effect)} ${asMarkdown(pairToDo(answer.severity as Severity, answer.action as Parameters<typeof pairToDo>[1]))}. [Record and sources](${answer.url})${guess}`;
  }
  if (!answer.checked) return '';
  const { supplement, drug } = answer.resolved;
  return `**${nameOf(supplement, 'The supplement')} with ${nameOf(drug, 'the medicine')}:** ${answer.message}`;
};
