/** Builds line charts of daily values for SVG, with gaps where values are missing: a missing value is not zero. Pure. */
import { scaleLinear } from 'd3-scale';
import { type Static, Type } from 'typebox';
import { MARK_ROW, type Mark, MarkView, placedMarks } from './marks.ts';

export const SeriesView = Type.Object({
  id: Type.String(),
  title: Type.String(),
  desc: Type.String(),
  height: Type.Integer(),
  /** y of the time axis. */
  base: Type.Integer(),
  /** y and height of the plot area, which has its own coordinates of 1000 by 100 and is stretched to its size. */
  top: Type.Integer(),
  field: Type.Integer(),
  /** Left edge and width of the plot area, in per cent. */
  left: Type.Number(),
  width: Type.Number(),
  high: Type.String(),
  low: Type.String(),
  lines: Type.Array(
    Type.Object({
      name: Type.String(),
      path: Type.String(),
      /** Days or weeks without a neighbour, drawn as dots because a line needs two points. */
      dots: Type.Array(Type.Object({ x: Type.Number(), y: Type.Number() })),
    }),
  ),
  isWeekly: Type.Boolean(),
  ticks: Type.Array(Type.Object({ at: Type.Number(), text: Type.String(), anchor: Type.String() })),
  /** Positions of the days of blood draws, in per cent of the width. */
  draws: Type.Array(Type.Number()),
  /** When supplements were started and stopped, numbered as in the list beside the chart. */
  marks: Type.Array(MarkView),
});
export type SeriesView = Static<typeof SeriesView>;

export interface SeriesPoint {
  /** `YYYY-MM-DD`, oldest first. */
  readonly day: string;
  readonly value: number;
}

export interface SeriesParts {
  readonly id: string;
  readonly title: string;
  /** One or more related lines in the same unit. */
  readonly lines: readonly { readonly name: string; readonly points: readonly SeriesPoint[] }[];
  /** First and last day of the chart. */
  readonly from: string;
  readonly to: string;
  readonly words: (value: number) => string;
  readonly marks?: readonly Mark[];
  /** Days of blood draws. */
  readonly draws?: readonly string[];
}

const WIDTH = 1000;
const HEIGHT = 100;
/** Left edge and width of the plot area, in per cent: a dot at the edge needs space for its radius. */
const [LEFT, SPAN] = [1.5, 97];
/** Heights in pixels: plot area, label of the highest value, label of the lowest value, labels of the days. */
const [FIELD, ABOVE, BENEATH, FOOT] = [88, 20, 22, 22];
const DAY_MS = 86_400_000;
/** Longest span that is drawn by day; longer spans are drawn by week, as the mean of the week's values. */
const MOST_DAYS = 120;

const dayNumber = (day: string): number => Math.floor(Date.parse(day) / DAY_MS);
const tenth = (value: number): number => Math.round(value * 10) / 10;
const dayText = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

interface Placed {
  /** Days or weeks since 1970. */
  readonly at: number;
  readonly value: number;
}

/** Returns the number of a day's week. Weeks begin on Monday; 1 January 1970 was a Thursday. */
const weekOf = (day: number): number => Math.floor((day + 3) / 7);

/** Returns whether a span of days is drawn by week. */
export const isByWeek = (from: string, to: string): boolean => dayNumber(to) - dayNumber(from) > MOST_DAYS;

/** Returns the Monday of a day's week. */
export const mondayOf = (day: string): string =>
  new Date((weekOf(dayNumber(day)) * 7 - 3) * DAY_MS).toISOString().slice(0, 10);

const weekly = (points: readonly SeriesPoint[]): readonly Placed[] =>
  [...Map.groupBy(points, ({ day }) => weekOf(dayNumber(day)))].map(([at, own]) => ({
    at,
    value: own.reduce((sum, { value }) => sum + value, 0) / own.length,
  }));

const pathOf = (runs: readonly (readonly { x: number; y: number }[])[]): string =>
  runs
    .filter(({ length }) => length > 1)
    .map((run) => `M${run.map(({ x, y }) => `${x} ${y}`).join('L')}`)
    .join('');

/** Groups consecutive points; a gap starts a new group. */
const runsOf = (points: readonly Placed[]): readonly (readonly Placed[])[] => {
  const runs: Placed[][] = [];
  for (const point of points) {
    const last = runs.at(-1);
    if (last && point.at - (last.at(-1) as Placed).at === 1) last.push(point);
    else runs.push([point]);
  }
  return runs;
};

/** Builds the chart; null when no line has two points. */
export const seriesChart = (parts: SeriesParts): SeriesView | null => {
  const { id, title, from, to, words } = parts;
  const known = parts.lines.filter(({ points }) => points.length);
  if (!known.some(({ points }) => points.length > 1)) return null;
  const isWeekly = isByWeek(from, to);
  const unitOf = (day: string): number => (isWeekly ? weekOf(dayNumber(day)) : dayNumber(day));
  const lines = known.map(({ name, points }) => ({
    name,
    placed: isWeekly ? weekly(points) : points.map(({ day, value }) => ({ at: dayNumber(day), value })),
  }));
  const values = lines.flatMap(({ placed }) => placed.map(({ value }) => value));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = scaleLinear([unitOf(from), Math.max(unitOf(to), unitOf(from) + 1)], [0, WIDTH]);
  const y = scaleLinear(low === high ? [low - 1, high + 1] : [low, high], [HEIGHT - 4, 4]);
  const place = (day: string): number => tenth(LEFT + (x(unitOf(day)) / WIDTH) * SPAN);
  const isIn = (day: string): boolean => day >= from && day <= to;
  const { placed: marks, rows } = placedMarks(
    (parts.marks ?? []).filter(({ day }) => isIn(day)),
    place,
  );
  const top = MARK_ROW * rows + ABOVE;
  const base = top + FIELD + BENEATH;
  return {
    id,
    title,
    desc: `${dayText.format(Date.parse(from))} to ${dayText.format(Date.parse(to))}: between ${words(low)} and ${words(high)}.`,
    height: base + FOOT,
    base,
    top,
    field: FIELD,
    left: LEFT,
    width: SPAN,
    high: words(high),
    low: words(low),
    lines: lines.map(({ name, placed }) => {
      const runs = runsOf(placed).map((run) => run.map(({ at, value }) => ({ x: tenth(x(at)), y: tenth(y(value)) })));
      return { name, path: pathOf(runs), dots: runs.filter(({ length }) => length === 1).flat() };
    }),
    isWeekly,
    ticks: [
      { at: LEFT, text: dayText.format(Date.parse(from)), anchor: 'start' },
      { at: LEFT + SPAN, text: dayText.format(Date.parse(to)), anchor: 'end' },
    ],
    draws: [...new Set((parts.draws ?? []).filter(isIn).map(place))],
    marks,
  };
};
