/** Defines the front page: search, checker, figures, recent changes, tiers, and the supplements by category. */
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
import { type Terms, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { readRecentChanges, stateOfChanges } from './recent-changes.ts';
import { siteData } from './site-data.ts';

const HomeView = Type.Object({
  figures: Type.Array(Type.Object({ value: Type.Integer(), name: Type.String(), href: Type.String() })),
  /** Values of the checker's fields; empty on this page. */
  checker: Type.Object({
    supplement: Type.String(),
    drug: Type.String(),
    s: Type.String(),
    d: Type.String(),
    c: Type.String(),
  }),
  conditionKinds: Type.Array(Type.Object({ name: Type.String(), href: Type.String(), count: Type.Integer() })),
  /** Date of the last change; "" in an empty base. */
  asOf: Type.String(),
  tiers: Type.Array(Type.Object({ tier: OptionalTier, sources: Type.Integer() })),
  supplementCount: Type.Integer(),
  categories: Type.Array(
    Type.Object({
      name: Type.String(),
      href: Type.String(),
      count: Type.Integer(),
      /** The supplements with the most sources, sorted by name. */
      supplements: Type.Array(LinkView),
      /** How many supplements the category has beyond those shown. */
      more: Type.Integer(),
    }),
  ),
  changes: Type.Array(Type.Object({ day: Type.String(), text: Type.String(), links: Type.Array(LinkView) })),
});
type HomeView = Static<typeof HomeView>;

const countPairs = async ({ use }: Context): Promise<number> => (await use(interactionsPlugin).pairs()).length;

const conditionKinds = ({ conditions }: Terms): HomeView['conditionKinds'] =>
  Object.entries(CONDITION_CATEGORY_WORDS).flatMap(([category, name]) => {
    const count = [...conditions.values()].filter((row) => row.category === category).length;
    return count ? [{ name, href: `/conditions#${category}`, count }] : [];
  });

const NAMED = 8;

/** Returns each category with the supplements that have the most sources; the link leads to the complete list. */
const kindsOf = (
  supplements: readonly { readonly slug: string; readonly name: string; readonly category: string }[],
  counts: ReadonlyMap<string, { readonly n: number }>,
): HomeView['categories'] =>
  Object.entries(CATEGORY_WORDS).flatMap(([category, name]) => {
    const mine = supplements.filter((row) => row.category === category);
    if (!mine.length) return [];
    const sourcesOf = ({ slug }: { readonly slug: string }): number => counts.get(slug)?.n ?? 0;
    // A single supplement beyond the limit is shown instead of "1 more".
    const shown =
      mine.length <= NAMED + 1 ? mine : mine.toSorted((a, b) => sourcesOf(b) - sourcesOf(a)).slice(0, NAMED);
    const links = shown.toSorted(byName).map((row) => ({ name: row.name, href: `/supplements/${row.slug}` }));
    const href = `/supplements?category=${category}`;
    return [{ name, href, count: mine.length, supplements: links, more: mine.length - shown.length }];
  });

const loadHome = async (context: Context) => {
  const { db, use, config } = context;
  const pairs = await countPairs(context);
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
      { value: pairs, name: 'pairs with medicines', href: '/interactions' },
    ],
    checker: { supplement: '', drug: '', s: '', d: '', c: '' },
    conditionKinds: conditionKinds(terms),
    asOf: changedAt ? dayInWords(changedAt) : '',
    tiers: TIERS.map((tier) => ({ tier: tierView(tier), sources: stats.byTier[tier] ?? 0 })),
    supplementCount: supplements.length,
    categories: kindsOf(supplements, counts),
    changes: changes.map((change) => ({ ...change, links: [...change.links] })),
  };
  const title = 'What studies show about supplements';
  const description = `Graded, cited evidence on ${supplements.length} natural supplements: what studies found, how far each can be trusted, doses as studied, safety, and what is not known.`;
  return { head: { title, description, structuredData: siteData(config, { stats, changedAt }) }, view };
};

async function* listHome(context: Context): AsyncIterable<PageInstance> {
  const { db, use } = context;
  const terms = await use(vocabularyPlugin).terms();
  const { supplements } = terms;
  const pairs = await countPairs(context);
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
      pairs,
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
  revision: 4,
  list: listHome,
  load: loadHome,
});
