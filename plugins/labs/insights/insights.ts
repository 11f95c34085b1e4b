/**
 * Compares values before a supplement was started with values while it was taken, and lists the limitations of the comparison. It
 * never claims causation. Pure.
 */
import type { Marker } from '#plugins/biomarkers/index.ts';
import { daysBetween } from '../days/windows.ts';
import type { Draw, MarkerHistory } from '../history.ts';
import type { Report } from '../sealed-report.ts';
import type { LogEntry } from '../supplements/kept-entry.ts';
import { caveatsOf, LEAST_DAYS, otherChanges } from './caveats.ts';
import type { Link, Links } from './links.ts';

export type Direction = 'up' | 'down' | 'unchanged' | 'unknown';
export type Strength = 'insufficient' | 'weak' | 'consistent';

export interface Insight {
  readonly entry: LogEntry;
  readonly marker: Marker;
  readonly link: Link;
  /** Oldest first; the last one is the `before` of the comparison. */
  readonly befores: readonly Draw[];
  /** Oldest first; all were drawn while the supplement was taken. */
  readonly afters: readonly Draw[];
  readonly before: Draw;
  readonly after: Draw;
  readonly daysOn: number;
  /** Change in the marker's own unit; null if one of the two values is only known as "less than" or "more than". */
  readonly changeAbs: number | null;
  readonly changePct: number | null;
  readonly direction: Direction;
  readonly strength: Strength;
  readonly caveats: readonly string[];
}

/** A supplement and a value that it targets or that measures it, with one side of the comparison missing. */
export interface Pending {
  readonly entry: LogEntry;
  readonly marker: Marker;
  readonly missing: 'before' | 'after';
}

/** Maximum number of earlier values: older ones do not describe the state at the start. */
const MOST_BEFORE = 4;

const isExact = ({ assessed }: Draw): boolean => assessed.kept.comparator === '=';

/** Returns whether another entry of the log covers the same substance on that day. */
export const isTakenOn = (others: readonly LogEntry[], day: string): boolean =>
  others.some(({ startedAt, stoppedAt }) => startedAt < day && (stoppedAt === null || day <= stoppedAt));

/** Keeps one draw per day, because the same report may be uploaded twice. */
const oneADay = (draws: readonly Draw[]): readonly Draw[] => draws.filter(({ day }, at) => draws[at + 1]?.day !== day);

/**
 * Splits the draws at the start. A draw on the day of the start belongs to the values before; a value after needs a known later
 * day of the draw.
 */
const sidesOf = (entry: LogEntry, draws: readonly Draw[], same: readonly LogEntry[]) => ({
  befores: draws.filter((draw) => draw.day <= entry.startedAt && !isTakenOn(same, draw.day)).slice(-MOST_BEFORE),
  afters: draws.filter(
    ({ day, isDrawDay }) => isDrawDay && day > entry.startedAt && (entry.stoppedAt === null || day <= entry.stoppedAt),
  ),
});

const rounded = (marker: Marker, value: number): number => Number(value.toFixed(marker.digits + 1));

const directionOf = (marker: Marker, before: Draw, after: Draw): Direction => {
  const [from, to] = [before, after].map(({ assessed }) => assessed.kept.comparator);
  const change = rounded(marker, after.value - before.value);
  if (from === '=' && to === '=') return change === 0 ? 'unchanged' : change > 0 ? 'up' : 'down';
  // "Less than 5" after 20 is certainly lower; "less than 5" after 3 may be either.
  if (from !== '<' && to !== '>' && change <= 0) return 'down';
  if (from !== '>' && to !== '<' && change >= 0) return 'up';
  return 'unknown';
};

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);

/**
 * Returns whether all values after are above, or all are below, the values before, and the means differ by more than the spread
 * within either group.
 */
const isBeyondVariation = (befores: readonly Draw[], afters: readonly Draw[]): boolean => {
  const [early, late] = [befores, afters].map((draws) => draws.map(({ value }) => value)) as [number[], number[]];
  const isApart = Math.min(...late) > Math.max(...early) || Math.max(...late) < Math.min(...early);
  return isApart && Math.abs(mean(late) - mean(early)) > Math.max(spread(early), spread(late));
};

interface Sides {
  readonly befores: readonly Draw[];
  readonly afters: readonly Draw[];
  readonly daysOn: number;
  readonly direction: Direction;
  readonly hasOtherChanges: boolean;
  readonly isOfOneKind: boolean;
}

const strengthOf = ({ befores, afters, daysOn, direction, hasOtherChanges, isOfOneKind }: Sides): Strength => {
  const isSingle = befores.length === 1 && afters.length === 1;
  if (isSingle || hasOtherChanges || daysOn < LEAST_DAYS || direction === 'unknown') return 'insufficient';
  const isRepeated = befores.length >= 2 && afters.length >= 2 && [...befores, ...afters].every(isExact);
  return isRepeated && isOfOneKind && isBeyondVariation(befores, afters) ? 'consistent' : 'weak';
};

interface Material {
  readonly log: readonly LogEntry[];
  readonly reports: ReadonlyMap<string, Report>;
}

const compare = (
  { entry, marker, link, befores, afters }: Pick<Insight, 'entry' | 'marker' | 'link' | 'befores' | 'afters'>,
  { log, reports }: Material,
): Insight => {
  const before = befores.at(-1) as Draw;
  const after = afters.find(({ day }) => daysBetween(entry.startedAt, day) >= LEAST_DAYS) ?? (afters[0] as Draw);
  const daysOn = daysBetween(entry.startedAt, after.day);
  // The values after are counted from the first day with a sufficient time on the supplement.
  const counted = afters.filter(({ day }) => day >= after.day);
  const change = isExact(before) && isExact(after) ? rounded(marker, after.value - before.value) : null;
  const direction = directionOf(marker, before, after);
  const changes = otherChanges(entry, log, { from: (befores[0] as Draw).day, to: (counted.at(-1) as Draw).day });
  const { caveats, isOfOneKind } = caveatsOf({
    entry,
    befores,
    afters: counted,
    before,
    after,
    daysOn,
    changes,
    reports,
  });
  return {
    entry,
    marker,
    link,
    befores,
    afters: counted,
    before,
    after,
    daysOn,
    changeAbs: change,
    changePct: change === null || before.value === 0 ? null : Math.round((change / before.value) * 1000) / 10,
    direction,
    strength: strengthOf({
      befores,
      afters: counted,
      daysOn,
      direction,
      hasOtherChanges: changes.length > 0,
      isOfOneKind,
    }),
    caveats,
  };
};

/**
 * Returns the comparisons of all entries with all markers, and the pairs that miss one side.
 * @param links returns null for a pair without a link.
 */
export const insightsOf = (
  {
    history,
    log,
    reports,
  }: {
    readonly history: readonly MarkerHistory[];
    readonly log: readonly LogEntry[];
    readonly reports: readonly Report[];
  },
  links: Links,
): { readonly insights: readonly Insight[]; readonly pending: readonly Pending[] } => {
  const insights: Insight[] = [];
  const pending: Pending[] = [];
  const material = { log, reports: new Map(reports.map((report) => [report.reportId, report])) };
  for (const entry of log) {
    const same = log.filter(({ slug, logId }) => slug !== '' && slug === entry.slug && logId !== entry.logId);
    for (const { marker, draws } of history) {
      const link = links(entry, marker);
      if (!link || !draws.length) continue;
      const { befores, afters } = sidesOf(entry, oneADay(draws), same);
      if (befores.length && afters.length) insights.push(compare({ entry, marker, link, befores, afters }, material));
      else if (link.by !== 'outcome') pending.push({ entry, marker, missing: befores.length ? 'after' : 'before' });
    }
  }
  return { insights, pending };
};
