/** Builds the section of /feedback about the outcomes of feedback. */
import { type Static, Type } from 'typebox';
import { OUTCOME_WORDS, OUTCOMES } from './outcomes.ts';
import type { FeedbackOutcomes } from './schemas.ts';

const count = Type.Integer();

export const OutcomesView = Type.Object({
  received: count,
  /** For example "Of 12 messages so far, 3 led to a change." */
  sum: Type.String(),
  /** Numbers of closed messages, of open ones, and of those deleted before anybody closed them. */
  state: Type.String(),
  /** Time until messages were closed; "" when none was closed recently. */
  time: Type.String(),
  rows: Type.Array(Type.Object({ name: Type.String(), count })),
  months: Type.Array(Type.Object({ name: Type.String(), received: count, closed: count, changed: count })),
  changes: Type.Array(Type.Object({ date: Type.String(), path: Type.String(), note: Type.String() })),
});
export type OutcomesView = Static<typeof OutcomesView>;

const numbers = new Intl.NumberFormat('en-GB');
const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const messages = (n: number): string => `${numbers.format(n)} ${n === 1 ? 'message' : 'messages'}`;

/** Formats a duration in hours up to two days, then in days. */
const timeInWords = (hours: number): string => {
  if (hours < 1) return 'an hour';
  const [value, unit] = hours < 48 ? [Math.round(hours), 'hour'] : [Math.round(hours / 24), 'day'];
  return `${numbers.format(value)} ${unit}${value === 1 ? '' : 's'}`;
};

const stateOf = ({ closed, open, lapsed }: FeedbackOutcomes): string => {
  const parts = [`${numbers.format(closed)} closed`, `${numbers.format(open)} open`];
  if (lapsed) parts.push(`${numbers.format(lapsed)} deleted by age before anybody closed them`);
  return `${parts.join(', ')}.`;
};

export const outcomesView = (outcomes: FeedbackOutcomes): OutcomesView => {
  const { received, changed, by_outcome: byOutcome, by_month: byMonth, median_hours_to_close: hours } = outcomes;
  return {
    received,
    sum: `Of ${messages(received)} so far, ${changed ? numbers.format(changed) : 'none'} led to a change.`,
    state: stateOf(outcomes),
    time: hours === null ? '' : `Half of those closed in the last 12 months were closed within ${timeInWords(hours)}.`,
    rows: ([...OUTCOMES, 'not_said'] as const)
      .map((word) => ({ name: OUTCOME_WORDS[word], count: byOutcome[word] }))
      .filter((row) => row.count > 0),
    months: byMonth
      .filter((month) => month.received > 0)
      .map(({ month, received: came, closed, changed: changes }) => ({
        name: monthFormat.format(new Date(`${month}-01T00:00:00Z`)),
        received: came,
        closed,
        changed: changes,
      })),
    changes: outcomes.last_changes,
  };
};
