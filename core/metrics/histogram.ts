/** A histogram of durations with fixed bounds, for each set of labels. */
import type { Labels, Sample } from './exposition.ts';

/** Bounds for response times and database work, in seconds. */
export const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

interface Counted {
  readonly labels: Labels;
  readonly counts: number[];
  sum: number;
}

export interface Histogram {
  /**
   * Records a duration.
   * @param key identifies the labels, which are built once.
   */
  observe(key: string, labels: () => Labels, seconds: number): void;
  samples(): readonly Sample[];
}

export const createHistogram = (bounds: readonly number[] = BOUNDS): Histogram => {
  const all = new Map<string, Counted>();
  return {
    observe: (key, labels, seconds) => {
      let counted = all.get(key);
      if (!counted) {
        counted = { labels: labels(), counts: new Array(bounds.length + 1).fill(0), sum: 0 };
        all.set(key, counted);
      }
      const at = bounds.findIndex((bound) => seconds <= bound);
      const bucket = at < 0 ? bounds.length : at;
      counted.counts[bucket] = (counted.counts[bucket] ?? 0) + 1;
      counted.sum += seconds;
    },
    samples: () => [...all.values()].flatMap((counted) => samplesOf(counted, bounds)),
  };
};

/** Returns cumulative buckets, as Prometheus requires. */
const samplesOf = ({ labels, counts, sum }: Counted, bounds: readonly number[]): readonly Sample[] => {
  let total = 0;
  const buckets = counts.map((count, at) => {
    total += count;
    return { suffix: '_bucket', labels: { ...labels, le: String(bounds[at] ?? '+Inf') }, value: total };
  });
  return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: total }];
};
