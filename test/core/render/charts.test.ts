import assert from 'node:assert/strict';
import { axisFor, bandOn } from '#core/render/charts/axis.ts';
import { bars } from '#core/render/charts/bars.ts';
import { type DoseRow, doseChart, fitting } from '#core/render/charts/dose-chart.ts';
import { type YearCount, yearColumns } from '#core/render/charts/year-columns.ts';

describe('dose axis', () => {
  it('starts at zero and ends at a round number at or above the largest amount', () => {
    const axis = axisFor([250, 420]);
    assert.deepEqual([axis.from, axis.to, axis.logarithmic], [0, 500, false]);
    assert.deepEqual([axis.place(0), axis.place(250), axis.place(500), axis.place(9_000)], [0, 50, 100, 100]);
    assert.deepEqual([axis.ticks[0]?.text, axis.ticks.at(-1)?.text], ['0', '500']);
  });

  it('keeps its first and last labels inside and all others clear of them', () => {
    for (const most of [0.03, 1, 7, 12, 350, 99_000]) {
      const { ticks } = axisFor([most]);
      assert.deepEqual([ticks[0]?.anchor, ticks.at(-1)?.anchor], ['start', 'end']);
      for (const { at, anchor } of ticks.slice(1, -1))
        assert.ok(at >= 16 && at <= 84 && anchor === 'middle', String(at));
    }
  });

  it('is logarithmic when the amounts differ by more than a factor of a hundred', () => {
    const axis = axisFor([5, 0, 50_000]);
    assert.deepEqual([axis.logarithmic, axis.from, axis.to], [true, 1, 100_000]);
    assert.deepEqual([axis.place(10), axis.place(1_000), axis.place(0)], [20, 60, 0]);
  });

  it('has a length even when no amount is known', () => {
    assert.deepEqual([axisFor([]).to, axisFor([0, Number.NaN]).to], [1, 1]);
  });

  it('shows a range of a single dose as a visible band inside the axis', () => {
    const axis = axisFor([100]);
    assert.deepEqual(bandOn(axis, [50, 50], 2), { from: 49, width: 2 });
    assert.deepEqual(bandOn(axis, [100, 100], 2), { from: 98, width: 2 });
    assert.deepEqual(bandOn(axis, [0, 0], 2), { from: 0, width: 2 });
  });
});

const trial: DoseRow = { kind: 'trial', name: 'Sleep', range: [200, 300], per: 'a day', note: '' };
const upper: DoseRow = { kind: 'upper', name: 'Upper limit', range: [350, 350], per: 'a day', note: '' };
const chart = (unit: string, ...rows: readonly DoseRow[]) => doseChart({ id: 'x', title: 'X', unit, rows });

describe('dose chart', () => {
  it('places each amount on the axis and describes the whole chart in text', () => {
    const made = chart('mg', trial, upper);
    assert.deepEqual(
      made?.rows.map(({ amount, band, at }) => [amount, band, at]),
      [
        ['200 to 300 mg', { from: 50, width: 25 }, 50],
        ['350 mg', null, 87.5],
      ],
    );
    assert.equal(made?.upper, 87.5);
    assert.equal(made?.desc, 'Axis from 0 to 400 mg. Sleep: 200 to 300 mg a day. Upper limit: 350 mg a day.');
  });

  it('is null without a unit, with one amount only, or without an amount to compare with the trials', () => {
    assert.equal(chart('', trial, upper), null);
    assert.equal(chart('mg', upper), null);
    assert.equal(chart('mg', trial, trial), null);
    assert.equal(chart('mg', { ...trial, range: [0, 0] }, upper), null);
    assert.equal(chart('mg', { ...trial, range: [Number.NaN, 1] }, upper), null);
  });

  it('says in its description that the axis is logarithmic', () => {
    assert.match(
      chart('µg', { ...trial, range: [1, 5_000] }, upper)?.desc ?? '',
      /^Logarithmic axis from 1 to 10,000 µg/,
    );
  });

  it('truncates a long name for a phone at a word, and keeps the full name for the table', () => {
    const name = 'Signs of inflammation in overweight women who do not sleep well at night';
    const [row] = chart('mg', { ...trial, name }, upper)?.rows ?? [];
    assert.equal(row?.name, name);
    assert.ok((row?.label.length ?? 99) <= 42 - '200 to 300 mg'.length && row?.label.endsWith('…'));
    assert.equal(row?.long, name);
    assert.equal(fitting('short', 10), 'short');
  });
});

const sources = (...years: readonly (number | null)[]): YearCount[] =>
  years.map((year, at) => ({ year, tier: at % 2 ? 'B' : 'A', count: 1 }));

describe('chart of sources by year', () => {
  const made = (...years: readonly (number | null)[]) => yearColumns(sources(...years), { id: 'y', title: 'Y' });

  it('groups sources into spans of years, with at most ten columns, and loses none', () => {
    const chart = made(1975, 1980, 1990, 2001, 2010, 2015, 2024, null);
    assert.ok((chart?.columns.length ?? 99) <= 10);
    assert.equal(chart?.columns[0]?.years, '1975 to 1979');
    assert.deepEqual([chart?.sources, chart?.undated], [7, 1]);
    assert.equal(
      chart?.columns.reduce((sum, { total }) => sum + total, 0),
      7,
    );
  });

  it('stacks the tiers from the best up, and the tallest column fills the height', () => {
    const chart = made(2020, 2020, 2021, 2022, 2022);
    const [first] = chart?.columns ?? [];
    assert.deepEqual(first?.counts, [1, 1, 0, 0]);
    assert.deepEqual(
      first?.parts.map(({ tier, y, height }) => [tier, y, height]),
      [
        ['A', 95, 75],
        ['B', 20, 75],
      ],
    );
  });

  it('is null for fewer than five sources or three spans', () => {
    assert.equal(made(2020, 2021, 2022, 2023), null);
    assert.equal(made(2020, 2020, 2020, 2021, 2021, 2021), null);
    assert.equal(made(null, null, null, null, null), null);
    assert.equal(yearColumns([], { id: 'y', title: 'Y' }), null);
  });
});

describe('bar chart of counts', () => {
  it('scales bars to the largest count, and reports the rows that are left out', () => {
    const rows = [40, 20, 1, 0].map((count, at) => ({ name: `Form ${at}`, count, href: '' }));
    const made = bars(rows, { id: 'b', title: 'B', most: 2 });
    assert.deepEqual(
      made?.rows.map(({ width, count }) => [width, count]),
      [
        [100, 40],
        [50, 20],
      ],
    );
    assert.deepEqual(made?.more, { rows: 1, count: 1 });
    assert.equal(made?.desc, 'Form 0: 40; Form 1: 20.');
  });

  it('is null when there is nothing to compare', () => {
    assert.equal(bars([{ name: 'One', count: 9, href: '' }], { id: 'b', title: 'B' }), null);
  });
});
