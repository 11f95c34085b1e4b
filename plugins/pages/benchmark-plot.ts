/** One measure of /benchmark as dots on one axis: ours filled, those of others hollow, the best on top. Pure. */
import { type Static, Type } from 'typebox';
import { axisFor } from '#core/render/charts/axis.ts';

export const PlotView = Type.Object({
  id: Type.String(),
  title: Type.String(),
  /** What the drawing shows, in words. */
  desc: Type.String(),
  /** "Further right is better", and what the axis does. */
  reading: Type.String(),
  height: Type.Integer(),
  base: Type.Integer(),
  ticks: Type.Array(Type.Object({ at: Type.Number(), text: Type.String(), anchor: Type.String() })),
  rows: Type.Array(
    Type.Object({
      /** As it fits a phone; the table has it whole. */
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

/** Null for a single figure: a table says it as well. Shares and per cent keep the whole of their scale in sight. */
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
