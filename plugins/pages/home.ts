/** The front page: what this is, how much it holds, how it grades, and every supplement. */
import { type Static, Type } from 'typebox';
import { type Context, definePage, type PageInstance } from '#core/plugin.ts';
import { CATEGORY_WORDS, CONDITION_CATEGORY_WORDS } from '#plugins/catalog/index.ts';
import {
  byName,
  dayInWords,
  LinkView,
  latest,
  OptionalTier,
  readStats,
  readSupplementCounts,
  TIERS,
  tierView,
  versionOf,
} from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { productsPlugin } from '#plugins/products/index.ts';
import { type Terms, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { readRecentChanges, stateOfChanges } from './recent-changes.ts';

const HomeView = Type.Object({
  figures: Type.Array(Type.Object({ value: Type.Integer(), name: Type.String(), href: Type.String() })),
  /** The checker's fields, empty here. */
  checker: Type.Object({
    supplement: Type.String(),
    drug: Type.String(),
    s: Type.String(),
    d: Type.String(),
    c: Type.String(),
  }),
  conditionKinds: Type.Array(Type.Object({ name: Type.String(), href: Type.String(), count: Type.Integer() })),
  /** "" in an empty base. */
  asOf: Type.String(),
  tiers: Type.Array(Type.Object({ tier: OptionalTier, sources: Type.Integer() })),
  categories: Type.Array(
    Type.Object({
      name: Type.String(),
      href: Type.String(),
      supplements: Type.Array(Type.Object({ link: LinkView, best: OptionalTier, sources: Type.Integer() })),
    }),
  ),
  changes: Type.Array(Type.Object({ day: Type.String(), text: Type.String(), links: Type.Array(LinkView) })),
});
type HomeView = Static<typeof HomeView>;

/** What other plugins hold, as figures. */
const readFigures = async ({ use }: Context) => ({
  pairs: (await use(interactionsPlugin).pairs()).length,
  products: (await use(productsPlugin).stats()).total,
});

const conditionKinds = ({ conditions }: Terms): HomeView['conditionKinds'] =>
  Object.entries(CONDITION_CATEGORY_WORDS).flatMap(([category, name]) => {
    const count = [...conditions.values()].filter((row) => row.category === category).length;
    return count ? [{ name, href: `/conditions#${category}`, count }] : [];
  });

const loadHome = async (context: Context) => {
  const { db, use, config } = context;
  const { pairs, products } = await readFigures(context);
  const terms = await use(vocabularyPlugin).terms();
  const { stats, counts, changes } = await db.read(async (em) => ({
    stats: await readStats(em),
    counts: new Map((await readSupplementCounts(em)).map((count) => [count.supplement, count])),
    changes: await readRecentChanges(em, terms),
  }));
  const supplements = [...terms.supplements.values()].sort(byName);
  const changedAt = latest([stats.lastUpdated, ...supplements.map((row) => row.changedAt.toISOString())]);
  const view: HomeView = {
    figures: [
      { value: stats.total, name: 'graded sources', href: '/explore/sources' },
      { value: supplements.length, name: 'supplements', href: '/supplements' },
      { value: terms.conditions.size, name: 'conditions', href: '/conditions' },
      { value: pairs, name: 'pairs with medicines', href: '/interactions' },
      { value: products, name: 'products', href: '/brands' },
      { value: stats.verticals, name: 'questions with sources', href: '/search/evidence' },
    ],
    checker: { supplement: '', drug: '', s: '', d: '', c: '' },
    conditionKinds: conditionKinds(terms),
    asOf: changedAt ? dayInWords(changedAt) : '',
    tiers: TIERS.map((tier) => ({ tier: tierView(tier), sources: stats.byTier[tier] ?? 0 })),
    categories: Object.entries(CATEGORY_WORDS).flatMap(([category, name]) => {
      const mine = supplements.filter((row) => row.category === category);
      const entries = mine.map((row) => {
        const count = counts.get(row.slug);
        const link = { name: row.name, href: `/supplements/${row.slug}` };
        return { link, best: count?.best ? tierView(count.best) : null, sources: count?.n ?? 0 };
      });
      return entries.length ? [{ name, href: `/supplements?category=${category}`, supplements: entries }] : [];
    }),
    changes: changes.map((change) => ({ ...change, links: [...change.links] })),
  };
  const title = 'What studies show about natural supplements';
  const description = `Graded, cited evidence on ${supplements.length} natural supplements: what studies found, how far each can be trusted, doses as studied, safety, and what is not known.`;
  return { head: { title, description, structuredData: [siteData(config.text('BASE_URL'))] }, view };
};

const siteData = (baseUrl: string): object => ({
  '@context': 'https://schema.org',
  '@type': 'WebSite',
  name: 'Supplement Evidence Base',
  url: `${baseUrl}/`,
  inLanguage: 'en',
  potentialAction: {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${baseUrl}/search?q={search_term_string}` },
    'query-input': 'required name=search_term_string',
  },
});

async function* listHome(context: Context): AsyncIterable<PageInstance> {
  const { db, use } = context;
  const terms = await use(vocabularyPlugin).terms();
  const { supplements } = terms;
  const figures = await readFigures(context);
  const rows = [...supplements.values()];
  const { stats, counts, changes } = await db.read(async (em) => ({
    stats: await readStats(em),
    counts: await readSupplementCounts(em),
    changes: await stateOfChanges(em),
  }));
  yield {
    params: {},
    version: versionOf(
      stats,
      counts,
      changes,
      figures,
      terms.conditions.size,
      conditionKinds(terms),
      rows.map(({ digest }) => digest),
    ),
    changedAt: latest([stats.lastUpdated, ...rows.map(({ changedAt }) => changedAt.toISOString())]),
  };
}

export const homePage = definePage({
  id: 'pages.home',
  path: '/',
  summary: 'The front page',
  template: 'pages/home',
  view: HomeView,
  scope: 'public',
  sitemap: 'static',
  revision: 2,
  list: listHome,
  load: loadHome,
});
