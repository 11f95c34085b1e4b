/** Builds charts of one substance's amounts: in trials, recommended, the upper limit, and as stated on labels. Pure. */
import { type Static, Type } from 'typebox';
import { type Axis, axisFor, bandOn } from './axis.ts';

export type DoseKind = 'trial' | 'group' | 'recommended' | 'market' | 'upper' | 'label';

export interface DoseRow {
  readonly kind: DoseKind;
  readonly name: string;
  /** One amount (both values equal), or the ends of a range. */
  readonly range: readonly [number, number];
  /** First quartile, median and third quartile of label amounts; `range` then contains their 10th and 90th percentiles. */
  readonly box?: readonly [number, number, number];
  /** "a day" or "a serving". */
  readonly per: string;
  /** The population or the basis of the amount; "" for none. */
  readonly note: string;
}

export interface DoseChartParts {
  /** Prefix of the ids in the chart; unique on its page. */
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly rows: readonly DoseRow[];
  /** A limitation of the amounts; "" for none. */
  readonly caveat?: string;
}

const Place = Type.Number({ minimum: 0, maximum: 100 });
const Band = Type.Object({ from: Place, width: Place });

export const TickView = Type.Object({ at: Place, text: Type.String(), anchor: Type.String() });

export const DoseChartView = Type.Object({
  id: Type.String(),
  title: Type.String(),
  desc: Type.String(),
  unit: Type.String(),
  caveat: Type.String(),
  height: Type.Integer(),
  /** y of the axis. */
  base: Type.Integer(),
  logarithmic: Type.Boolean(),
  ticks: Type.Array(TickView),
  rows: Type.Array(
    Type.Object({
      kind: Type.String(),
      /** The name, shortened to fit beside the amount on a phone. */
      label: Type.String(),
      /** The name, shortened less for wider screens; "" when `label` is already complete. */
      long: Type.String(),
      name: Type.String(),
      note: Type.String(),
      amount: Type.String(),
      per: Type.String(),
      y: Type.Integer(),
      /** Null for a single amount, which is drawn as a point. */
      band: Type.Union([Band, Type.Null()]),
      at: Place,
      box: Type.Union([Band, Type.Null()]),
      middle: Type.Union([Place, Type.Null()]),
      /** Additional table rows for the quartiles and the median. */
      more: Type.Array(Type.Object({ name: Type.String(), amount: Type.String() })),
    }),
  ),
  /** x of the upper limit, a line across the whole chart; null without one. */
  upper: Type.Union([Place, Type.Null()]),
});
export type DoseChartView = Static<typeof DoseChartView>;

/** Height of a row (a line of text with the mark below it), in pixels. */
const ROW = 44;
const MARK = 26;
const FOOT = 22;
/** Number of characters of the sans face at 13 px that fit on a phone of 320 px, and in a column of text. */
const LINE = 42;
const LONG_LINE = 88;

const figures = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 4 });

/** Formats an amount or a range, such as "300" or "250 to 500". */
export const amountInWords = ([min, max]: DoseRow['range']): string =>
  min === max ? figures.format(min) : `${figures.format(min)} to ${figures.format(max)}`;

/** Shortens a text to whole words that fit; the table contains the full text. */
export const fitting = (text: string, room: number): string =>
  text.length <= room ? text : `${text.slice(0, Math.max(1, room - 1)).replace(/[\s,;(]+\S*$/, '')}…`;

const sentenceOf = ({ name, range, box, per, note }: DoseRow, unit: string): string => {
  const half = box
    ? `, half of them ${amountInWords([box[0], box[2]])}, the middle one ${amountInWords([box[1], box[1]])}`
    : '';
  return `${name}: ${amountInWords(range)} ${unit} ${per}${half}${note && ` (${note})`}.`;
};

const boxInWords = ([low, middle, high]: NonNullable<DoseRow['box']>, unit: string) => [
  { name: 'Middle half of labels', amount: `${amountInWords([low, high])} ${unit}` },
  { name: 'Middle label', amount: `${amountInWords([middle, middle])} ${unit}` },
];

const rowView = (
  row: DoseRow,
  at: number,
  { axis, unit }: { axis: Axis; unit: string },
): DoseChartView['rows'][number] => {
  const { kind, name, note, range, box, per } = row;
  const amount = `${amountInWords(range)} ${unit}`;
  const label = fitting(name, LINE - amount.length);
  const isPoint = range[0] === range[1];
  return {
    kind,
    name,
    note,
    amount,
    per,
    label,
    long: label === name ? '' : fitting(name, LONG_LINE - amount.length),
    y: at * ROW + MARK,
    band: isPoint ? null : bandOn(axis, range),
    at: axis.place(range[0]),
    box: box ? bandOn(axis, [box[0], box[2]]) : null,
    middle: box ? axis.place(box[1]) : null,
    more: box ? boxInWords(box, unit) : [],
  };
};

const KINDS_BESIDE: readonly DoseKind[] = ['recommended', 'market', 'upper', 'label'];

/** Builds the chart; null when fewer than two amounts can be compared, for which a table is clearer. */
export const doseChart = ({ id, title, unit, rows, caveat = '' }: DoseChartParts): DoseChartView | null => {
  const drawn = rows.filter(({ range: [min, max] }) => Number.isFinite(min) && max >= min && max > 0);
  if (!unit || drawn.length < 2 || !drawn.some(({ kind }) => KINDS_BESIDE.includes(kind))) return null;
  const axis = axisFor(drawn.flatMap(({ range, box = [] }) => [...range, ...box]));
  const upper = drawn.find(({ kind }) => kind === 'upper');
  const base = drawn.length * ROW;
  return {
    id,
    title,
    desc: `${axis.logarithmic ? 'Logarithmic axis' : 'Axis'} from ${figures.format(axis.from)} to ${figures.format(axis.to)} ${unit}. ${drawn.map((row) => sentenceOf(row, unit)).join(' ')}`,
    unit,
    caveat,
    height: base + FOOT,
    base,
    logarithmic: axis.logarithmic,
    ticks: [...axis.ticks],
    rows: drawn.map((row, at) => rowView(row, at, { axis, unit })),
    upper: upper ? axis.place(upper.range[0]) : null,
  };
};
