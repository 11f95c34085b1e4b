/** Which source counts for a metric of a day: one of them, never their sum. Pure. */
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
 * What is worn knows more than what lies in a pocket; what is worn in sleep knows more of sleep; scales and cuffs more of
 * weight and pressure. The order is ours: no study is behind it, and the page shows which source won.
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

/** A row with what its place depends on, looked up once a day: names are read by patterns. */
interface Ranked {
  readonly row: DailyRow;
  readonly kind: Kind;
  readonly metrics: number;
}

const ranked = (row: DailyRow): Ranked => ({ row, kind: kindOf(row), metrics: Object.keys(row.vitals).length });

/** Lower comes first; of one kind the source with more metrics, then by name, so that the choice never wavers. */
const byPriority =
  (order: readonly Kind[]) =>
  (a: Ranked, b: Ranked): number =>
    order.indexOf(a.kind) - order.indexOf(b.kind) || b.metrics - a.metrics || (a.row.source < b.row.source ? -1 : 1);

/** Parts of one night, or of one reading, come from one source together. */
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

/** @param rows of any order; answers one of each day, the oldest first. */
export const chooseDays = (rows: readonly DailyRow[]): readonly ChosenDay[] =>
  [...Map.groupBy(rows, ({ day }) => day)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, own]) => chooseDay(day, own));
