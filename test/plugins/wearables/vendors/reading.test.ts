import assert from 'node:assert/strict';
import { addSleep, createDayBook } from '#plugins/wearables/vendors/days.ts';
import {
  dayIn,
  isDay,
  listOf,
  localOf,
  numberOf,
  objectOf,
  offsetOf,
  piecesOf,
  secondsOf,
} from '#plugins/wearables/vendors/reading.ts';

describe('parsing of vendor replies', () => {
  it('reads a number from a number or numeric text only', () => {
    assert.deepEqual(['6283', '44.5', '-2', 0, 7.5].map(numberOf), [6283, 44.5, -2, 0, 7.5]);
    for (const value of [null, undefined, true, '', ' 5', '5 kg', '1e3', Number.NaN, Infinity, [5], {}]) {
      assert.equal(numberOf(value), null, String(value));
    }
  });

  it('reads an object or a list only from a value of that type', () => {
    for (const value of [null, 'x', 5, ['a']]) assert.deepEqual(objectOf(value), {});
    for (const value of [null, 'x', { 0: 'a' }]) assert.deepEqual(listOf(value), []);
    assert.deepEqual(listOf([{ a: 1 }, null]), [{ a: 1 }, {}]);
  });

  it('returns a local day only for a time with an offset', () => {
    assert.deepEqual(localOf('2022-08-10T02:20:41-04:00'), { day: '2022-08-10', tz: '-04:00' });
    assert.deepEqual(localOf('2022-08-10T02:20:41.000+05:30'), { day: '2022-08-10', tz: '+05:30' });
    for (const time of ['2022-08-10T02:20:41Z', '2022-08-10T02:20:41', '2022-08-10', '', null]) {
      assert.equal(localOf(time), null);
    }
  });

  it('converts offsets both ways, and time zones across a clock change', () => {
    assert.deepEqual(['+05:30', '-04:00', 'Z', 'CET'].map(secondsOf), [19_800, -14_400, 0, null]);
    assert.deepEqual([19_800, -14_400, 0, -1_800].map(offsetOf), ['+05:30', '-04:00', '+00:00', '-00:30']);
    const before = Date.parse('2026-03-28T22:30:00Z');
    const after = Date.parse('2026-03-29T22:30:00Z');
    assert.deepEqual(
      [before, after].map((time) => dayIn(time, 'Europe/Berlin')),
      ['2026-03-28', '2026-03-30'],
    );
    assert.equal(dayIn(before, 'Mars/Olympus'), null);
  });

  it('splits a range into adjacent pieces without overlap, the newest first', () => {
    assert.deepEqual(piecesOf({ from: '2026-02-20', to: '2026-03-05' }, 7), [
      { from: '2026-02-27', to: '2026-03-05' },
      { from: '2026-02-20', to: '2026-02-26' },
    ]);
    assert.deepEqual(piecesOf({ from: '2026-03-05', to: '2026-03-05' }, 28), [
      { from: '2026-03-05', to: '2026-03-05' },
    ]);
  });
});

describe('createDayBook', () => {
  it('sums durations, averages samples, uses the last set value, and ignores invalid days', () => {
    const book = createDayBook('polar', 'Polar');
    for (const rate of [60, 71, 9_000, null]) book.sample('2026-05-25', 'avg_hr_bpm', rate);
    for (const weight of [72, 71.5, null, -3]) book.set('2026-05-25', 'weight_kg', weight);
    for (const day of ['2026-02-30', '2026-5-1', '', 'today']) book.set(day, 'steps', 1);
    assert.equal(isDay('2024-02-29') && !isDay('2026-02-29'), true);
    const stages = { deep: 600, rem: null, light: 1_200, awake: 60 };
    for (const nothing of [
      { ...stages, total: 0 },
      { deep: null, rem: null, light: null, awake: 600 },
    ]) {
      addSleep(book, '2026-05-26', nothing);
    }
    addSleep(book, '2026-05-25', stages);
    addSleep(book, '2026-05-25', { ...stages, total: 2_400 });
    assert.deepEqual(book.rows(), [
      {
        day: '2026-05-25',
        tz: '',
        source: 'Polar',
        origin: 'polar',
        vitals: {
          avg_hr_bpm: 65.5,
          weight_kg: 71.5,
          sleep_total_min: 70,
          sleep_deep_min: 20,
          sleep_light_min: 40,
          sleep_awake_min: 2,
        },
      },
    ]);
  });

  it('omits a night longer than a day', () => {
    const book = createDayBook('oura', 'Oura');
    addSleep(book, '2026-05-25', { deep: 50_000, rem: 50_000, light: null, awake: null });
    assert.deepEqual(
      book.rows().map(({ vitals }) => vitals.sleep_total_min),
      [undefined],
    );
  });
});
