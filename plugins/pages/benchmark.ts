/** /benchmark: our own measured figures, the bad ones too, and how to measure them again. */
import { type Static, Type } from 'typebox';
import { type Context, definePage, type PageInstance } from '#core/plugin.ts';
import { dayInWords, RETRIEVAL_VERSION, versionOf } from '#plugins/evidence/index.ts';
import type { MeasuredSet } from './benchmark-content.ts';
import type { PageServices } from './services.ts';

const Row = Type.Object({
  /** Higher is better where it does not say otherwise. */
  measure: Type.String(),
  name: Type.String(),
  value: Type.String(),
  source: Type.String(),
  href: Type.String(),
  ours: Type.Boolean(),
});

const BenchmarkView = Type.Object({
  parts: Type.Array(
    Type.Object({
      title: Type.String(),
      anchor: Type.String(),
      about: Type.String(),
      sets: Type.Array(
        Type.Object({
          slug: Type.String(),
          name: Type.String(),
          href: Type.String(),
          is: Type.String(),
          isNot: Type.String(),
          reading: Type.String(),
          command: Type.String(),
          /** Machine, day and version in one line. */
          made: Type.String(),
          isOld: Type.Boolean(),
          rows: Type.Array(Row),
        }),
      ),
    }),
  ),
  failures: Type.Array(Type.String()),
  retrievalVersion: Type.String(),
});
type BenchmarkView = Static<typeof BenchmarkView>;

const OURS = 'This base';

/** As many digits as were given, never in the form 1e-7. */
const figureOf = (value: number, unit = ''): string => {
  const figure = value.toLocaleString('en-GB', { maximumFractionDigits: 4, useGrouping: Math.abs(value) >= 10_000 });
  return unit ? `${figure} ${unit}` : figure;
};

type Figures = MeasuredSet['figures'];

type Row = Static<typeof Row>;

/** The rows of one measure, best first whoever is best. */
const rowsOfMeasure = (measure: string, figures: Figures): Row[] => {
  const ours = figures.flatMap(({ ours: number, variant, unit }) => {
    if (number === undefined) return [];
    const name = variant ? `${OURS}: ${variant}` : OURS;
    return [{ name, number, value: figureOf(number, unit), source: 'measured here', href: '', ours: true }];
  });
  const peers = figures.flatMap(({ peers: list, unit }) =>
    list.map(({ name, value, source, address, measured }) => ({
      name,
      number: value,
      value: figureOf(value, unit),
      source: measured === 'here' ? `measured here, ${source}` : `published: ${source}`,
      href: address ?? '',
      ours: false,
    })),
  );
  const better = figures[0]?.better ?? 'higher';
  const sign = better === 'lower' ? 1 : -1;
  return [...ours, ...peers]
    .sort((a, b) => sign * (a.number - b.number) || Number(b.ours) - Number(a.ours))
    .map(({ number: _, ...row }) => ({
      measure: better === 'lower' ? `${measure} (lower is better)` : measure,
      ...row,
    }));
};

const rowsOf = (figures: Figures): Row[] =>
  [...Map.groupBy(figures, ({ measure }) => measure)].flatMap(([measure, list]) => rowsOfMeasure(measure, list));

const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

const setView = (set: MeasuredSet, current: string) => ({
  slug: set.slug,
  name: set.name,
  href: set.address ?? '',
  is: set.is,
  isNot: set.is_not,
  reading: set.reading ?? '',
  command: set.command,
  made: [set.machine, dayInWords(`${set.date}T00:00:00Z`), set.retrieval_version].filter(Boolean).join('; '),
  isOld: set.retrieval_version !== undefined && set.retrieval_version !== current,
  rows: rowsOf(set.figures),
});

const viewOf = ({ services }: Context<PageServices>): BenchmarkView => {
  return {
    parts: services.benchmark.part.map(({ title, about, sets }) => ({
      title,
      anchor: anchorOf(title),
      about,
      sets: sets.map((set) => setView(set, RETRIEVAL_VERSION)),
    })),
    failures: [...services.benchmark.known_failures],
    retrievalVersion: RETRIEVAL_VERSION,
  };
};

export const benchmarkPage = definePage({
  id: 'pages.benchmark',
  path: '/benchmark',
  summary: 'Our own measured figures, and how to measure them again',
  template: 'pages/benchmark',
  view: BenchmarkView,
  scope: 'public',
  sitemap: 'static',
  revision: 1,
  list: function* (context: Context<PageServices>): Iterable<PageInstance> {
    yield { params: {}, version: versionOf(viewOf(context)), changedAt: null };
  },
  load: async (context: Context<PageServices>) => ({
    head: {
      title: 'How well this base finds, grades and answers',
      description:
        'Measured figures of search, grading and speed with the data sets, commands, machine and date, next to what others reach, and where this base fails.',
    },
    view: viewOf(context),
  }),
});
