/**
 * Lays out the values of one marker over time for an SVG: x in per cent of its width, so that it scales to its container without
 * a script, y in pixels. Pure.
 */
import { scaleLinear } from 'd3-scale';
import { type Static, Type } from 'typebox';
import { MARK_ROW, type Mark, MarkView, placedMarks } from '#core/render/charts/marks.ts';

const Place = Type.Number({ minimum: 0, maximum: 100 });

export const TrendChartView = Type.Object({
  id: Type.String(),
  title: Type.String(),
  desc: Type.String(),
  height: Type.Integer(),
  /** y of the time axis. */
  base: Type.Integer(),
  /** Horizontal grid lines with their labels. */
  levels: Type.Array(Type.Object({ y: Type.Number(), text: Type.String() })),
  ticks: Type.Array(Type.Object({ at: Place, text: Type.String(), anchor: Type.String() })),
  /** Printed ranges, each around its draw. */
  bands: Type.Array(Type.Object({ from: Place, width: Place, y: Type.Number(), height: Type.Number() })),
  /** y of the bounds of our range. */
  bounds: Type.Array(Type.Number()),
  lines: Type.Array(Type.Object({ x1: Place, y1: Type.Number(), x2: Place, y2: Type.Number() })),
  points: Type.Array(Type.Object({ x: Place, y: Type.Number(), isOpen: Type.Boolean(), label: Type.String() })),
  /** y at which the plot area begins; the numbers of starts and stops are above it. */
  top: Type.Integer(),
  /** Starts and stops, numbered as in the list beneath. */
  marks: Type.Array(MarkView),
});
export type TrendChartView = Static<typeof TrendChartView>;

export interface TrendPoint {
  /** RFC 3339. */
  readonly day: string;
  readonly value: number;
  /** The value is "less than" or "more than" a bound: its mark is hollow, and no line connects to it. */
  readonly isOpen: boolean;
  /** Text beside a hollow mark, such as "<5". */
  readonly label: string;
  /** The range that was printed with the value, in the unit of the chart. */
  readonly range: { readonly low: number | null; readonly high: number | null };
}

export interface TrendChartParts {
  readonly id: string;
  readonly title: string;
  readonly desc: string;
  /** Oldest first, from at least two days. */
  readonly points: readonly TrendPoint[];
  readonly ours: { readonly low: number | null; readonly high: number | null } | null;
  readonly marks: readonly Mark[];
}

const HEAD = 12;
const DRAWN = 150;
const FOOT = 22;
/** Left edge of the plot area; the labels of the grid lines are left of it. */
const LEFT = 14;
const RIGHT = 97;
const DAY_MS = 86_400_000;
/** Minimum distance between two tick labels, in per cent; closer labels would overlap on a phone. */
const TICK_ROOM = 24;

const figures = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 4 });
const months = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const tenth = (value: number): number => Math.round(value * 10) / 10;
const at = (day: string): number => Date.parse(day);

type Scale = (value: number) => number;

interface Places {
  readonly x: (day: string) => number;
  readonly y: Scale;
  readonly top: number;
}

/**
 * Builds the y scale. It covers all values and nearby bounds; a distant bound is excluded, because it would flatten the values
 * into a line.
 */
const levelsOf = (
  { points, ours }: TrendChartParts,
  top: number,
): { readonly y: Scale; readonly texts: readonly number[] } => {
  const values = points.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = Math.max(most - least, Math.abs(most) * 0.5);
  const near = [...points.map(({ range }) => range), ...(ours ? [ours] : [])]
    .flatMap(({ low, high }) => [low, high])
    .filter((bound): bound is number => bound !== null && bound >= least - room && bound <= most + room);
  const all = [...values, ...near];
  const [from, to] = [Math.min(...all), Math.max(...all)];
  const margin = (to - from) * 0.08 || Math.abs(to) * 0.1 || 1;
  const low = from >= 0 ? Math.max(0, from - margin) : from - margin;
  const scale = scaleLinear([low, to + margin], [top + DRAWN, top]).nice(4);
  return { y: (value) => tenth(Math.min(top + DRAWN, Math.max(top, scale(value)))), texts: scale.ticks(4) };
};

const timesOf = (points: readonly TrendPoint[]) => {
  const [first, last] = [at(points[0]?.day ?? ''), at(points.at(-1)?.day ?? '')];
  const scale = scaleLinear([first, Math.max(last, first + DAY_MS)], [LEFT, RIGHT]);
  return { x: (day: string): number => tenth(scale(at(day))), first, last };
};

/** Returns the ticks: always the first and the last day, and intermediate ones where there is room. */
const ticksOf = (points: readonly TrendPoint[], x: (day: string) => number): TrendChartView['ticks'] => {
  const [first, last] = [points[0] as TrendPoint, points.at(-1) as TrendPoint];
  const isShort = at(last.day) - at(first.day) < 120 * DAY_MS;
  const text = (day: string): string => (isShort ? days : months).format(at(day));
  const shown = [{ at: x(first.day), text: text(first.day), anchor: 'start' }];
  for (const { day } of points.slice(1, -1)) {
    const place = x(day);
    if (
      place - (shown.at(-1)?.at ?? 0) > TICK_ROOM + (shown.length === 1 ? 10 : 0) &&
      RIGHT - place > TICK_ROOM + 10 &&
      text(day) !== shown.at(-1)?.text
    )
      shown.push({ at: place, text: text(day), anchor: 'middle' });
  }
  return [...shown, { at: RIGHT, text: text(last.day), anchor: 'end' }];
};

type Band = TrendChartView['bands'][number];

/** Merges adjacent bands of the same range, so that no seams are visible. */
const merged = (bands: readonly Band[]): Band[] => {
  const all: Band[] = [];
  for (const band of bands) {
    const last = all.at(-1);
    if (last && last.y === band.y && last.height === band.height && band.from - (last.from + last.width) < 0.2)
      all[all.length - 1] = { ...last, width: tenth(band.from + band.width - last.from) };
    else all.push(band);
  }
  return all;
};

/**
 * Returns the bands of printed ranges. Each extends from midpoint to midpoint between draws, because the laboratory may have
 * changed its range in between.
 */
const bandsOf = (points: readonly TrendPoint[], { x, y, top: first }: Places): TrendChartView['bands'] =>
  merged(
    points.flatMap(({ day, range: { low, high } }, index) => {
      if (low === null && high === null) return [];
      const [before, after] = [points[index - 1], points[index + 1]];
      const from = before ? (x(before.day) + x(day)) / 2 : Math.max(0, LEFT - 2);
      const to = after ? (x(day) + x(after.day)) / 2 : 99;
      const top = high === null ? first : y(high);
      const bottom = low === null ? first + DRAWN : y(low);
      return to > from && bottom > top
        ? [{ from: tenth(from), width: tenth(to - from), y: top, height: tenth(bottom - top) }]
        : [];
    }),
  );

const linesOf = (points: readonly TrendPoint[], { x, y }: Places): TrendChartView['lines'] =>
  points.slice(1).flatMap((point, index) => {
    const before = points[index] as TrendPoint;
    if (point.isOpen || before.isOpen || point.day === before.day) return [];
    return [{ x1: x(before.day), y1: y(before.value), x2: x(point.day), y2: y(point.value) }];
  });

/** Builds the chart. Returns null for fewer than two days, for which a table suffices. */
export const trendChart = (parts: TrendChartParts): TrendChartView | null => {
  const { id, title, desc, points, ours } = parts;
  if (new Set(points.map(({ day }) => day)).size < 2) return null;
  const times = timesOf(points);
  const { placed, rows } = placedMarks(
    parts.marks.filter(({ day }) => at(day) >= times.first && at(day) <= times.last),
    times.x,
  );
  const top = HEAD + MARK_ROW * rows;
  const { y, texts } = levelsOf(parts, top);
  const places = { x: times.x, y, top };
  const within = (bound: number | null | undefined): bound is number =>
    typeof bound === 'number' && y(bound) > top && y(bound) < top + DRAWN;
  return {
    id,
    title,
    desc,
    height: top + DRAWN + FOOT,
    top,
    base: top + DRAWN,
    levels: texts.map((value) => ({ y: y(value), text: figures.format(value) })),
    ticks: ticksOf(points, times.x),
    bands: bandsOf(points, places),
    bounds: [ours?.low, ours?.high].filter(within).map(y),
    lines: linesOf(points, places),
    points: points.map(({ day, value, isOpen, label }) => ({
      x: times.x(day),
      y: y(value),
      isOpen,
      label: isOpen ? label : '',
    })),
    marks: placed,
  };
};
