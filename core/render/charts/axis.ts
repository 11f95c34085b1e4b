/** The one axis of a chart: amounts become per cent of its length, so that an SVG of any width needs no script. Pure. */
import { scaleLinear, scaleLog } from 'd3-scale';

export interface Tick {
  /** Per cent of the width. */
  readonly at: number;
  readonly text: string;
  /** Where its text stands: the outermost keep inside the chart. */
  readonly anchor: 'start' | 'middle' | 'end';
}

export interface Axis {
  readonly from: number;
  readonly to: number;
  /** Equal steps stand for equal ratios, because the amounts lie too far apart for one length. */
  readonly logarithmic: boolean;
  readonly ticks: readonly Tick[];
  /** Per cent of the width, one decimal; what lies outside stands at the end. */
  place(value: number): number;
}

const figures = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 4 });
const TICKS = 4;
/** Above this ratio of largest to smallest amount, the smallest would lie on the end of an even axis. */
const WIDE = 100;
/** Ticks nearer to an end than this, in per cent, would run into its text. */
const NEAR = 16;

const rounded = (value: number): number => Math.round(Math.min(100, Math.max(0, value)) * 10) / 10;

const tickAt = (at: number, value: number): Tick => ({
  at,
  text: figures.format(value),
  anchor: at <= 1 ? 'start' : at >= 99 ? 'end' : 'middle',
});

/** Ends always carry their figure; between them what is far enough from both. */
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

/** From zero to a round figure at or above the largest amount; by ratios where the amounts lie too far apart. */
export const axisFor = (values: readonly number[]): Axis => {
  const known = values.filter((value) => Number.isFinite(value) && value > 0);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return known.length && most / least > WIDE ? ratioAxis(least, most) : evenAxis(known.length ? most : 1);
};

/** A range as a band that stays visible; `least` in per cent. */
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
