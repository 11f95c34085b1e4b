/** Collects the metrics for /metrics. Those that query the database have two seconds, and are omitted after that. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jobFamilies } from '../jobs/job-figures.ts';
import type { Family } from '../metrics/exposition.ts';
import type { ProcessFigures } from '../metrics/process-figures.ts';
import type { AnyPlugin, Gauge } from '../plugin.ts';
import type { Runtime } from '../runtime.ts';
import type { PublishedSite } from './published-site.ts';
import type { RequestCounts } from './request-counts.ts';

export interface Figures {
  readonly counts: RequestCounts;
  readonly process: ProcessFigures;
  readonly site: Pick<PublishedSite, 'build'>;
}

const PATIENCE_MS = 2_000;
const SNAKE = /^[a-z][a-z0-9_]*$/;

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string;
};

const within = <T>(work: Promise<T>, otherwise: T): Promise<T> =>
  Promise.race([work.catch(() => otherwise), sleep(PATIENCE_MS, otherwise, { ref: false })]);

const gaugesOf = async (runtime: Runtime): Promise<readonly Family[]> => {
  const told = await Promise.all(
    runtime.plugins.map(async (plugin: AnyPlugin) =>
      (await within(Promise.resolve(plugin.gauges?.(runtime.servicesOf(plugin)) ?? []), [])).map((gauge: Gauge) => ({
        gauge,
        plugin: plugin.name,
      })),
    ),
  );
  const named = Map.groupBy(
    told.flat().filter(({ gauge }) => SNAKE.test(gauge.name)),
    ({ gauge }) => gauge.name,
  );
  return [...named].map(([name, entries]) => ({
    name: `ekb_${name}`,
    type: 'gauge' as const,
    help: entries[0]?.gauge.help ?? '',
    samples: entries.map(({ gauge: { labels, value }, plugin }) => ({ labels: { plugin, ...labels }, value })),
  }));
};

const about = (runtime: Runtime, { site }: Figures): readonly Family[] => {
  const labels = { version, node: process.version, database: runtime.db.kind };
  const build = Number(site.build()?.replace(/\D/g, '') ?? 0);
  return [
    { name: 'ekb_build_info', type: 'gauge', help: 'What runs here.', samples: [{ labels, value: 1 }] },
    {
      name: 'ekb_published_build',
      type: 'gauge',
      help: 'Number of the build of pages that is public; 0 before the first.',
      samples: [{ value: build }],
    },
  ];
};

export const familiesOf = async (runtime: Runtime, figures: Figures): Promise<readonly Family[]> => [
  ...about(runtime, figures),
  ...figures.process.families(),
  ...figures.counts.families(),
  ...runtime.db.figures(),
  ...(await within(jobFamilies(runtime), [])),
  ...(await gaugesOf(runtime)),
];
