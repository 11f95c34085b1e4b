import { Type } from 'typebox';
import { definePlugin, defineRoute } from '#core/plugin.ts';
import { articlesPlugin } from '#plugins/articles/index.ts';
import { biomarkersPlugin } from '#plugins/biomarkers/index.ts';
import { evidencePlugin, readStats } from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { productsPlugin } from '#plugins/products/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';

const Counts = Type.Record(Type.String(), Type.Integer());
const Stats = Type.Object({
  sources: Type.Object({
    total: Type.Integer(),
    by_tier: Counts,
    by_class: Counts,
    by_species: Counts,
    by_year: Counts,
  }),
  supplements: Type.Integer(),
  conditions: Type.Integer(),
  interactions: Type.Integer(),
  products: Type.Object({ total: Type.Integer(), on_market: Type.Integer() }),
  brands: Type.Integer(),
  biomarkers: Type.Integer(),
  articles: Type.Integer(),
  verticals: Type.Integer(),
  last_updated: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  index_version: Type.String(),
});

const stats = defineRoute({
  id: 'stats',
  method: 'GET',
  path: '/api/stats',
  summary: 'How large the base is',
  description: 'Kinds that this instance holds nothing of count 0.',
  tag: 'Service',
  access: 'public',
  request: {},
  replies: [{ status: 200, mediaType: 'application/json', description: 'Counts by kind', schema: Stats }],
  raises: [],
  handle: async ({ db, use }) => {
    const { supplements, conditions } = await use(vocabularyPlugin).terms();
    const corpus = await db.read(readStats);
    const pairs = await use(interactionsPlugin).pairs();
    const { brands, ...products } = await use(productsPlugin).stats();
    return {
      headers: { 'Cache-Control': 'public, max-age=30' },
      body: {
        sources: {
          total: corpus.total,
          by_tier: corpus.byTier,
          by_class: corpus.byClass,
          by_species: corpus.bySpecies,
          by_year: corpus.byYear,
        },
        supplements: supplements.size,
        conditions: conditions.size,
        interactions: pairs.length,
        products,
        brands,
        biomarkers: (await use(biomarkersPlugin).book()).markers.length,
        articles: await use(articlesPlugin).count(),
        verticals: corpus.verticals,
        last_updated: corpus.lastUpdated,
        index_version: use(evidencePlugin).index.state().version,
      },
    };
  },
});

/** Registers the statistics of the base for integrators and operators. */
export const platformPlugin = definePlugin({
  name: 'platform',
  summary: 'Figures of the base for integrators and operators',
  dependencies: [
    vocabularyPlugin,
    evidencePlugin,
    interactionsPlugin,
    productsPlugin,
    articlesPlugin,
    biomarkersPlugin,
  ],
  routes: [stats],
  start: () => undefined,
});
