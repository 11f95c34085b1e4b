/** Lists the starts and stops in a span of days, numbered for a chart and the list beside it. Pure. */
import type { Mark } from '#core/render/charts/marks.ts';
import { dayInWords } from '#plugins/evidence/index.ts';
import type { LogEntry } from '../supplements/kept-entry.ts';

/** Entry of the supplement log. */
export type Taken = Pick<LogEntry, 'logId' | 'name' | 'startedAt' | 'stoppedAt'>;

export interface TakenIn {
  readonly marks: Mark[];
  readonly legend: { number: number; text: string }[];
  /** Number of entries that are not shown. */
  readonly more: number;
}

/** Maximum number of entries; more starts and stops would hide the values. */
const MOST_MARKED = 6;

/** Returns the entries by day, up to the maximum; those in `first` take precedence. */
export const takenIn = (
  log: readonly Taken[],
  { from, to }: { readonly from: string; readonly to: string },
  first: ReadonlySet<number> = new Set(),
): TakenIn => {
  const isSeen = (day: string | null): day is string => day !== null && day >= from && day <= to;
  const seen = log
    .filter(({ startedAt, stoppedAt }) => isSeen(startedAt) || isSeen(stoppedAt))
    .sort((a, b) => Number(first.has(b.logId)) - Number(first.has(a.logId)) || a.startedAt.localeCompare(b.startedAt));
  const chosen = seen.slice(0, MOST_MARKED);
  return {
    marks: chosen.flatMap((entry, index): Mark[] => [
      ...(isSeen(entry.startedAt) ? [{ day: entry.startedAt, what: 'started' as const, number: index + 1 }] : []),
      ...(isSeen(entry.stoppedAt) ? [{ day: entry.stoppedAt, what: 'stopped' as const, number: index + 1 }] : []),
    ]),
    legend: chosen.map(({ name, startedAt, stoppedAt }, index) => ({
      number: index + 1,
      text: `${name}: started ${dayInWords(startedAt)}${stoppedAt === null ? '' : `, stopped ${dayInWords(stoppedAt)}`}`,
    })),
    more: seen.length - chosen.length,
  };
};
