/**
 * Builds the history of confirmed values of a device over all its reports, by marker and day, for trends, insights and exports.
 */
import type { Book, Marker } from '#plugins/biomarkers/index.ts';
import { type Assessed, assessAll } from './assess.ts';
import type { Report } from './sealed-report.ts';

export interface Draw {
  /** Day of the draw, RFC 3339; the day of the report if that of the draw is unknown. */
  readonly day: string;
  /** Whether the day is that of the draw. */
  readonly isDrawDay: boolean;
  readonly reportId: string;
  readonly labName: string;
  readonly assessed: Assessed;
  /** In the marker's own unit. */
  readonly value: number;
}

export interface MarkerHistory {
  readonly marker: Marker;
  /** Oldest first. */
  readonly draws: readonly Draw[];
  /** Confirmed values that do not convert to the marker's unit, and so cannot be compared with the others. */
  readonly apart: readonly Omit<Draw, 'value'>[];
}

/** Returns whether the last value is beyond a limit at which a doctor is needed now; nothing else is then shown beside it. */
export const isCritical = ({ draws }: MarkerHistory): boolean => draws.at(-1)?.assessed.flag === 'critical';

const dayOf = (report: Report): Pick<Draw, 'day' | 'isDrawDay'> =>
  report.collectedAt
    ? { day: report.collectedAt, isDrawDay: true }
    : { day: report.reportedAt ?? report.createdAt.slice(0, 10), isDrawDay: false };

/** Builds the history from values that a person has confirmed; markers are ordered by name. */
export const historyOf = (book: Book, reports: readonly Report[]): readonly MarkerHistory[] => {
  const found = new Map<string, { marker: Marker; draws: Draw[]; apart: Omit<Draw, 'value'>[] }>();
  for (const report of reports)
    for (const assessed of assessAll(book, report)) {
      const { kept, marker, own } = assessed;
      if (!marker || !kept.confirmed) continue;
      const known = found.get(marker.slug) ?? { marker, draws: [], apart: [] };
      found.set(marker.slug, known);
      const draw = { ...dayOf(report), reportId: report.reportId, labName: report.labName, assessed };
      if (own === null) known.apart.push(draw);
      else known.draws.push({ ...draw, value: own });
    }
  return [...found.values()]
    .map(({ marker, draws, apart }) => ({
      marker,
      draws: draws.sort((a, b) => a.day.localeCompare(b.day) || a.reportId.localeCompare(b.reportId)),
      apart,
    }))
    .sort((a, b) => a.marker.name.localeCompare(b.marker.name, 'en'));
};
