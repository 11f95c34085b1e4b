/**
 * Pools the effects of trials: random effects by restricted maximum likelihood (REML), the Hartung–Knapp interval, and a
 * prediction interval. The results equal those of `rma(yi, vi, test = "knha")` of the R package metafor. Pure functions.
 */
import jstat from 'jstat';

/** An effect on an approximately normal scale (a logarithm for ratios), with its variance. */
export interface PooledInput {
  readonly effect: number;
  readonly variance: number;
}

export interface Pooled {
  readonly estimate: number;
  /** Limits of the 95 % interval. */
  readonly low: number;
  readonly high: number;
  /** Limits of the 95 % prediction interval of the effect in a further trial. */
  readonly predictionLow: number;
  readonly predictionHigh: number;
  /** Variance between trials. */
  readonly tau2: number;
  /** Share of the variance that is between trials, in per cent. */
  readonly i2: number;
  readonly trials: number;
}

const MOST_STEPS = 200;
const PRECISION = 1e-10;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Returns the weighted mean for a given variance between trials. */
const meanFor = (trials: readonly PooledInput[], tau2: number) => {
  const weights = trials.map(({ variance }) => 1 / (variance + tau2));
  const total = sum(weights);
  return { weights, total, mean: sum(trials.map(({ effect }, at) => effect * (weights[at] ?? 0))) / total };
};

/** Performs one step of Fisher scoring for REML. */
const nextTau2 = (trials: readonly PooledInput[], tau2: number): number => {
  const { weights, total, mean } = meanFor(trials, tau2);
  const squares = sum(weights.map((weight) => weight ** 2));
  const cubes = sum(weights.map((weight) => weight ** 3));
  const residuals = sum(trials.map(({ effect }, at) => (weights[at] ?? 0) ** 2 * (effect - mean) ** 2));
  const trace = total - squares / total;
  const information = squares - (2 * cubes) / total + (squares / total) ** 2;
  return Math.max(0, tau2 + (residuals - trace) / information);
};

const betweenTrials = (trials: readonly PooledInput[]): number => {
  let tau2 = 0;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const next = nextTau2(trials, tau2);
    if (Math.abs(next - tau2) < PRECISION) return next;
    tau2 = next;
  }
  return tau2;
};

/** Returns the variance of a typical trial, as Higgins and Thompson define it for I². */
const typicalVariance = (trials: readonly PooledInput[]): number => {
  const weights = trials.map(({ variance }) => 1 / variance);
  const total = sum(weights);
  return ((trials.length - 1) * total) / (total ** 2 - sum(weights.map((weight) => weight ** 2)));
};

/** Pools trials. Returns null for fewer than two trials, or when a variance is not above 0. */
export const pool = (trials: readonly PooledInput[]): Pooled | null => {
  const freedom = trials.length - 1;
  if (freedom < 1 || trials.some(({ variance }) => !(variance > 0))) return null;
  const tau2 = betweenTrials(trials);
  const { weights, total, mean } = meanFor(trials, tau2);
  const spread = sum(trials.map(({ effect }, at) => (weights[at] ?? 0) * (effect - mean) ** 2)) / freedom;
  const error = Math.sqrt(spread / total);
  const quantile = jstat.studentt.inv(0.975, freedom);
  const reach = quantile * Math.sqrt(tau2 + error ** 2);
  return {
    estimate: mean,
    low: mean - quantile * error,
    high: mean + quantile * error,
    predictionLow: mean - reach,
    predictionHigh: mean + reach,
    tau2,
    i2: (100 * tau2) / (tau2 + typicalVariance(trials)),
    trials: trials.length,
  };
};
