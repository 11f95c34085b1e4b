/** Page /conditions: every condition, by category, with the amount of evidence in the database. */
import { type Static, Type } from 'typebox';
import { type Context, definePage, type PageInstance } from '#core/plugin.ts';
import { collectionPage } from '#core/render/structured-data.ts';
import { byName, LinkView, latest, OptionalTier, tierView, versionOf } from '#plugins/evidence/index.ts';
import { type ConditionRow, type Terms, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { CONDITION_CATEGORY_WORDS } from './catalog-labels.ts';
import { type ConditionCount, readConditionCounts } from './condition-counts.ts';
import { claimsOn } from './condition-data.ts';

const ConditionsView = Type.Object({
  total: Type.Integer(),
  findings: Type.Integer(),
  categories: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      conditions: Type.Array(
        Type.Object({
          link: LinkView,
          best: OptionalTier,
          sources: Type.Integer(),
          supplements: Type.Integer(),
          findings: Type.Integer(),
        }),
      ),
    }),
  ),
});
type ConditionsView = Static<typeof ConditionsView>;

const categoriesOf = (terms: Terms, counts: ReadonlyMap<string, ConditionCount>): ConditionsView['categories'] => {
  const entryOf = (row: ConditionRow) => {
    const count = counts.get(row.slug);
    return {
      link: { name: row.name, href: `/conditions/${row.slug}` },
      best: count?.best ? tierView(count.best) : null,
      sources: count?.sources ?? 0,
      supplements: count?.supplements ?? 0,
      findings: claimsOn(row, terms).length,
    };
  };
  const rows = [...terms.conditions.values()].sort(byName);
  return Object.entries(CONDITION_CATEGORY_WORDS).flatMap(([id, name]) => {
    const conditions = rows.filter(({ category }) => category === id).map(entryOf);
    return conditions.length ? [{ id, name, conditions }] : [];
  });
};

const loadConditions = async ({ db, use, config }: Context) => {
  const terms = await use(vocabularyPlugin).terms();
  const counts = await db.read((em) => readConditionCounts(em, terms.conditions.values()));
  const categories = categoriesOf(terms, counts);
  const findings = categories.flatMap(({ conditions }) => conditions).reduce((sum, one) => sum + one.findings, 0);
  const view: ConditionsView = { total: terms.conditions.size, findings, categories };
  const description = `${view.total} conditions: which supplements were studied for each, what was found, how far it can be trusted, and what nobody studied.`;
  const list = [...terms.conditions.values()]
    .sort(byName)
    .map(({ name, slug }) => ({ name, href: `/conditions/${slug}` }));
  const facts = { baseUrl: config.text('BASE_URL'), path: '/conditions', name: 'Conditions', description };
  return {
    head: {
      title: 'Conditions, and the supplements that were studied',
      description,
      structuredData: [collectionPage(facts, list)],
    },
    view,
  };
};

async function* listConditions({ db, use }: Context): AsyncIterable<PageInstance> {
  const terms = await use(vocabularyPlugin).terms();
  const rows = [...terms.conditions.values()];
  const counts = await db.read((em) => readConditionCounts(em, rows));
  const said = rows.map((row) => [row.slug, row.name, row.category, claimsOn(row, terms).length]);
  yield {
    params: {},
    version: versionOf(said, [...counts]),
    changedAt: latest([
      ...rows.map(({ changedAt }) => changedAt.toISOString()),
      ...[...counts.values()].map(({ last }) => last),
    ]),
  };
}

export const conditionsPage = definePage({
  id: 'catalog.conditions',
  path: '/conditions',
  summary: 'All conditions, by category',
  template: 'catalog/conditions',
  view: ConditionsView,
  scope: 'public',
  sitemap: 'conditions',
  llms: { section: 'Lists', isInFull: false },
  revision: 2,
  list: listConditions,
  load: (context: Context) => loadConditions(context),
});
