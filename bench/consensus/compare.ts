/** Compares what an authority says with what the base says of the same supplement, outcome and population. Pure. */
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
  /** Steps between the certainties; null where there is nothing to compare. */
  readonly steps: number | null;
  /** Which of our answers was compared: its population, and its outcome where one fitted. */
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

/** Share of the words of the shorter text that both have. */
const overlap = (one: string, other: string): number => {
  const [a, b] = [stemsOf(one), stemsOf(other)];
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / Math.max(1, Math.min(a.size, b.size));
};

const FITS = 0.5;

/** The line on the very outcome of the statement; null where the leading one is about it, or none is. */
const lineFor = ({ outcomes, lead }: Assessment, { outcome, topic }: Statement): OutcomeLine | null => {
  // "Depression" as the outcome of the question on depression is no line of its own: the answer itself is meant.
  if (overlap(topic, outcome) === 1 && stemsOf(outcome).size <= stemsOf(topic).size) return null;
  const leading = outcomes.find(({ finding }) => finding === lead);
  if (leading && overlap(leading.outcome, outcome) >= FITS) return null;
  const [best] = outcomes
    .map((line) => ({ line, share: overlap(line.outcome, outcome) }))
    .filter(({ share }) => share >= FITS)
    .toSorted((a, b) => b.share - a.share);
  return best?.line ?? null;
};

/** As the base publishes it: very low certainty gives neither a benefit nor the lack of one. */
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
 * The assessment of the very population; else, in pregnancy and childhood, that of the same stage of life; else the leading one, which is what a reader of the question meets first, where both
 * are of grown people. A result in children or in pregnancy never stands for others.
 */
const assessmentFor = (statement: Statement, assessments: readonly Assessment[]): Assessment | undefined => {
  const [lead] = assessments;
  const exact = assessments.find(({ population }) => keyOf(population) === statement.population);
  // "Calcium and pre-eclampsia" is of pregnant women, whether the statement calls pre-eclampsia an illness or the outcome.
  const [stage = ''] = statement.population.split('/');
  const sameStage = assessments.find(({ population }) => keyOf(population) === stage);
  const isNear = lead && GROWN.test(keyOf(lead.population)) && GROWN.test(statement.population);
  return exact ?? (GROWN.test(statement.population) ? undefined : sameStage) ?? (isNear ? lead : undefined);
};

/** `assessments`: those of the statement's supplement and topic, the leading one first. */
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
