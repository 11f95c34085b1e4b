/** Pools trials of one question that no review has pooled, when outcome, measure, unit and comparator agree. Pure functions. */
import type { Finding } from '#plugins/findings/index.ts';
import { isRatio } from './finding-certainty.ts';
import { pool } from './pool.ts';

/** Minimum number of trials for pooling; fewer are shown one by one. */
const LEAST = 3;
/** Width of a 95 % interval, in standard errors. */
const WIDTH = 2 * 1.959964;
const POOLABLE = ['MD', 'SMD'];

const groupOf = ({ outcome, measure, unit, comparator, importance, betterWhen }: Finding): string =>
  JSON.stringify([outcome.toLowerCase(), measure, unit, comparator, importance, betterWhen]);

const toInput = (finding: Finding) => {
  const { estimate, low, high } = finding;
  if (estimate === null || low === null || high === null || high <= low) return null;
  if (!isRatio(finding)) return { effect: estimate, variance: ((high - low) / WIDTH) ** 2 };
  if (low <= 0) return null;
  return { effect: Math.log(estimate), variance: ((Math.log(high) - Math.log(low)) / WIDTH) ** 2 };
};

const rounded = (value: number): number => Number(value.toPrecision(3));

/** Returns the direction of a pooled interval for the person. */
const directionOf = (
  low: number,
  high: number,
  nothing: number,
  betterWhen: Finding['betterWhen'],
): Finding['direction'] => {
  if ((low <= nothing && high >= nothing) || !betterWhen) return 'unclear';
  return low > nothing === (betterWhen === 'higher') ? 'better' : 'worse';
};

const poolGroup = (trials: readonly Finding[]): Finding | null => {
  const inputs = trials.map(toInput);
  const [first] = trials.toSorted((a, b) => (b.participants ?? 0) - (a.participants ?? 0));
  if (!first || trials.length < LEAST || inputs.some((input) => input === null)) return null;
  const pooled = pool(inputs as NonNullable<(typeof inputs)[number]>[]);
  if (!pooled) return null;
  const back = isRatio(first) ? Math.exp : (value: number) => value;
  const [estimate, low, high] = [pooled.estimate, pooled.low, pooled.high].map((value) => rounded(back(value)));
  const people = trials.reduce((total, { participants }) => total + (participants ?? 0), 0);
  const biases = trials.map(({ bias }) => bias);
  return {
    ...first,
    estimate: estimate ?? null,
    low: low ?? null,
    high: high ?? null,
    participants: people || null,
    studies: trials.length,
    i2: Math.round(pooled.i2),
    certainty: '',
    bias: biases.includes('high') ? 'high' : biases.every((bias) => bias === 'low') ? 'low' : 'some',
    design: 'meta-analysis',
    direction: directionOf(low ?? 0, high ?? 0, isRatio(first) ? 1 : 0, first.betterWhen),
    summary: `${trials.length} trials pooled here, ${people.toLocaleString('en-GB')} people: ${first.summary}`,
  };
};

/** Returns one pooled finding for each group of three or more trials, without the trials themselves. */
export const poolFindings = (findings: readonly Finding[]): readonly Finding[] => {
  const trials = findings.filter(
    ({ design, measure }) => design === 'rct' && (POOLABLE.includes(measure) || isRatio({ measure })),
  );
  return [...Map.groupBy(trials, groupOf).values()].flatMap((group) => poolGroup(group) ?? []);
};
