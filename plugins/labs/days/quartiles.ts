/** Computes the median and the quartiles of a set of values. Pure. */

export interface Middle {
  readonly median: number;
  readonly q1: number;
  readonly q3: number;
}

/**
 * Interpolates linearly between the two nearest values at (n − 1)·p, counted from the smallest: type 7 of Hyndman and Fan,
 * "Sample Quantiles in Statistical Packages", The American Statistician 50 (1996) 361–365.
 * @param sorted ascending, not empty.
 */
const quantile = (sorted: readonly number[], p: number): number => {
  const at = (sorted.length - 1) * p;
  const [low, high] = [sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number];
  return low + (high - low) * (at - Math.floor(at));
};

/**
 * Returns the median and the quartiles.
 * @param values not empty, in any order.
 */
export const middleOf = (values: readonly number[]): Middle => {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), q1: quantile(sorted, 0.25), q3: quantile(sorted, 0.75) };
};
