import { strict as assert } from 'node:assert';
import { figureIn, growthOf } from '../../../bench/scale/soak-watch.ts';

/** Builds twenty samples over ten minutes. */
const series = (mb: (minute: number) => number): [number, number][] =>
  Array.from({ length: 20 }, (_, at) => [(at + 1) / 2, mb((at + 1) / 2)]);

describe('memory growth detection', () => {
  it('reports fluctuating memory as flat', () => {
    const { isFlat, share } = growthOf(
      series((minute) => 500 + 20 * Math.sin(minute * 5)),
      0.05,
    );
    assert.ok(isFlat, String(share));
  });

  it('ignores the first third of the samples, while caches fill', () => {
    assert.equal(
      growthOf(
        series((minute) => (minute < 3 ? 200 + 100 * minute : 500)),
        0.02,
      ).isFlat,
      true,
    );
  });

  it('reports a leak as growth despite noise', () => {
    const growth = growthOf(
      series((minute) => 500 + 8 * minute + 5 * Math.sin(minute * 5)),
      0.05,
    );
    assert.equal(growth.isFlat, false);
    assert.ok(Math.abs(growth.perMinuteMb - 8) < 1, String(growth.perMinuteMb));
  });

  it('reads a metric by its full name, including labels', () => {
    const text = 'a_seconds{of="mean"} 1\na_seconds{of="p99"} 0.25\na 7\n';
    assert.equal(figureIn(text, 'a_seconds{of="p99"}'), 0.25);
    assert.equal(figureIn(text, 'a'), 7);
    assert.ok(Number.isNaN(figureIn(text, 'b')));
  });
});
