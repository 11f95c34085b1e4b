/** Tests which days before and with a supplement or medicine are compared, and which are not. */
import assert from 'node:assert/strict';
import { type DayMaterial, dayInsights } from '#plugins/labs/days/day-insights.ts';
import { daysBesideView, spanBeside } from '#plugins/labs/days/days-view.ts';
import type { DaySeries } from '#plugins/labs/days/keeper.ts';
import { middleOf } from '#plugins/labs/days/quartiles.ts';
import { beforeOf, comparableFrom, eachDay, plusDays, withOf } from '#plugins/labs/days/windows.ts';
import type { LogEntry } from '#plugins/labs/supplements/kept-entry.ts';

const entryOf = (more: Partial<LogEntry> = {}): LogEntry => ({
  kind: 'supplement',
  slug: 'magnesium',
  slugKind: 'supplement',
  name: 'Magnesium',
  given: '',
  isGuess: false,
  dsldId: '',
  doseAmount: null,
  doseUnit: '',
  frequency: '',
  timeOfDay: '',
  startedAt: '2026-03-01',
  stoppedAt: null,
  reason: '',
  targets: [],
  unknownTargets: [],
  logId: 1,
  createdAt: '2026-03-01T00:00:00.000Z',
  revision: 1,
  ...more,
});

type Of = (day: string) => { readonly value?: number; readonly source?: string } | null;

/** Returns a series with one value for each day for which `of` returns one; null means that nothing is known. */
const seriesOf = (of: Of, more: Partial<DaySeries> = {}, from = '2026-01-01', to = '2026-05-31'): DaySeries => ({
  id: 'resting_hr_bpm',
  name: 'Resting heart rate',
  unit: '/min',
  shownUnit: '/min',
  digits: 0,
  note: '',
  isMain: true,
  group: '',
  method: null,
  points: eachDay({ from, to }).flatMap((day) => {
    const known = of(day);
    return known ? [{ day, value: known.value ?? 60, source: known.source ?? 'Watch' }] : [];
  }),
  href: '/wearables/data',
  format: String,
  ...more,
});

const compared = (series: readonly DaySeries[], more: Partial<DayMaterial> = {}) =>
  dayInsights({
    series,
    held: { from: '2026-01-01', to: '2026-05-31' },
    log: [entryOf()],
    today: '2026-09-01',
    ...more,
  });
const only = (series: readonly DaySeries[], more: Partial<DayMaterial> = {}) => {
  const [entry] = compared(series, more);
  assert.ok(entry);
  return entry;
};
const lower: Of = (day) => ({ value: day <= '2026-03-01' ? 60 : 55 });

describe('calendar days', () => {
  it('are counted without a clock: none is skipped or repeated when clocks change', () => {
    assert.deepEqual(eachDay({ from: '2026-03-28', to: '2026-03-31' }), [
      '2026-03-28',
      '2026-03-29',
      '2026-03-30',
      '2026-03-31',
    ]);
    assert.deepEqual([plusDays('2026-10-24', 2), plusDays('2024-02-28', 2)], ['2026-10-26', '2024-03-01']);
  });

  it('are the 28 days up to the start, and the last 28 days from 28 days after the start', () => {
    const entry = entryOf();
    assert.deepEqual(beforeOf(entry), { from: '2026-02-02', to: '2026-03-01' });
    assert.equal(comparableFrom(entry), '2026-04-25');
    assert.equal(withOf(entry, '2026-04-24'), null);
    assert.deepEqual(withOf(entry, '2026-04-25'), { from: '2026-03-29', to: '2026-04-25' });
    assert.deepEqual(withOf(entry, '2026-08-01'), { from: '2026-07-05', to: '2026-08-01' });
    assert.deepEqual(withOf({ ...entry, stoppedAt: '2026-06-30' }, '2026-08-01'), {
      from: '2026-06-03',
      to: '2026-06-30',
    });
    assert.equal(withOf({ ...entry, stoppedAt: '2026-04-01' }, '2026-08-01'), null);
  });

  it('span 90 days either side of the blood draws within the stored days, or a year without draws', () => {
    const held = { from: '2024-01-01', to: '2026-05-31' };
    assert.deepEqual(spanBeside(['2025-06-01', '2026-01-01'], held), { from: '2025-03-03', to: '2026-04-01' });
    assert.deepEqual(spanBeside([], held), { from: '2025-06-01', to: '2026-05-31' });
    assert.equal(spanBeside(['2020-01-01'], held), null);
  });
});

describe('middleOf', () => {
  it('returns the median and quartiles as R, NumPy and Excel do by default (type 7)', () => {
    assert.deepEqual(middleOf([4, 1, 3, 2]), { median: 2.5, q1: 1.75, q3: 3.25 });
    assert.deepEqual(middleOf([7]), { median: 7, q1: 7, q3: 7 });
    assert.deepEqual(middleOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), { median: 5.5, q1: 3.25, q3: 7.75 });
  });
});

describe('dayInsights', () => {
  it('compares by median, middle half and number of days, with weak strength at most', () => {
    const { compared: all, whole } = only([seriesOf(lower)]);
    assert.equal(whole, null);
    assert.deepEqual(
      all.map(({ source, before, after, strength }) => ({ source, before, after, strength })),
      [
        {
          source: 'Watch',
          before: { from: '2026-02-02', to: '2026-03-01', days: 28, median: 60, q1: 60, q3: 60 },
          after: { from: '2026-05-04', to: '2026-05-31', days: 28, median: 55, q1: 55, q3: 55 },
          strength: 'weak',
        },
      ],
    );
  });

  it('returns insufficient strength when the middle halves touch or another entry was started or stopped', () => {
    const touching = only([seriesOf((day) => ({ value: 58 + (Number(day.slice(-1)) % 5) }))]);
    assert.equal(touching.compared[0]?.strength, 'insufficient');
    const iron = entryOf({ logId: 2, slug: 'iron', name: 'Iron', startedAt: '2025-01-01', stoppedAt: '2026-04-01' });
    const [first] = compared([seriesOf(lower)], { log: [entryOf(), iron] });
    assert.equal(first?.compared[0]?.strength, 'insufficient');
    assert.match(first?.caveats.join(' ') ?? '', /Iron was stopped/);
  });

  it('needs 14 days on each side, and does not count missing days', () => {
    const gaps = (most: number): Of => {
      let early = 0;
      return (day) => {
        if (day > '2026-03-01' || day < '2026-02-02') return {};
        early += 1;
        return early <= most ? {} : null;
      };
    };
    assert.equal(only([seriesOf(gaps(14))]).compared[0]?.before.days, 14);
    const { compared: none, uncompared } = only([seriesOf(gaps(13))]);
    assert.deepEqual(none, []);
    assert.deepEqual(
      uncompared.map(({ reason, words }) => [reason, words]),
      [['few_days', '13 days before, 28 with it']],
    );
  });

  it('compares days of one source only, and no days when the sources before and after differ', () => {
    const mixed = only([seriesOf((day) => ({ source: Number(day.slice(-2)) % 5 ? 'Watch' : 'Phone' }))]);
    assert.deepEqual(
      mixed.compared.map(({ source, before, after, leftOut }) => [source, before.days, after.days, leftOut]),
      [['Watch', 23, 22, { before: 5, after: 6 }]],
    );
    const moved = only([seriesOf((day) => ({ source: day < '2026-04-01' ? 'Watch' : 'Ring' }))]);
    assert.deepEqual(moved.compared, []);
    assert.deepEqual(
      moved.uncompared.map(({ reason, words }) => [reason, words]),
      [['other_source', 'from Watch before and from Ring with it']],
    );
  });

  it('never compares two methods, and reports the reason once', () => {
    const hrv = (name: string, of: Of) =>
      seriesOf(of, { id: `hrv_${name.toLowerCase()}_ms`, name, method: { of: 'Heart rate variability', name } });
    const { compared: none, uncompared } = only([
      hrv('SDNN', (day) => (day < '2026-03-20' ? {} : null)),
      hrv('RMSSD', (day) => (day < '2026-03-20' ? null : {})),
    ]);
    assert.deepEqual(none, []);
    assert.deepEqual(
      uncompared.map(({ reason, words }) => [reason, words]),
      [['other_method', 'SDNN before and RMSSD with it, which are two measures']],
    );
  });

  it('states from which day a recent entry can be compared, and why others cannot', () => {
    const whole = (more: Partial<LogEntry>, rest: Partial<DayMaterial> = {}) =>
      only([seriesOf(lower)], { log: [entryOf(more)], ...rest }).whole;
    assert.deepEqual(whole({}, { today: '2026-04-24' }), {
      reason: 'too_young',
      words: 'a comparison is possible from 25 April 2026 on.',
      possibleFrom: '2026-04-25',
    });
    assert.equal(whole({}, { today: '2026-04-25' }), null);
    assert.equal(whole({ stoppedAt: '2026-04-24' })?.reason, 'stopped_early');
    assert.equal(whole({ startedAt: '2025-12-31' })?.reason, 'no_days_before');
    assert.equal(whole({ startedAt: '2026-05-01' })?.reason, 'days_end');
    const again = entryOf({ logId: 2, startedAt: '2026-01-10', stoppedAt: '2026-02-28' });
    assert.equal(
      only([seriesOf(lower)], { log: [entryOf(), again] }).whole?.reason,
      'taken_before',
      'the days before were days with it',
    );
  });
});

describe('daysBesideView', () => {
  const view = (from: string, to: string) =>
    daysBesideView(
      [seriesOf((day) => (day === '2026-03-04' ? null : { value: Number(day.slice(-2)) }), {}, from, to)],
      {
        span: { from, to },
        held: { from, to },
        draws: [],
        log: [],
        showHref: '/wearables/data',
      },
    );

  it('has a table of weeks with their day counts, or of months when the chart shows weeks', () => {
    const short = view('2026-03-02', '2026-03-10');
    assert.equal(short.periodName, 'Week from');
    assert.deepEqual(short.measures[0]?.rows, [
      { period: '9 March 2026', means: ['9.5'], days: 2 },
      { period: '2 March 2026', means: ['5.166666666666667'], days: 6 },
    ]);
    const long = view('2026-01-01', '2026-06-30');
    assert.equal(long.periodName, 'Month');
    assert.deepEqual(
      long.measures[0]?.rows.map(({ period, days }) => `${period}: ${days}`),
      ['June 2026: 30', 'May 2026: 31', 'April 2026: 30', 'March 2026: 30', 'February 2026: 28', 'January 2026: 31'],
    );
  });
});
