/** Defines /benchmark: our own measured figures, including the bad ones, and how to repeat the measurements. */
import { type Static, Type } from 'typebox';
import { type Context, definePage, type PageInstance } from '#core/plugin.ts';
import { dayInWords, RETRIEVAL_VERSION, versionOf } from '#plugins/evidence/index.ts';
import type { Benchmark, MeasuredSet } from './benchmark-content.ts';
import { type Measured, PlotView, plotOf } from './benchmark-plot.ts';
import type { PageServices } from './services.ts';

const Row = Type.Object({
  name: Type.String(),
  value: Type.String(),
  source: Type.String(),
  href: Type.String(),
  ours: Type.Boolean(),
});

const MeasureView = Type.Object({
  /** Name with the direction that is better: "nDCG@10 (higher is better)". */
  name: Type.String(),
  plot: Type.Union([PlotView, Type.Null()]),
  rows: Type.Array(Row),
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
          /** Machine, date and retrieval version in one line. */
          made: Type.String(),
          isOld: Type.Boolean(),
          measures: Type.Array(MeasureView),
        }),
      ),
    }),
  ),
  /** One sentence for each measure where others, in the same run or in a paper, score better, or where our share is low. */
  behind: Type.Array(Type.Object({ text: Type.String(), href: Type.String() })),
  failures: Type.Array(Type.String()),
  retrievalVersion: Type.String(),
});
type BenchmarkView = Static<typeof BenchmarkView>;

const OURS = 'This base';

/** Formats a figure with at most four decimals, never in exponential notation such as 1e-7. */
const figureOf = (value: number, unit = ''): string => {
  const figure = value.toLocaleString('en-GB', { maximumFractionDigits: 4, useGrouping: Math.abs(value) >= 10_000 });
  return unit ? `${figure} ${unit}` : figure;
};

type Figures = MeasuredSet['figures'];

interface MeasuredRow extends Measured {
  readonly source: string;
  readonly href: string;
}

const oursIn = (figures: Figures): MeasuredRow[] =>
  figures.flatMap(({ ours: number, variant, unit }) => {
    if (number === undefined) return [];
    const name = variant ? `${OURS}: ${variant}` : OURS;
    return [{ name, number, value: figureOf(number, unit), source: 'measured here', href: '', ours: true }];
  });

const othersIn = (figures: Figures): MeasuredRow[] =>
  figures.flatMap(({ peers, unit, variant }) =>
    peers.map(({ name, value, source, address, measured }) => ({
      // When a measure has several variants, such as p50 and p99, each row names its variant.
      name: variant && figures.length > 1 && !variant.startsWith('the whole') ? `${name}: ${variant}` : name,
      number: value,
      value: figureOf(value, unit),
      source: measured === 'here' ? `measured here, ${source}` : `published: ${source}`,
      href: address ?? '',
      ours: false,
    })),
  );

const betterOf = (figures: Figures): 'higher' | 'lower' => (figures[0]?.better === 'lower' ? 'lower' : 'higher');

/** Returns the rows of a measure, the best first; ours come first among equal values. */
const ranked = (figures: Figures): MeasuredRow[] => {
  const sign = betterOf(figures) === 'lower' ? 1 : -1;
  return [...oursIn(figures), ...othersIn(figures)].sort(
    (a, b) => sign * (a.number - b.number) || Number(b.ours) - Number(a.ours),
  );
};

/** Groups the figures of a set by measure. */
const groupsOf = ({ figures }: MeasuredSet): readonly (readonly [string, Figures])[] =>
  [...Map.groupBy(figures, ({ measure }) => measure)].map(([name, list]) => [name, list]);

const measureView = (set: MeasuredSet, [name, figures]: readonly [string, Figures]): Static<typeof MeasureView> => {
  const [better, rows] = [betterOf(figures), ranked(figures)];
  const unit = figures[0]?.unit ?? '';
  return {
    name: `${name} (${better} is better)`,
    plot: plotOf(rows, { id: `plot-${set.slug}-${anchorOf(name)}`, name: `${set.name}: ${name}`, better, unit }),
    rows: rows.map(({ number: _, ...row }) => row),
  };
};

/** Returns each measure in which the best figure is not ours, with that figure and our best one. */
const behindIn = ({ part }: Benchmark): BenchmarkView['behind'] =>
  part.flatMap(({ sets }) =>
    sets.flatMap((set) =>
      groupsOf(set).flatMap(([name, figures]) => {
        const rows = ranked(figures);
        const [first, ours] = [rows[0], rows.find((row) => row.ours)];
        if (!first || !ours || first.ours) return [];
        return [
          { text: `${set.name}, ${name}: ${first.name} ${first.value}, ours ${ours.value}`, href: `#${set.slug}` },
        ];
      }),
    ),
  );

/** Threshold in per cent: our figures below it, of measures where higher is better, are listed before all other figures. */
const WEAK_SHARE = 75;

const weakIn = ({ part }: Benchmark): BenchmarkView['behind'] =>
  part.flatMap(({ sets }) =>
    sets.flatMap(({ name, slug, figures }) =>
      figures.flatMap(({ measure, better, unit, ours }) =>
        unit === '%' && better === 'higher' && ours !== undefined && ours < WEAK_SHARE
          ? [{ text: `${name}, ${measure.toLowerCase()}: only ${figureOf(ours, unit)}`, href: `#${slug}` }]
          : [],
      ),
    ),
  );

/**
 * Builds the measures of a set. A set of more than two single figures that share a unit and have no peers becomes one plot
 * for each direction, "higher is better" and "lower is better".
 */
const measuresOf = (set: MeasuredSet): Static<typeof MeasureView>[] => {
  const groups = groupsOf(set);
  const [first] = set.figures;
  const isList = groups.length > 2 && set.figures.every(({ peers, unit }) => !peers.length && unit === first?.unit);
  if (!isList) return groups.map((group) => measureView(set, group));
  return (['higher', 'lower'] as const).flatMap((better) => {
    const figures = set.figures.filter((figure) => figure.better === better);
    if (!figures.length) return [];
    const rows = figures
      .flatMap(({ measure, variant, ours: number, unit }) =>
        number === undefined
          ? []
          : [{ name: variant ? `${measure}, ${variant}` : measure, number, value: figureOf(number, unit), ours: true }],
      )
      .sort((a, b) => (better === 'lower' ? a.number - b.number : b.number - a.number));
    const unit = first?.unit ?? '';
    return [
      {
        name: better === 'lower' ? 'Lower is better' : 'Higher is better',
        plot: plotOf(rows, { id: `plot-${set.slug}-${better}`, name: set.name, better, unit }),
        rows: rows.map(({ number: _, ...row }) => ({ ...row, source: 'measured here', href: '' })),
      },
    ];
  });
};

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
  measures: measuresOf(set),
});

const viewOf = ({ services }: Context<PageServices>): BenchmarkView => {
  return {
    parts: services.benchmark.part.map(({ title, about, sets }) => ({
      title,
      anchor: anchorOf(title),
      about,
      sets: sets.map((set) => setView(set, RETRIEVAL_VERSION)),
    })),
    behind: [...behindIn(services.benchmark), ...weakIn(services.benchmark)],
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
  llms: { section: 'Optional', isInFull: false },
  revision: 2,
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
