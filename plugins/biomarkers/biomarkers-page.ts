/** Defines the page /biomarkers, which lists all biomarkers by category. */
import { type Static, Type } from 'typebox';
import { type Context, definePage, type Page, type PageInstance } from '#core/plugin.ts';
import { collectionPage } from '#core/render/structured-data.ts';
import { LinkView, latest, versionOf } from '#plugins/evidence/index.ts';
import { SPECIMEN_WORDS } from './biomarker-view.ts';
import type { BiomarkerRow } from './entities.ts';
import { CATEGORY_WORDS } from './schemas.ts';
import type { BiomarkerServices } from './services.ts';
import { unitText } from './units.ts';

type Reading = Context<BiomarkerServices>;

const BiomarkersView = Type.Object({
  title: Type.String(),
  total: Type.Integer(),
  shown: Type.Integer(),
  filtered: Type.Boolean(),
  choices: Type.Array(
    Type.Object({ name: Type.String(), href: Type.String(), count: Type.Integer(), chosen: Type.Boolean() }),
  ),
  categories: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      markers: Type.Array(
        Type.Object({ link: LinkView, unit: Type.String(), specimen: Type.String(), ranges: Type.Integer() }),
      ),
    }),
  ),
});
type BiomarkersView = Static<typeof BiomarkersView>;

const categoriesOf = (rows: readonly BiomarkerRow[]): BiomarkersView['categories'] =>
  Object.entries(CATEGORY_WORDS).flatMap(([id, name]) => {
    const markers = rows
      .filter(({ marker }) => marker.category === id)
      .map(({ marker }) => ({
        link: { name: marker.name, href: `/biomarkers/${marker.slug}` },
        unit: unitText(marker.ucum),
        specimen: SPECIMEN_WORDS[marker.specimen],
        ranges: marker.ranges.length,
      }));
    return markers.length ? [{ id, name, markers }] : [];
  });

const viewOf = (rows: readonly BiomarkerRow[], category: string): BiomarkersView => {
  const all = categoriesOf(rows);
  const categories = category ? all.filter(({ id }) => id === category) : all;
  const chosen = all.find(({ id }) => id === category);
  return {
    title: chosen ? `Biomarkers: ${chosen.name.charAt(0).toLowerCase()}${chosen.name.slice(1)}` : 'Biomarkers',
    total: rows.length,
    shown: categories.reduce((sum, { markers }) => sum + markers.length, 0),
    filtered: category !== '',
    choices: all.map(({ id, name, markers }) => ({
      name,
      href: id === category ? '/biomarkers' : `/biomarkers?category=${id}`,
      count: markers.length,
      chosen: id === category,
    })),
    categories,
  };
};

const loadBiomarkers = async ({ services, config }: Reading, category: string) => {
  const view = viewOf(await services.rows(), category);
  const description = `${view.total} values that laboratories measure in blood and urine: what each is, ranges with their source and population, units, and what is known to move it.`;
  const items = view.categories.flatMap(({ markers }) => markers.map(({ link }) => link));
  const facts = { baseUrl: config.text('BASE_URL'), path: '/biomarkers', name: 'Biomarkers', description };
  return {
    head: {
      title: view.filtered ? view.title : 'Biomarkers: ranges with their source',
      description,
      noindex: view.filtered,
      structuredData: [collectionPage(facts, items)],
    },
    view,
  };
};

async function* listList({ services }: Reading): AsyncIterable<PageInstance> {
  const rows = await services.rows();
  yield {
    params: {},
    version: versionOf(viewOf(rows, '')),
    changedAt: latest(rows.map(({ entry }) => `${entry.updated_at}T00:00:00Z`)),
  };
}

export const biomarkersPage = definePage({
  id: 'biomarkers.list',
  path: '/biomarkers',
  summary: 'All biomarkers, by category',
  template: 'biomarkers/biomarkers',
  query: Type.Object({ category: Type.String({ maxLength: 80, default: '' }) }),
  view: BiomarkersView,
  scope: 'public',
  sitemap: 'biomarkers',
  llms: { section: 'Lists', isInFull: false },
  revision: 1,
  list: listList,
  load: (context: Reading, { query }) => loadBiomarkers(context, query.category),
}) as Page<BiomarkerServices>;
