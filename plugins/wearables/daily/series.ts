/** A metric over days as one line of an SVG, with gaps where nothing is known: missing is no nought. Pure. */
import { scaleLinear } from 'd3-scale';
import { type Static, Type } from 'typebox';

export const SeriesView = Type.Object({
  /** In a field of 1000 by 100, which is stretched to its place. */
  path: Type.String(),
  /** Days, or weeks, without a neighbour: a line needs two. */
  dots: Type.Array(Type.Object({ x: Type.Number(), y: Type.Number() })),
  low: Type.String(),
  high: Type.String(),
  from: Type.String(),
  to: Type.String(),
  isWeekly: Type.Boolean(),
  /** Starts and stops of what was taken, numbered as in the list above. */
  marks: Type.Array(Type.Object({ x: Type.Number(), number: Type.Integer() })),
});
export type SeriesView = Static<typeof SeriesView>;

/** Something that began or ended on a day. */
export interface SeriesMark {
  readonly day: string;
  readonly number: number;
}

export interface SeriesPoint {
  /** `YYYY-MM-DD`, the oldest first. */
  readonly day: string;
  readonly value: number;
}

const WIDTH = 1000;
const HEIGHT = 100;
const DAY_MS = 86_400_000;
/** Longer spans are drawn by weeks, each the mean of the days that it has. */
const MOST_DAYS = 120;

const dayNumber = (day: string): number => Math.floor(Date.parse(day) / DAY_MS);
const tenth = (value: number): number => Math.round(value * 10) / 10;

interface Placed {
  /** Days or weeks since 1970. */
  readonly at: number;
  readonly value: number;
}

/** Weeks begin on Monday: 1 January 1970 was a Thursday. */
const weekOf = (day: number): number => Math.floor((day + 3) / 7);

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

/** Neighbours together; a gap begins a new run. */
const runsOf = (points: readonly Placed[]): readonly (readonly Placed[])[] => {
  const runs: Placed[][] = [];
  for (const point of points) {
    const last = runs.at(-1);
    if (last && point.at - (last.at(-1) as Placed).at === 1) last.push(point);
    else runs.push([point]);
  }
  return runs;
};

interface SeriesFrame {
  /** First and last day of the drawing. */
  readonly from: string;
  readonly to: string;
  readonly words: (value: number) => string;
  readonly marks?: readonly SeriesMark[];
}

/** Null for fewer than two points. */
export const seriesOf = (
  points: readonly SeriesPoint[],
  { from, to, words, marks = [] }: SeriesFrame,
): Omit<SeriesView, 'from' | 'to'> | null => {
  if (points.length < 2) return null;
  const isWeekly = dayNumber(to) - dayNumber(from) > MOST_DAYS;
  const placed = isWeekly ? weekly(points) : points.map(({ day, value }) => ({ at: dayNumber(day), value }));
  const [first, last] = [dayNumber(from), dayNumber(to)].map((day) => (isWeekly ? weekOf(day) : day)) as [
    number,
    number,
  ];
  const values = placed.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = scaleLinear([first, Math.max(last, first + 1)], [0, WIDTH]);
  const y = scaleLinear(low === high ? [low - 1, high + 1] : [low, high], [HEIGHT - 4, 4]);
  const runs = runsOf(placed).map((run) => run.map(({ at, value }) => ({ x: tenth(x(at)), y: tenth(y(value)) })));
  return {
    path: pathOf(runs),
    dots: runs.filter(({ length }) => length === 1).flat(),
    low: words(low),
    high: words(high),
    isWeekly,
    marks: marks
      .filter(({ day }) => day >= from && day <= to)
      .map(({ day, number }) => ({ x: tenth(x(isWeekly ? weekOf(dayNumber(day)) : dayNumber(day))), number })),
  };
};
