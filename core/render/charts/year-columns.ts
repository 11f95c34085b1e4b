/** Builds stacked column charts of sources by year of publication and tier. Pure. */
import { type Static, Type } from 'typebox';

export const CHART_TIERS = ['A', 'B', 'C', 'D'] as const;
export type ChartTier = (typeof CHART_TIERS)[number];

export interface YearCount {
  /** Null when the record has no year. */
  readonly year: number | null;
  readonly tier: ChartTier;
  readonly count: number;
}

const Counts = Type.Array(Type.Integer());

export const YearColumnsView = Type.Object({
  id: Type.String(),
  title: Type.String(),
  desc: Type.String(),
  height: Type.Integer(),
  /** y of the baseline. */
  base: Type.Integer(),
  columns: Type.Array(
    Type.Object({
      /** x and width in per cent. */
      x: Type.Number(),
      width: Type.Number(),
      /** The years of the column, such as "2015 to 2019". */
      years: Type.String(),
      total: Type.Integer(),
      top: Type.Integer(),
      /** Segments from the baseline upwards; `fits` states whether the letter of the tier fits into the segment. */
      parts: Type.Array(
        Type.Object({
          tier: Type.String(),
          count: Type.Integer(),
          y: Type.Number(),
          height: Type.Number(),
          fits: Type.Boolean(),
        }),
      ),
      /** Sources by tier, A to D. */
      counts: Counts,
    }),
  ),
  /** First years of columns; `at` is in per cent. */
  ticks: Type.Array(Type.Object({ at: Type.Number(), text: Type.String(), anchor: Type.String() })),
  sources: Type.Integer(),
  undated: Type.Integer(),
});
export type YearColumnsView = Static<typeof YearColumnsView>;

const MOST_COLUMNS = 10;
const SPANS = [1, 2, 5, 10, 20, 50];
const DRAWN = 150;
const HEAD = 20;
const FOOT = 22;
const GAP = 0.18;
/** Minimum height of a segment for its letter, in pixels. */
const LETTER = 14;
/** With fewer sources or columns than these, a sentence is clearer than a chart. */
const LEAST_SOURCES = 5;
const LEAST_COLUMNS = 3;
/** Tick labels nearer than this, in per cent, would touch on a phone. */
const TICK_ROOM = 15;

const round = (value: number): number => Math.round(value * 10) / 10;

const spanFor = (first: number, last: number): { from: number; span: number; columns: number } => {
  for (const span of SPANS) {
    const from = Math.floor(first / span) * span;
    const columns = Math.floor((last - from) / span) + 1;
    if (columns <= MOST_COLUMNS) return { from, span, columns };
  }
  const span = 100;
  const from = Math.floor(first / span) * span;
  return { from, span, columns: Math.floor((last - from) / span) + 1 };
};

const partsOf = (counts: readonly number[], most: number, base: number) => {
  let y = base;
  return counts.flatMap((count, at) => {
    if (!count) return [];
    const height = round((count / most) * DRAWN);
    y = round(y - height);
    return [{ tier: CHART_TIERS[at] as string, count, y, height, fits: height >= LETTER }];
  });
};

const ticksOf = (from: number, span: number, columns: number): YearColumnsView['ticks'] => {
  const width = 100 / columns;
  const every = Math.max(1, Math.ceil(TICK_ROOM / width));
  return Array.from({ length: columns }, (_, at) => at)
    .filter((at) => at % every === 0)
    .map((at) => ({ at: round((at + 0.5) * width), text: String(from + at * span), anchor: 'middle' }));
};

const spanWords = (from: number, span: number): string => (span === 1 ? String(from) : `${from} to ${from + span - 1}`);

const columnOf = (
  counts: readonly number[],
  at: number,
  place: { from: number; span: number; width: number; most: number; base: number },
) => {
  const { from, span, width, most, base } = place;
  const total = counts.reduce((sum, count) => sum + count, 0);
  return {
    x: round((at + GAP / 2) * width),
    width: round(width * (1 - GAP)),
    years: spanWords(from + at * span, span),
    total,
    top: Math.round(base - (total / most) * DRAWN),
    parts: partsOf(counts, most, base),
    counts: [...counts],
  };
};

const sumOf = (rows: readonly YearCount[]): number => rows.reduce((sum, { count }) => sum + count, 0);

/** Builds the chart; null when there are too few sources or columns. */
export const yearColumns = (
  given: readonly YearCount[],
  { id, title }: { id: string; title: string },
): YearColumnsView | null => {
  const rows = given.filter(({ count }) => count > 0);
  const dated = rows.filter((row): row is YearCount & { year: number } => row.year !== null);
  const years = dated.map(({ year }) => year);
  if (sumOf(dated) < LEAST_SOURCES) return null;
  const { from, span, columns } = spanFor(Math.min(...years), Math.max(...years));
  if (columns < LEAST_COLUMNS) return null;
  const counts = Array.from({ length: columns }, (_, at) =>
    CHART_TIERS.map((tier) =>
      sumOf(dated.filter((row) => row.tier === tier && Math.floor((row.year - from) / span) === at)),
    ),
  );
  const totals = counts.map((each) => each.reduce((sum, count) => sum + count, 0));
  const base = HEAD + DRAWN;
  const place = { from, span, width: 100 / columns, most: Math.max(...totals), base };
  const shown = counts.map((each, at) => columnOf(each, at, place));
  return {
    id,
    title,
    desc: `${shown.map(({ years: when, total, counts: by }) => `${when}: ${total}${total ? ` (${CHART_TIERS.flatMap((tier, at) => (by[at] ? [`${tier} ${by[at]}`] : [])).join(', ')})` : ''}`).join('; ')}.`,
    height: base + FOOT,
    base,
    columns: shown,
    ticks: ticksOf(from, span, columns),
    sources: sumOf(dated),
    undated: sumOf(rows) - sumOf(dated),
  };
};
