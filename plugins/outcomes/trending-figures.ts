/**
 * Which supplements have gained publications. Counts by year of publication, as sources have no finer date that all of
 * them share; growth is measured against the whole base, so that an import of many new papers on everything is no trend.
 */
export const TRENDING_VERSION = 'trending-1.0';

/** Publications a supplement needs in each window before a change is worked out. */
export const GUARD = 5;
const Z95 = 1.959964;

export interface Window {
  /** Years, both included. */
  readonly from: number;
  readonly to: number;
}

export interface Windows {
  readonly recent: Window;
  readonly previous: Window;
}

/**
 * Months as whole years, rounded up. The recent window ends with the last whole calendar year, or with the newest year
 * that the base holds when that is earlier; the window before it is as long.
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
  /** Per cent against the window before; null below the guard. */
  readonly change_pct: number | null;
  /** The same against what the whole base grew by: 0 means it grew as the base did. */
  readonly relative_change_pct: number | null;
  /** 95% interval of the relative change, per cent. */
  readonly interval: { readonly low: number; readonly high: number; readonly level: number } | null;
}

/** No minus before a zero. */
const oneDecimal = (value: number): number => Math.round(value * 10) / 10 + 0;

/** Wilson's interval of a share of `n`. */
export const wilson = (hits: number, n: number): { low: number; high: number } => {
  const share = hits / n;
  const z2 = Z95 * Z95;
  const middle = (share + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Z95 / (1 + z2 / n)) * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
};

/** Of all papers of a supplement in both windows the recent share, against that share in the whole base. */
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

/** Sure growth first: by the lower end of the interval; what is below the guard follows, most papers first. */
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
