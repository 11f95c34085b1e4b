/** Collects the days of one source from a vendor's responses: missing values stay missing, and implausible ones are excluded. */
import { type DailyRow, METRICS, type MetricId, type VendorSlug } from '../vitals.ts';
import { isDay } from './reading.ts';
import type { Span } from './vendor.ts';

export interface DayBook {
  /** Sets a value. Null or an implausible number changes nothing; a later value of the same day replaces the earlier one. */
  set(day: string, metric: MetricId, value: number | null): void;
  /** Adds to a sum, for values in parts, such as a night and a nap. */
  add(day: string, metric: MetricId, value: number | null): void;
  /** Adds a sample to a mean, for values that are measured several times a day. */
  sample(day: string, metric: MetricId, value: number | null): void;
  /** Sets the offset or zone of a day; the first one counts. */
  zone(day: string, tz: string | null): void;
  /** Returns the days of the span that have values, oldest first. */
  rows(span?: Span): readonly DailyRow[];
}

const LIMITS = new Map(METRICS.map(({ id, plausible }) => [id, plausible]));
/**
 * Rounds to two decimals. A day has at most some thousands of samples, and two decimals exceed the precision of all these
 * devices.
 */
const rounded = (value: number): number => Math.round(value * 100) / 100;

const isPlausible = (metric: MetricId, value: number): boolean => {
  const limits = LIMITS.get(metric);
  return limits !== undefined && value >= limits.low && value <= limits.high;
};

export const createDayBook = (origin: VendorSlug, source: string): DayBook => {
  const days = new Map<string, Map<MetricId, number[]>>();
  const zones = new Map<string, string>();
  const of = (day: string): Map<MetricId, number[]> => {
    const known = days.get(day) ?? new Map<MetricId, number[]>();
    days.set(day, known);
    return known;
  };
  const put = (day: string, metric: MetricId, next: (before: readonly number[]) => number[]): void => {
    if (isDay(day)) of(day).set(metric, next(of(day).get(metric) ?? []));
  };
  return {
    set: (day, metric, value) => {
      if (value !== null && isPlausible(metric, value)) put(day, metric, () => [value]);
    },
    add: (day, metric, value) => {
      if (value !== null) put(day, metric, ([sum = 0]) => [sum + value]);
    },
    sample: (day, metric, value) => {
      if (value !== null && isPlausible(metric, value)) put(day, metric, (before) => [...before, value]);
    },
    zone: (day, tz) => {
      if (tz && !zones.has(day)) zones.set(day, tz);
    },
    rows: (span) =>
      [...days.entries()]
        .filter(([day]) => !span || (day >= span.from && day <= span.to))
        .map(([day, metrics]) => ({ day, tz: zones.get(day) ?? '', source, origin, vitals: vitalsOf(metrics) }))
        .filter(({ vitals }) => Object.keys(vitals).length > 0)
        .sort((one, other) => one.day.localeCompare(other.day)),
  };
};

const vitalsOf = (metrics: ReadonlyMap<MetricId, readonly number[]>): DailyRow['vitals'] => {
  const means = [...metrics].map(([metric, values]): [MetricId, number] => [
    metric,
    rounded(values.reduce((sum, value) => sum + value, 0) / values.length),
  ]);
  return Object.fromEntries(means.filter(([metric, value]) => isPlausible(metric, value)));
};

/** One stretch of sleep from a vendor, in seconds; null if the vendor does not state it. */
export interface SleepSeconds {
  readonly deep: number | null;
  readonly rem: number | null;
  readonly light: number | null;
  readonly awake: number | null;
  /** Time asleep if the vendor states it; otherwise the sum of the stages is used. */
  readonly total?: number | null;
}

/** Adds a stretch of sleep. Stretches of one day are summed; one without time asleep is ignored. */
export const addSleep = (book: DayBook, day: string, { deep, rem, light, awake, total }: SleepSeconds): void => {
  const stages = [deep, rem, light].filter((seconds) => seconds !== null);
  const asleep = total ?? (stages.length ? stages.reduce((sum, seconds) => sum + seconds, 0) : null);
  if (asleep === null || asleep <= 0) return;
  const minutes = (seconds: number | null) => (seconds === null ? null : seconds / 60);
  book.add(day, 'sleep_total_min', minutes(asleep));
  book.add(day, 'sleep_deep_min', minutes(deep));
  book.add(day, 'sleep_rem_min', minutes(rem));
  book.add(day, 'sleep_light_min', minutes(light));
  book.add(day, 'sleep_awake_min', minutes(awake));
};
