/** Chooses the source of each metric of a day: exactly one, never a sum of several. Pure. */
import { type DailyRow, METRICS, type MetricGroup, type MetricId, type VendorSlug } from '../vitals.ts';

export interface ChosenValue {
  readonly value: number;
  readonly source: string;
  readonly origin: DailyRow['origin'];
  /** Other sources that have the metric on this day. */
  readonly others: readonly string[];
}

export interface ChosenDay {
  readonly day: string;
  readonly tz: string;
  readonly values: ReadonlyMap<MetricId, ChosenValue>;
}

/**
 * Patterns for the kind of a source. Worn devices know more than a phone in a pocket, especially about sleep; scales and cuffs
 * know more about weight and blood pressure. The order is our choice and not based on a study, and the page shows which source
 * was chosen.
 */
const WORN = /\b(watch|ring|band|strap|whoop|oura|garmin|polar|fitbit|amazfit|mi band|pixel watch|galaxy watch)\b/i;
const PHONE = /\b(iphone|phone|pixel|galaxy|android)\b/i;
const MEASURES = /\b(scale|withings|omron|beurer|body\+?|cuff|bpm)\b/i;

type Kind = 'vendor' | 'measures' | 'worn' | 'other' | 'phone';

const VENDOR_NAMES: ReadonlySet<string> = new Set<VendorSlug>([
  'oura',
  'whoop',
  'garmin',
  'polar',
  'google-health',
  'fitbit',
]);

const kindOf = ({ source, origin }: Pick<DailyRow, 'source' | 'origin'>): Kind => {
  if (origin === 'withings' || (origin === 'phone' && MEASURES.test(source))) return 'measures';
  if (VENDOR_NAMES.has(origin)) return 'vendor';
  if (WORN.test(source)) return 'worn';
  return PHONE.test(source) ? 'phone' : 'other';
};

const ORDERS: Readonly<Record<MetricGroup, readonly Kind[]>> = {
  movement: ['worn', 'vendor', 'phone', 'measures', 'other'],
  heart: ['vendor', 'worn', 'measures', 'other', 'phone'],
  breathing: ['vendor', 'worn', 'measures', 'other', 'phone'],
  sleep: ['vendor', 'worn', 'measures', 'other', 'phone'],
  body: ['measures', 'other', 'vendor', 'worn', 'phone'],
};
const PRESSURE: readonly Kind[] = ['measures', 'other', 'phone', 'vendor', 'worn'];

const orderOf = (id: MetricId, group: MetricGroup): readonly Kind[] =>
  id === 'systolic' || id === 'diastolic' ? PRESSURE : ORDERS[group];

/** A row with its sort keys, computed once per day, because names are matched by patterns. */
interface Ranked {
  readonly row: DailyRow;
  readonly kind: Kind;
  readonly metrics: number;
}

const ranked = (row: DailyRow): Ranked => ({ row, kind: kindOf(row), metrics: Object.keys(row.vitals).length });

/**
 * Compares two rows, highest priority first. Within one kind the source with more metrics wins, then the name, so that the choice
 * is stable.
 */
const byPriority =
  (order: readonly Kind[]) =>
  (a: Ranked, b: Ranked): number =>
    order.indexOf(a.kind) - order.indexOf(b.kind) || b.metrics - a.metrics || (a.row.source < b.row.source ? -1 : 1);

/** Metrics of one night, or of one measurement, that must come from the same source. */
const TOGETHER: readonly (readonly MetricId[])[] = [
  ['sleep_total_min', 'sleep_deep_min', 'sleep_rem_min', 'sleep_light_min', 'sleep_awake_min'],
  ['systolic', 'diastolic'],
];

const familyOf = (id: MetricId): readonly MetricId[] => TOGETHER.find((family) => family.includes(id)) ?? [id];

const chooseDay = (day: string, rows: readonly DailyRow[]): ChosenDay => {
  const values = new Map<MetricId, ChosenValue>();
  const winners = new Map<readonly MetricId[], DailyRow | null>();
  const all = rows.map(ranked);
  for (const { id, group } of METRICS) {
    const family = familyOf(id);
    if (!winners.has(family) || family.length === 1) {
      const having = all.filter(({ row }) => row.vitals[family[0] as MetricId] !== undefined);
      winners.set(family, having.toSorted(byPriority(orderOf(id, group)))[0]?.row ?? null);
    }
    const winner = winners.get(family);
    const value = winner?.vitals[id];
    if (!winner || value === undefined) continue;
    const others = rows.filter((row) => row !== winner && row.vitals[id] !== undefined).map(({ source }) => source);
    values.set(id, { value, source: winner.source, origin: winner.origin, others });
  }
  return { day, tz: rows[0]?.tz ?? '', values };
};

/**
 * Returns one day for each date, oldest first.
 * @param rows in any order.
 */
export const chooseDays = (rows: readonly DailyRow[]): readonly ChosenDay[] =>
  [...Map.groupBy(rows, ({ day }) => day)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, own]) => chooseDay(day, own));
