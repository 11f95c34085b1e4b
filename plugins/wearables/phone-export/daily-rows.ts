/** Converts the aggregates of each source and day to rows. */
import type { DailyRow, MetricId } from '../vitals.ts';
import { type DayBook, type DaySums, isPlausible, SLOTS } from './days.ts';
import { dayText, offsetText } from './moments.ts';
import type { Night } from './sleep.ts';

/** Rounds to four decimals, so that 0.1 + 0.2 is 0.3. */
const tidy = (value: number): number => Math.round(value * 1e4) / 1e4;

/** Returns the most frequent offset; of two equally frequent ones, the first. */
const offsetOf = ({ offsets }: DaySums): string => {
  let best = 0;
  for (let at = 2; at < offsets.length; at += 2) if ((offsets[at + 1] ?? 0) > (offsets[best + 1] ?? 0)) best = at;
  const offset = offsets[best];
  return offset === undefined ? '' : offsetText(offset);
};

type Told = Partial<Record<MetricId, number>>;

/** Converts seconds to minutes. A stage without records is missing, not zero. */
const sleepOf = ({ deep, rem, core, awake, unstaged }: Night): Told => {
  const told: Told = { sleep_total_min: (deep + rem + core + unstaged) / 60 };
  if (deep) told.sleep_deep_min = deep / 60;
  if (rem) told.sleep_rem_min = rem / 60;
  if (core) told.sleep_light_min = core / 60;
  if (awake) told.sleep_awake_min = awake / 60;
  return told;
};

/** Called with an implausible value of a day, and the number of its records. */
export type OnDropped = (metric: MetricId, records: number) => void;

const vitalsOf = ({ numbers, night, segments }: DaySums, onDropped: OnDropped): Told => {
  const told: Told = {};
  for (const [slot, { metric, how }] of SLOTS.entries()) {
    const [sum, count] = [numbers[2 * slot] ?? 0, numbers[2 * slot + 1] ?? 0];
    if (!count) continue;
    const value = tidy(how === 'mean' ? sum / count : sum);
    if (isPlausible(metric, value)) told[metric] = value;
    else onDropped(metric, how === 'last' ? 1 : count);
  }
  if (!night) return told;
  const slept = sleepOf(night);
  if (!isPlausible('sleep_total_min', slept.sleep_total_min ?? 0)) onDropped('sleep_total_min', segments);
  else for (const [metric, minutes] of Object.entries(slept)) told[metric as MetricId] = tidy(minutes);
  return told;
};

/** Returns the rows by source, then by day; days without a metric are excluded. */
export const dailyRows = (book: DayBook, onDropped: OnDropped): readonly DailyRow[] =>
  book.sources().flatMap((source) =>
    [...source.days()]
      .sort(([a], [b]) => a - b)
      .map(([day, sums]) => ({
        day: dayText(day),
        tz: offsetOf(sums),
        source: source.name,
        origin: 'phone' as const,
        vitals: vitalsOf(sums, onDropped),
      }))
      .filter(({ vitals }) => Object.keys(vitals).length > 0),
  );
