/** Builds the axis of a chart. Positions are in per cent of its length, so that an SVG of any width needs no script. Pure. */
import { scaleLinear, scaleLog } from 'd3-scale';

export interface Tick {
  /** Per cent of the width. */
  readonly at: number;
  readonly text: string;
  /** SVG text anchor; the labels at the ends are aligned so that they stay inside the chart. */
  readonly anchor: 'start' | 'middle' | 'end';
}

export interface Axis {
  readonly from: number;
  readonly to: number;
  /** Whether the axis is logarithmic, because the amounts differ too much for a linear one. */
  readonly logarithmic: boolean;
  readonly ticks: readonly Tick[];
  /** Returns the position of a value in per cent of the width, to one decimal; values outside are placed at the end. */
  place(value: number): number;
}

const figures = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 4 });
const TICKS = 4;
/** Ratio of the largest to the smallest amount above which the smallest would lie at the end of a linear axis. */
const WIDE = 100;
/** Ticks nearer to an end than this, in per cent, would overlap its label. */
const NEAR = 16;

const rounded = (value: number): number => Math.round(Math.min(100, Math.max(0, value)) * 10) / 10;

const tickAt = (at: number, value: number): Tick => ({
  at,
  text: figures.format(value),
  anchor: at <= 1 ? 'start' : at >= 99 ? 'end' : 'middle',
});

/** Returns the ticks at the ends, and those between them that are far enough from both. */
const ticksOf = (values: readonly number[], place: (value: number) => number): readonly Tick[] =>
  values
    .map((value) => tickAt(place(value), value))
    .filter(({ at }) => at <= 1 || at >= 99 || (at >= NEAR && at <= 100 - NEAR));

const evenAxis = (most: number): Axis => {
  const scale = scaleLinear([0, most || 1], [0, 100]).nice(TICKS);
  const [from = 0, to = 1] = scale.domain();
  const place = (value: number): number => rounded(scale(value));
  return { from, to, logarithmic: false, ticks: ticksOf([...new Set([...scale.ticks(TICKS), to])], place), place };
};

const POWERS_SHOWN = 5;

const ratioAxis = (least: number, most: number): Axis => {
  const [low, high] = [
    Math.floor(Math.log10(least)),
    Math.max(Math.ceil(Math.log10(most)), Math.floor(Math.log10(least)) + 1),
  ];
  const [from, to] = [10 ** low, 10 ** high];
  const scale = scaleLog([from, to], [0, 100]).clamp(true);
  const place = (value: number): number => (value <= 0 ? 0 : rounded(scale(value)));
  const step = Math.ceil((high - low) / POWERS_SHOWN);
  const powers = Array.from({ length: high - low + 1 }, (_, at) => 10 ** (low + at));
  const shown = powers.filter((_, at) => at % step === 0 || at === powers.length - 1);
  return { from, to, logarithmic: true, ticks: ticksOf(shown, place), place };
};

/** Builds an axis from zero to a round number at or above the largest amount, or a logarithmic one for a wide range. */
export const axisFor = (values: readonly number[]): Axis => {
  const known = values.filter((value) => Number.isFinite(value) && value > 0);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return known.length && most / least > WIDE ? ratioAxis(least, most) : evenAxis(known.length ? most : 1);
};

/** Returns a range as a band that is at least `least` per cent wide, so that it stays visible. */
export const bandOn = (
  axis: Axis,
  [min, max]: readonly [number, number],
  least = 1,
): { from: number; width: number } => {
  const [from, to] = [axis.place(min), axis.place(max)];
  const width = Math.max(least, to - from);
  const start = Math.min(100 - width, Math.max(0, from - (width - (to - from)) / 2));
  return { from: Math.round(start * 10) / 10, width: Math.round(width * 10) / 10 };
};
