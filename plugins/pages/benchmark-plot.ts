/**
 * Builds the dot plot of one measure of /benchmark: one axis, our dots filled, those of others hollow. Rows keep the order
 * of the input. Pure.
 */
import { type Static, Type } from 'typebox';
import { axisFor } from '#core/render/charts/axis.ts';

export const PlotView = Type.Object({
  id: Type.String(),
  title: Type.String(),
  /** Text alternative of the plot: each name with its value. */
  desc: Type.String(),
  /** How to read the axis: "Further right is better", the unit, and whether the axis is logarithmic. */
  reading: Type.String(),
  height: Type.Integer(),
  base: Type.Integer(),
  ticks: Type.Array(Type.Object({ at: Type.Number(), text: Type.String(), anchor: Type.String() })),
  rows: Type.Array(
    Type.Object({
      /** Name, shortened to fit a phone; the table shows it in full. */
      label: Type.String(),
      value: Type.String(),
      ours: Type.Boolean(),
      at: Type.Number({ minimum: 0, maximum: 100 }),
      y: Type.Integer(),
    }),
  ),
});
export type PlotView = Static<typeof PlotView>;

export interface Measured {
  readonly name: string;
  readonly number: number;
  readonly value: string;
  readonly ours: boolean;
}

export interface Measure {
  readonly id: string;
  readonly name: string;
  readonly better: 'higher' | 'lower';
  readonly unit: string;
}

const ROW = 40;
const FIRST = 28;
const LABEL = 38;

const fitting = (text: string, room: number): string =>
  text.length <= room ? text : `${text.slice(0, room - 1).replace(/\s+\S*$/, '')} …`;

const readingOf = ({ better, unit }: Measure, logarithmic: boolean): string =>
  [
    `Further ${better === 'higher' ? 'right' : 'left'} is better`,
    ...(unit ? [`in ${unit}`] : []),
    ...(logarithmic ? ['each step is ten times as much'] : []),
  ].join('; ');

/**
 * Builds the plot of a measure. Returns null for fewer than two figures, because a table shows a single figure as well. The
 * axis of a share or a percentage always covers its full scale, to 1 or to 100.
 */
export const plotOf = (rows: readonly Measured[], measure: Measure): PlotView | null => {
  if (rows.length < 2) return null;
  const numbers = rows.map(({ number }) => number);
  const isShare = measure.unit === '%' || (measure.unit === '' && numbers.every((number) => number <= 1));
  const axis = axisFor(isShare ? [measure.unit === '%' ? 100 : 1] : numbers);
  const place = (number: number): number => axis.place(number);
  return {
    id: measure.id,
    title: measure.name,
    desc: `${rows.map(({ name, value }) => `${name}: ${value}`).join('; ')}.`,
    reading: readingOf(measure, axis.logarithmic),
    base: FIRST + rows.length * ROW - 16,
    height: FIRST + rows.length * ROW + 6,
    ticks: axis.ticks.map(({ at, text, anchor }) => ({ at, text, anchor })),
    rows: rows.map(({ name, number, value, ours }, row) => ({
      label: fitting(name, LABEL - value.length),
      value,
      ours,
      at: place(number),
      y: FIRST + row * ROW,
    })),
  };
};
