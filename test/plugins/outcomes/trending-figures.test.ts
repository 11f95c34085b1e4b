import assert from 'node:assert/strict';
import { byGrowth, GUARD, growthOf, wilson, windowsOf } from '#plugins/outcomes/trending-figures.ts';

const today = new Date('2026-11-21T00:00:00Z');

describe('windowsOf()', () => {
  it('returns whole years up to the last complete year', () => {
    assert.deepEqual(windowsOf(12, today, 2026), {
      recent: { from: 2025, to: 2025 },
      previous: { from: 2024, to: 2024 },
    });
    assert.deepEqual(windowsOf(30, today, 2026), {
      recent: { from: 2023, to: 2025 },
      previous: { from: 2020, to: 2022 },
    });
  });

  it('ends with the newest year in the database when that is earlier', () => {
    assert.deepEqual(windowsOf(12, today, 2018).recent, { from: 2018, to: 2018 });
    assert.deepEqual(windowsOf(1, today, null).recent, { from: 2025, to: 2025 });
  });
});

describe('trending growth', () => {
  const base = { recent: 100, previous: 100 };

  it('is null for small counts', () => {
    const none = { change_pct: null, relative_change_pct: null, interval: null };
    assert.deepEqual(growthOf({ recent: 40, previous: GUARD - 1 }, base), none);
    assert.deepEqual(growthOf({ recent: GUARD - 1, previous: 40 }, base), none);
    assert.notEqual(growthOf({ recent: GUARD, previous: GUARD }, base).interval, null);
  });

  it('is relative to the whole database and has an interval', () => {
    const growth = growthOf({ recent: 20, previous: 10 }, base);
    assert.deepEqual([growth.change_pct, growth.relative_change_pct], [100, 100]);
    assert.ok(growth.interval && growth.interval.low < 0 && growth.interval.high > 300);
    assert.equal(growthOf({ recent: 20, previous: 10 }, { recent: 200, previous: 100 }).relative_change_pct, 0);
  });

  it('uses the Wilson score interval', () => {
    const { low, high } = wilson(10, 20);
    assert.deepEqual([low.toFixed(3), high.toFixed(3)], ['0.299', '0.701']);
  });

  it('ranks certain growth before large growth, and small counts last', () => {
    const trend = (slug: string, recent: number, previous: number) => ({
      supplement_slug: slug,
      recent_count: recent,
      ...growthOf({ recent, previous }, { recent: 1_000, previous: 1_000 }),
    });
    const ranked = [trend('tiny', 4, 1), trend('small', 15, 5), trend('large', 240, 120), trend('more', 4, 0)];
    assert.deepEqual(
      ranked.sort(byGrowth).map(({ supplement_slug: slug }) => slug),
      ['large', 'small', 'more', 'tiny'],
    );
  });
});
