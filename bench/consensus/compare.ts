/** Compares the statement of an authority with the base's grade for the same supplement, outcome and population. Pure. */
import type { Assessment, OutcomeLine } from '../../plugins/outcomes/grading/assessment.ts';
import { keyOf } from '../../plugins/outcomes/grading/population.ts';
import type { Statement } from './statements.ts';

export const CERTAINTIES: readonly string[] = ['high', 'moderate', 'low', 'very_low'];

export type Verdict =
  | 'agree'
  | 'not assessed'
  | 'other population'
  | 'we are unsure'
  | 'we are surer'
  | 'opposite'
  | 'other direction';

export interface Compared {
  readonly statement: Statement;
  readonly verdict: Verdict;
  readonly direction: string;
  readonly certainty: string;
  /** Steps between the certainties; null when they cannot be compared. */
  readonly steps: number | null;
  /** Assessment that was compared: its population, and its outcome where one matched. */
  readonly against: string;
}

const STOP = new Set([
  'of',
  'the',
  'and',
  'in',
  'or',
  'with',
  'for',
  'a',
  'an',
  'to',
  'from',
  'risk',
  'any',
  'number',
  'time',
  'score',
  'rate',
  'level',
  'levels',
]);
const stemsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => word.length > 2 && !STOP.has(word))
      .map((word) => word.replace(/(ies|es|s|ing|ed)$/, '').slice(0, 7)),
  );

/** Returns the share of the shorter text's words that occur in both texts. */
const overlap = (one: string, other: string): number => {
  const [a, b] = [stemsOf(one), stemsOf(other)];
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / Math.max(1, Math.min(a.size, b.size));
};

const FITS = 0.5;

/** Returns the line on the statement's outcome; null when the leading line covers it, or when no line does. */
const lineFor = ({ outcomes, lead }: Assessment, { outcome, topic }: Statement): OutcomeLine | null => {
  // "Depression" as the outcome of the question on depression has no line of its own: it means the answer itself.
  if (overlap(topic, outcome) === 1 && stemsOf(outcome).size <= stemsOf(topic).size) return null;
  const leading = outcomes.find(({ finding }) => finding === lead);
  if (leading && overlap(leading.outcome, outcome) >= FITS) return null;
  const [best] = outcomes
    .map((line) => ({ line, share: overlap(line.outcome, outcome) }))
    .filter(({ share }) => share >= FITS)
    .toSorted((a, b) => b.share - a.share);
  return best?.line ?? null;
};

/** Returns the published direction: very low certainty supports neither a benefit nor the absence of one. */
const publishedOf = ({ direction, certainty }: OutcomeLine): string =>
  certainty === 'very_low' && direction !== 'negative' && direction !== 'mixed' ? 'unclear' : direction;

const UNSURE = ['unclear', 'mixed'];

const verdictOf = (theirs: string, ours: string): Verdict => {
  if (theirs === ours || (UNSURE.includes(theirs) && UNSURE.includes(ours))) return 'agree';
  if (UNSURE.includes(ours)) return 'we are unsure';
  if (UNSURE.includes(theirs)) return 'we are surer';
  return [theirs, ours].toSorted().join() === 'negative,positive' ? 'opposite' : 'other direction';
};

const GROWN = /^(adults|older-adults|athletes)(\/|$)/;

/**
 * Returns the assessment of the same population; otherwise, in pregnancy and childhood, that of the same stage of life; otherwise
 * the leading one, which readers of the question see first, if both concern adults. A result in children or in pregnancy is never
 * applied to other populations.
 */
const assessmentFor = (statement: Statement, assessments: readonly Assessment[]): Assessment | undefined => {
  const [lead] = assessments;
  const exact = assessments.find(({ population }) => keyOf(population) === statement.population);
  // "Calcium and pre-eclampsia" concerns pregnant women, whether the statement treats pre-eclampsia as the condition or as the
  // outcome.
  const [stage = ''] = statement.population.split('/');
  const sameStage = assessments.find(({ population }) => keyOf(population) === stage);
  const isNear = lead && GROWN.test(keyOf(lead.population)) && GROWN.test(statement.population);
  return exact ?? (GROWN.test(statement.population) ? undefined : sameStage) ?? (isNear ? lead : undefined);
};

/** Compares a statement with `assessments`, those of its supplement and topic, the leading one first. */
export const compare = (statement: Statement, assessments: readonly Assessment[]): Compared => {
  const mine = assessmentFor(statement, assessments);
  const nothing = { statement, direction: '', certainty: '', steps: null, against: '' };
  if (!assessments.length) return { ...nothing, verdict: 'not assessed' };
  if (!mine) {
    const others = assessments.map(({ population }) => keyOf(population)).join(', ');
    return { ...nothing, verdict: 'other population', against: others };
  }
  const line = lineFor(mine, statement);
  const { direction, certainty } = line ? { ...line, direction: publishedOf(line) } : mine;
  const steps = CERTAINTIES.indexOf(certainty) - CERTAINTIES.indexOf(statement.certainty);
  return {
    statement,
    verdict: verdictOf(statement.direction, direction),
    direction,
    certainty,
    steps,
    against: `${keyOf(mine.population)}${line ? `, ${line.outcome}` : ''}`,
  };
};
