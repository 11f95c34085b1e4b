import assert from 'node:assert/strict';
import { chooseDays } from '#plugins/wearables/daily/choose.ts';
import { seriesOf } from '#plugins/wearables/daily/series.ts';
import type { DailyRow, Vitals } from '#plugins/wearables/vitals.ts';

const row = (source: string, vitals: Vitals, rest: Partial<DailyRow> = {}): DailyRow => ({
  day: '2026-03-01',
  tz: '+01:00',
  source,
  origin: 'phone',
  vitals,
  ...rest,
});
const chosen = (...rows: DailyRow[]) =>
  chooseDays(rows).flatMap(({ values }) => [...values].map(([id, { value, source }]) => `${id} ${value} ${source}`));

describe('the source that counts', () => {
  it('is one for each metric of a day, what is worn before what lies in a pocket, and never a sum', () => {
    const rows = [
      row('iPhone', { steps: 4_000 }),
      row('Ada’s Apple Watch', { steps: 9_000 }),
      row('Pedometer', { steps: 70 }),
    ];
    assert.deepEqual(chosen(...rows), ['steps 9000 Ada’s Apple Watch']);
    assert.deepEqual(chosen(...rows.toReversed()), ['steps 9000 Ada’s Apple Watch']);
    assert.deepEqual(chosen(rows[0] as DailyRow), ['steps 4000 iPhone']);
  });

  it('is another for another metric: a scale for weight, a ring for the night', () => {
    assert.deepEqual(
      chosen(
        row('Apple Watch', { steps: 9_000, sleep_total_min: 400, weight_kg: 70 }),
        row('Oura', { sleep_total_min: 420, steps: 8_000 }, { origin: 'oura' }),
        row('Withings', { weight_kg: 71.2 }, { origin: 'withings' }),
      ),
      ['steps 9000 Apple Watch', 'sleep_total_min 420 Oura', 'weight_kg 71.2 Withings'],
    );
  });

  it('is the same for all parts of a night and of a blood pressure', () => {
    assert.deepEqual(
      chosen(
        row('Apple Watch', { sleep_total_min: 400, sleep_deep_min: 60, sleep_rem_min: 90 }),
        row('Oura', { sleep_total_min: 420, sleep_deep_min: 80 }, { origin: 'oura' }),
        row('Omron', { systolic: 121, diastolic: 79 }),
        row('Notebook', { diastolic: 60 }),
      ),
      ['systolic 121 Omron', 'diastolic 79 Omron', 'sleep_total_min 420 Oura', 'sleep_deep_min 80 Oura'],
    );
  });

  it('names the others that have the metric, and keeps days in order', () => {
    const days = chooseDays([
      row('iPhone', { steps: 1 }, { day: '2026-03-02' }),
      row('iPhone', { steps: 2 }),
      row('Watch', { steps: 3 }),
    ]);
    assert.deepEqual(
      days.map(({ day, values }) => [day, values.get('steps')?.others]),
      [
        ['2026-03-01', ['iPhone']],
        ['2026-03-02', []],
      ],
    );
  });
});

describe('a metric as a line', () => {
  const words = String;
  const points = (...values: (readonly [string, number])[]) => values.map(([day, value]) => ({ day, value }));

  it('breaks where nothing is known, and shows a lone day as a dot', () => {
    const series = seriesOf(points(['2026-03-01', 10], ['2026-03-02', 20], ['2026-03-05', 30], ['2026-03-11', 10]), {
      from: '2026-03-01',
      to: '2026-03-11',
      words,
      marks: [
        { day: '2026-03-04', number: 1 },
        { day: '2026-04-01', number: 2 },
      ],
    });
    assert.deepEqual(series, {
      path: 'M0 96L100 50',
      dots: [
        { x: 400, y: 4 },
        { x: 1000, y: 96 },
      ],
      low: '10',
      high: '30',
      isWeekly: false,
      marks: [{ x: 300, number: 1 }],
    });
  });

  it('is of weeks where days would be too many, each the mean of what it has', () => {
    const series = seriesOf(points(['2026-01-05', 10], ['2026-01-11', 30], ['2026-01-12', 50]), {
      from: '2026-01-05',
      to: '2026-06-30',
      words,
    });
    assert.deepEqual(
      [series?.isWeekly, series?.low, series?.high, series?.path.startsWith('M0 96L')],
      [true, '20', '50', true],
    );
  });

  it('needs two days, and lies in the middle when nothing changes', () => {
    assert.equal(seriesOf(points(['2026-03-01', 10]), { from: '2026-03-01', to: '2026-03-01', words }), null);
    const flat = seriesOf(points(['2026-03-01', 10], ['2026-03-02', 10]), {
      from: '2026-03-01',
      to: '2026-03-02',
      words,
    });
    assert.equal(flat?.path, 'M0 50L1000 50');
  });
});
