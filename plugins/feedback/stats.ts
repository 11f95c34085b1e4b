/** Computes feedback statistics: counts only, never a text or an address. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { readByOutcome, rowsOf, toOneDecimal } from './outcome-counts.ts';
import type { FeedbackStats } from './schemas.ts';

const WHOLE = `select count(*)::int as total, (count(*) filter (where status = 'open'))::int as open,
  avg(rating)::float8 as rating,
  (count(*) filter (where created_at > now() - interval '7 days'))::int as week,
  (percentile_cont(0.5) within group (order by extract(epoch from closed_at - created_at) / 3600)
    filter (where closed_at is not null))::float8 as hours
  from feedback`;
const CATEGORIES = 'select category as name, count(*)::int as n from feedback group by 1';
const TARGETS = "select target_type as name, count(*)::int as n from feedback where target_type <> '' group by 1";
const VOTES = `select rating as name, count(*)::int as n, (count(*) filter (where status = 'open'))::int as open
  from answer_feedback group by 1`;
const REASONS = `select reason as name, count(*)::int as n
  from answer_feedback, jsonb_array_elements_text(reasons) as reason group by 1`;

interface Counted {
  readonly name: string;
  readonly n: number;
}

const countsOf = (rows: readonly Counted[]): Record<string, number> =>
  Object.fromEntries(rows.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ name, n }) => [name, n]));

export const readFeedbackStats = async (em: EntityManager): Promise<FeedbackStats> => {
  const [whole] = await rowsOf<{
    total: number;
    open: number;
    rating: number | null;
    week: number;
    hours: number | null;
  }>(em, WHOLE);
  const votes = await rowsOf<Counted & { readonly open: number }>(em, VOTES);
  const votesOf = (rating: string): number => votes.find(({ name }) => name === rating)?.n ?? 0;
  return {
    total: whole?.total ?? 0,
    open: whole?.open ?? 0,
    by_category: countsOf(await rowsOf(em, CATEGORIES)),
    by_outcome: await readByOutcome(em),
    by_target_type: countsOf(await rowsOf(em, TARGETS)),
    rating_avg: toOneDecimal(whole?.rating),
    chat: {
      up: votesOf('up'),
      down: votesOf('down'),
      by_reason: countsOf(await rowsOf(em, REASONS)),
      open: votes.reduce((sum, { open }) => sum + open, 0),
    },
    last_7_days: whole?.week ?? 0,
    median_hours_to_close: toOneDecimal(whole?.hours),
    generated_at: new Date().toISOString(),
  };
};
