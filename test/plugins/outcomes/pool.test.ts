import assert from 'node:assert/strict';
import { type Pooled, type PooledInput, pool } from '#plugins/outcomes/grading/pool.ts';

/** Raudenbush (1985): teacher expectancy, 19 studies; `dat.raudenbush1985` of metadat. */
const EXPECTANCY_EFFECTS = [
  0.03, 0.12, -0.14, 1.18, 0.26, -0.06, -0.02, -0.32, 0.27, 0.8, 0.54, 0.18, -0.02, 0.23, -0.18, -0.06, 0.3, 0.07,
  -0.07,
];
const EXPECTANCY_VARIANCES = [
  0.0156, 0.0216, 0.0279, 0.1391, 0.1362, 0.0106, 0.0106, 0.0484, 0.0269, 0.063, 0.0912, 0.0497, 0.0835, 0.0841, 0.0253,
  0.0279, 0.0193, 0.0088, 0.0303,
];
const EXPECTANCY: readonly PooledInput[] = EXPECTANCY_EFFECTS.map((effect, at) => ({
  effect,
  variance: EXPECTANCY_VARIANCES[at] ?? 0,
}));

/** Colditz and others (1994): BCG vaccine; cases and non-cases, treated and control; `dat.bcg` of metadat. */
const BCG_TABLE = [
  [4, 119, 11, 128],
  [6, 300, 29, 274],
  [3, 228, 11, 209],
  [62, 13_536, 248, 12_619],
  [33, 5_036, 47, 5_761],
  [180, 1_361, 372, 1_079],
  [8, 2_537, 10, 619],
  [505, 87_886, 499, 87_892],
  [29, 7_470, 45, 7_232],
  [17, 1_699, 65, 1_600],
  [186, 50_448, 141, 27_197],
  [5, 2_493, 3, 2_338],
  [27, 16_886, 29, 17_825],
] as const;
const BCG: readonly PooledInput[] = BCG_TABLE.map(([treated, well, control, wellControl]) => ({
  effect: Math.log(treated / (treated + well)) - Math.log(control / (control + wellControl)),
  variance: 1 / treated - 1 / (treated + well) + 1 / control - 1 / (control + wellControl),
}));

const pooled = (trials: readonly PooledInput[]): Pooled => pool(trials) ?? assert.fail('nothing was pooled');
const assertFigures = (trials: readonly PooledInput[], expected: Partial<Pooled>, digits = 4): void => {
  const found = pooled(trials);
  for (const [name, value] of Object.entries(expected))
    assert.equal(found[name as keyof Pooled].toFixed(digits), value.toFixed(digits), name);
};

describe('pool()', () => {
  it('matches metafor for the teacher expectancy trials', () => {
    assertFigures(EXPECTANCY, { estimate: 0.0837, low: -0.0457, high: 0.2131, tau2: 0.0188 });
    assert.equal(pooled(EXPECTANCY).trials, 19);
  });

  it('matches metafor for the log risk ratios of the BCG trials', () => {
    assertFigures(BCG, { estimate: -0.7145, low: -1.1084, high: -0.3206, tau2: 0.3132 });
    assertFigures(BCG, { i2: 92.22 }, 2);
  });

  it('returns a prediction interval wider than the confidence interval with the same centre', () => {
    for (const trials of [EXPECTANCY, BCG]) {
      const { estimate, low, high, predictionLow, predictionHigh } = pooled(trials);
      assert.ok(predictionLow < low && high < predictionHigh);
      assert.ok(Math.abs((predictionLow + predictionHigh) / 2 - estimate) < 1e-9);
    }
  });

  it('returns no between-trial variance for trials that agree', () => {
    const { tau2, i2, estimate } = pooled([0.2, 0.2, 0.2].map((effect) => ({ effect, variance: 0.04 })));
    assert.deepEqual([tau2, i2, estimate.toFixed(6)], [0, 0, '0.200000']);
  });

  it('does not depend on the order of the trials', () => {
    const [one, other] = [pooled(BCG), pooled(BCG.toReversed())];
    assert.ok(Math.abs(one.estimate - other.estimate) < 1e-9 && Math.abs(one.tau2 - other.tau2) < 1e-9);
  });

  it('returns null for fewer than two trials', () => {
    assert.equal(pool([]), null);
    assert.equal(pool(BCG.slice(0, 1)), null);
  });

  it('returns null when a variance is zero, negative or NaN', () => {
    for (const variance of [0, -0.1, Number.NaN])
      assert.equal(pool([...BCG, { effect: 0.1, variance }]), null, String(variance));
  });
});
