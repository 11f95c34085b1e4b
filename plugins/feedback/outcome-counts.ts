/** Counts the outcomes of messages, and of ratings of answers that state what is wrong. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { LAPSED, OUTCOMES } from './outcomes.ts';
import type { FeedbackOutcomes, OutcomeFigures } from './schemas.ts';

const MONTHS = 12;
const LAST_CHANGES = 10;

export const rowsOf = async <T>(
  em: EntityManager,
  text: string,
  parameters: readonly unknown[] = [],
): Promise<readonly T[]> => (await em.execute(text, [...parameters])) as unknown as readonly T[];

export const toOneDecimal = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : Math.round(value * 10) / 10;

const STATE = `to_char(created_at at time zone 'UTC', 'YYYY-MM') as month,
  case when status = 'open' then 'open' else outcome end as state`;
/** Counts in a single statement, and thus in one snapshot: a message that is deleted concurrently counts exactly once. */
const STATES = `with counted as (
    select ${STATE}, count(*) as n from feedback group by 1, 2
    union all select ${STATE}, count(*) from answer_feedback where has_words group by 1, 2
    union all select month, outcome, messages from feedback_past)
  select month, state, sum(n)::int as n from counted group by 1, 2`;

const HOURS = `with closed as (
    select created_at, closed_at from feedback where status = 'closed'
    union all select created_at, closed_at from answer_feedback
      where status = 'closed' and has_words and outcome <> '${LAPSED}')
  select (percentile_cont(0.5) within group
    (order by greatest(0, extract(epoch from closed_at - created_at)) / 3600))::float8 as hours
  from closed where closed_at > now() - interval '12 months'`;

const CHANGES = `select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as date, path, note from feedback_change
  where note <> '' order by at desc, feedback_id limit ${LAST_CHANGES}`;

interface State {
  readonly month: string;
  /** "open", "lapsed", an outcome, or "" when no outcome was recorded. */
  readonly state: string;
  readonly n: number;
}

const figuresOf = (states: readonly State[]): OutcomeFigures => {
  const sumOf = (wanted: (state: string) => boolean): number =>
    states.filter(({ state }) => wanted(state)).reduce((sum, { n }) => sum + n, 0);
  const of = (word: string): number => sumOf((state) => state === word);
  const byOutcome = Object.fromEntries([...OUTCOMES.map((word) => [word, of(word)]), ['not_said', of('')]]);
  return {
    received: sumOf(() => true),
    open: of('open'),
    closed: sumOf((state) => state !== 'open' && state !== LAPSED),
    changed: of('changed'),
    lapsed: of(LAPSED),
    by_outcome: byOutcome as OutcomeFigures['by_outcome'],
  };
};

/** Returns the last twelve months in UTC, as "2026-11", the current one first. */
const lastMonths = (now: Date): readonly string[] =>
  Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7),
  );

const readStates = (em: EntityManager): Promise<readonly State[]> => rowsOf<State>(em, STATES);

/** Counts the outcomes of everything closed since the first day. */
export const readByOutcome = async (em: EntityManager): Promise<OutcomeFigures['by_outcome']> =>
  figuresOf(await readStates(em)).by_outcome;

export const readOutcomes = async (em: EntityManager, now = new Date()): Promise<FeedbackOutcomes> => {
  const states = await readStates(em);
  const [median] = await rowsOf<{ hours: number | null }>(em, HOURS);
  return {
    ...figuresOf(states),
    by_month: lastMonths(now).map((month) => ({
      month,
      ...figuresOf(states.filter((state) => state.month === month)),
    })),
    median_hours_to_close: toOneDecimal(median?.hours),
    last_changes: [...(await rowsOf<FeedbackOutcomes['last_changes'][number]>(em, CHANGES))],
    generated_at: now.toISOString(),
  };
};
