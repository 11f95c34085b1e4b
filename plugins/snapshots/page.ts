/** Defines /snapshots: all data as files, with instructions for verifying them. */
import { type Context, definePage, type PageInstance } from '#core/plugin.ts';
import { breadcrumbs, webPage } from '#core/render/structured-data.ts';
import { versionOf } from '#plugins/evidence/index.ts';
import { datasetFacts, type PageFacts, SnapshotsView, snapshotsView } from './page-data.ts';
import { readSnapshots } from './store.ts';

const head = {
  title: 'The data as files',
  description:
    'Sources, grades, products, supplements, conditions and interactions as JSON Lines for anybody to take along: versioned, signed, with checksums, schemas and licences.',
};

const factsOf = ({ config }: Context): PageFacts => ({
  baseUrl: config.text('BASE_URL'),
  everyDays: config.integer('SNAPSHOT_EVERY_DAYS'),
  kept: config.integer('SNAPSHOTS_KEEP'),
});

export const snapshotsPage = definePage({
  id: 'snapshots.list',
  path: '/snapshots',
  summary: 'The whole data as files, and how to check them',
  template: 'snapshots/snapshots',
  view: SnapshotsView,
  scope: 'public',
  sitemap: 'static',
  llms: { section: 'For developers', isInFull: false },
  revision: 1,
  list: async function* (context: Context): AsyncIterable<PageInstance> {
    const all = await context.db.read(readSnapshots);
    const version = versionOf(
      all.map(({ id }) => id),
      factsOf(context),
    );
    yield { params: {}, version, changedAt: all[0]?.madeAt ?? null };
  },
  load: async (context: Context) => {
    const all = await context.db.read(readSnapshots);
    const facts = factsOf(context);
    const { baseUrl } = facts;
    const [newest] = all;
    const view = snapshotsView(all, facts);
    const structuredData = [
      webPage({
        baseUrl,
        path: '/snapshots',
        name: head.title,
        description: head.description,
        changed: newest?.madeAt,
      }),
      breadcrumbs(baseUrl, view.crumbs),
      ...(newest ? datasetFacts(newest, baseUrl) : []),
    ];
    return { head: { ...head, structuredData }, view };
  },
});
