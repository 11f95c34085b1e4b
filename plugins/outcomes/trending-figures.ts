/**
 * Computes which supplements have gained publications. It counts by year of publication, the finest date that all sources share.
 * Growth is relative to the whole corpus, so an import of many new papers on every topic is not a trend.
 */
export const TRENDING_VERSION = 'trending-1.0';

/** Minimum number of publications of a supplement in each window for which growth is computed. */
export const GUARD = 5;
const Z95 = 1.959964;

export interface Window {
  /** Years, both inclusive. */
  readonly from: number;
  readonly to: number;
}

export interface Windows {
  readonly recent: Window;
  readonly previous: Window;
}

/**
 * Returns the two windows, with months rounded up to whole years. The recent window ends with the last complete calendar year, or
 * with the newest year in the corpus when that is earlier; the previous window has the same length.
 */
export const windowsOf = (months: number, today: Date, newestYear: number | null): Windows => {
  const years = Math.ceil(months / 12);
  const to = Math.min(today.getUTCFullYear() - 1, newestYear ?? Number.POSITIVE_INFINITY);
  return { recent: { from: to - years + 1, to }, previous: { from: to - 2 * years + 1, to: to - years } };
};

export interface Counts {
  readonly recent: number;
  readonly previous: number;
}

export interface Growth {
  /** Change from the previous window, in per cent; null below the guard. */
  readonly change_pct: number | null;
  /** Change relative to the growth of the whole corpus, in per cent: 0 means equal growth. */
  readonly relative_change_pct: number | null;
  /** 95% interval of the relative change, in per cent. */
  readonly interval: { readonly low: number; readonly high: number; readonly level: number } | null;
}

/** Rounds to one decimal; adding 0 turns -0 into 0. */
const oneDecimal = (value: number): number => Math.round(value * 10) / 10 + 0;

/** Returns Wilson's score interval (95%) of a proportion of `n`. */
export const wilson = (hits: number, n: number): { low: number; high: number } => {
  const share = hits / n;
  const z2 = Z95 * Z95;
  const middle = (share + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Z95 / (1 + z2 / n)) * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
};

/** Compares the recent share of a supplement's papers in both windows with that share in the whole corpus. */
export const growthOf = (own: Counts, base: Counts): Growth => {
  if (own.recent < GUARD || own.previous < GUARD)
    return { change_pct: null, relative_change_pct: null, interval: null };
  const scale = base.previous / base.recent;
  const relative = (share: number): number => oneDecimal(((share / (1 - share)) * scale - 1) * 100);
  const { low, high } = wilson(own.recent, own.recent + own.previous);
  return {
    change_pct: oneDecimal((own.recent / own.previous - 1) * 100),
    relative_change_pct: relative(own.recent / (own.recent + own.previous)),
    interval: { low: relative(low), high: relative(high), level: 0.95 },
  };
};

export interface TopSource {
  readonly source_id: string;
  readonly title: string;
  readonly year: number | null;
  readonly quality_tier: string;
  readonly quality_score: number;
  readonly url: string;
}

export interface Trend extends Growth {
  readonly supplement_slug: string;
  readonly name: string;
  readonly recent_count: number;
  readonly previous_count: number;
  readonly top_sources: readonly TopSource[];
}

export interface TrendingAnswer {
  readonly trending: readonly Trend[];
  readonly windows: Windows;
  readonly base: { readonly recent_count: number; readonly previous_count: number };
}

/** Compares by the lower end of the interval (descending); supplements below the guard follow, most papers first. */
export const byGrowth = (
  a: Growth & { recent_count: number; supplement_slug: string },
  b: Growth & { recent_count: number; supplement_slug: string },
): number => {
  const low = ({ interval }: Growth): number => interval?.low ?? Number.NEGATIVE_INFINITY;
  const [left, right] = [low(a), low(b)];
  if (left !== right) return left > right ? -1 : 1;
  return b.recent_count - a.recent_count || (a.supplement_slug < b.supplement_slug ? -1 : 1);
};

export const TRENDING_METHOD = {
  version: TRENDING_VERSION,
  summary:
    'Publications by year of publication in a recent window against the window before, for each supplement, measured against the growth of the whole base.',
  rules: [
    'Months are rounded up to whole years, as many sources have a year and no month. The recent window ends with the last whole calendar year, or with the newest year held when that is earlier.',
    'Register entries, retracted sources and sources below min_score do not count. A source on several supplements counts for each.',
    `A change is given from ${GUARD} publications in each window on; below that change_pct is null.`,
    'relative_change_pct compares the change with that of the whole base, with a 95% Wilson interval; the list is ordered by its lower end.',
    'It counts what was published and gathered here. It says nothing about whether a supplement works.',
  ],
} as const;
