/** Computes statistics of measurements, and prints tables that can be pasted into bench/README.md. */

/** Returns a quantile; NaN for an empty list. */
export const quantile = (sorted: ArrayLike<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return sorted.length % 2 ? (sorted[Math.floor(half)] as number) : (sorted[half - 1]! + sorted[half]!) / 2;
};

export interface Line {
  /** Change of y per unit of x. */
  readonly slope: number;
  /** Standard error of the slope. */
  readonly standardError: number;
  readonly mean: number;
}

/** Fits a least-squares line through at least three points. */
export const lineThrough = (points: readonly (readonly [x: number, y: number])[]): Line => {
  const n = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / n;
  const mean = points.reduce((sum, [, y]) => sum + y, 0) / n;
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - mean), 0) / spread;
  const left = points.reduce((sum, [x, y]) => sum + (y - mean - slope * (x - meanX)) ** 2, 0);
  return { slope, mean, standardError: Math.sqrt(left / (n - 2) / spread) };
};

export const printTable = (head: readonly string[], rows: readonly (readonly string[])[]): void => {
  const print = (cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);
  print(head);
  print(head.map(() => '---'));
  for (const row of rows) print(row);
};

/** Formats a number: `12,345`; below a hundred `12.3` or `1.23`. */
export const shown = (value: number): string => {
  if (!Number.isFinite(value)) return '';
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(value >= 10 ? 1 : 2);
};

export const percent = (share: number): string =>
  Number.isFinite(share) ? `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %` : '';
