import assert from 'node:assert/strict';
import { daySeries } from '#plugins/wearables/daily/beside-labs.ts';
import { chooseDays } from '#plugins/wearables/daily/choose.ts';
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

describe('chooseDays', () => {
  it('selects one source per metric and day, a worn device before a phone, and never adds sources', () => {
    const rows = [
      row('iPhone', { steps: 4_000 }),
      row('Ada’s Apple Watch', { steps: 9_000 }),
      row('Pedometer', { steps: 70 }),
    ];
    assert.deepEqual(chosen(...rows), ['steps 9000 Ada’s Apple Watch']);
    assert.deepEqual(chosen(...rows.toReversed()), ['steps 9000 Ada’s Apple Watch']);
    assert.deepEqual(chosen(rows[0] as DailyRow), ['steps 4000 iPhone']);
  });

  it('selects the source by metric: a scale for weight, a ring for sleep', () => {
    assert.deepEqual(
      chosen(
        row('Apple Watch', { steps: 9_000, sleep_total_min: 400, weight_kg: 70 }),
        row('Oura', { sleep_total_min: 420, steps: 8_000 }, { origin: 'oura' }),
        row('Withings', { weight_kg: 71.2 }, { origin: 'withings' }),
      ),
      ['steps 9000 Apple Watch', 'sleep_total_min 420 Oura', 'weight_kg 71.2 Withings'],
    );
  });

  it('selects the same source for all parts of a night and of a blood pressure', () => {
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

  it('lists the other sources of a metric, and orders the days', () => {
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

describe('daySeries', () => {
  it('returns one source per day, the main measures first, and HRV separated by method', () => {
    const series = daySeries([
      row('Watch', { steps: 9_000, resting_hr_bpm: 58, hrv_sdnn_ms: 41, systolic: 120, diastolic: 80 }),
      row('iPhone', { steps: 4_000 }),
      row('Ring', { hrv_rmssd_ms: 33, resp_rate: 14 }, { origin: 'oura', day: '2026-03-02' }),
    ]);
    assert.deepEqual(
      series.map(({ id, group, method, isMain, points }) => [
        id,
        group,
        method?.name ?? '',
        isMain,
        points.map(({ day, value, source }) => `${day} ${value} ${source}`).join(),
      ]),
      [
        ['resting_hr_bpm', '', '', true, '2026-03-01 58 Watch'],
        ['hrv_rmssd_ms', '', 'RMSSD', true, '2026-03-02 33 Ring'],
        ['hrv_sdnn_ms', '', 'SDNN', true, '2026-03-01 41 Watch'],
        ['systolic', 'Blood pressure', '', true, '2026-03-01 120 Watch'],
        ['diastolic', 'Blood pressure', '', true, '2026-03-01 80 Watch'],
        ['steps', '', '', true, '2026-03-01 9000 Watch'],
        ['resp_rate', '', '', false, '2026-03-02 14 Ring'],
      ],
    );
  });

  it('distinguishes a ring in a phone export from the same ring connected at its vendor', () => {
    const [weight] = daySeries([
      row('Oura', { weight_kg: 70 }),
      row('Oura', { weight_kg: 71 }, { origin: 'oura', day: '2026-03-02' }),
    ]);
    assert.deepEqual(
      weight?.points.map(({ source }) => source),
      ['Oura (phone export)', 'Oura (oura)'],
    );
  });
});
