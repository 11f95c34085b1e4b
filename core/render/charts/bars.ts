/** Builds bar charts of counts. Pure. */
import { type Static, Type } from 'typebox';
import { fitting } from './dose-chart.ts';

export interface BarRow {
  readonly name: string;
  readonly count: number;
  /** The address of its page; "" for none. */
  readonly href: string;
}

export const BarsView = Type.Object({
  id: Type.String(),
  title: Type.String(),
  desc: Type.String(),
  height: Type.Integer(),
  rows: Type.Array(
    Type.Object({
      name: Type.String(),
      href: Type.String(),
      label: Type.String(),
      count: Type.Integer(),
      y: Type.Integer(),
      /** Per cent of the width. */
      width: Type.Number({ minimum: 0, maximum: 100 }),
    }),
  ),
  /** Number of rows that are left out, and the sum of their counts. */
  more: Type.Object({ rows: Type.Integer(), count: Type.Integer() }),
});
export type BarsView = Static<typeof BarsView>;

const ROW = 34;
const LINE = 36;
const LEAST_ROWS = 2;
/** Minimum width of a bar in per cent, so that every count above zero is visible. */
const NARROWEST = 0.6;

const figures = new Intl.NumberFormat('en-GB');

/** Builds the chart; null when there are fewer than two counts to compare. */
export const bars = (
  rows: readonly BarRow[],
  { id, title, most = 8 }: { id: string; title: string; most?: number },
): BarsView | null => {
  const known = rows.filter(({ count }) => count > 0);
  if (known.length < LEAST_ROWS) return null;
  const shown = known.slice(0, most);
  const rest = known.slice(most);
  const largest = Math.max(...shown.map(({ count }) => count));
  return {
    id,
    title,
    desc: `${shown.map(({ name, count }) => `${name}: ${figures.format(count)}`).join('; ')}.`,
    height: shown.length * ROW,
    rows: shown.map(({ name, count, href }, at) => ({
      name,
      href,
      count,
      label: fitting(name, LINE - figures.format(count).length),
      y: at * ROW,
      width: Math.max(NARROWEST, Math.round((count / largest) * 1000) / 10),
    })),
    more: { rows: rest.length, count: rest.reduce((sum, { count }) => sum + count, 0) },
  };
};
