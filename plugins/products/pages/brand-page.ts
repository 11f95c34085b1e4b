/** Builds /brands/{brand_slug}: the labels of a brand, and figures counted from them. */
import { type Static, Type } from 'typebox';
import { type Context, definePage, type PageInstance } from '#core/plugin.ts';
import { versionOf } from '#plugins/evidence/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { brandSlug } from '../brand-slug.ts';
import type { ProductServices } from '../services.ts';
import { readBrandLabels, readRecalled, warnedNames } from './brand-data.ts';
import { type Around, type Asked, BrandView, brandView } from './brand-view.ts';
import { PageNumber } from './paging.ts';
import { shortened } from './product-figures.ts';
import { listData } from './structured-data.ts';
import { recallVersions, substancesVersion } from './versions.ts';

const Query = Type.Object({
  supplement: Type.String({ default: '', maxLength: 120, description: 'Slug, name, synonym or Latin name.' }),
  page: PageNumber,
});

const headOf = (view: BrandView, baseUrl: string) => ({
  title: `${view.name}: products on file${view.filter && ` with ${view.filter}`}${view.pager.page > 1 ? `, page ${view.pager.page}` : ''}`,
  description: shortened(
    `${view.name}: labels on file, market status, supplements in them, what labels print, recalls.`,
  ),
  noindex: view.filter !== '' || view.pager.page > 1,
  structuredData: [
    { '@context': 'https://schema.org', '@type': 'Brand', name: view.name, url: `${baseUrl}${view.href}` },
    ...listData({
      baseUrl,
      name: `Products of ${view.name}`,
      path: view.href,
      crumbs: view.crumbs,
      items: view.lines.slice(0, 20),
    }),
  ],
});

const sharedStart = (one: string, other: string): number => {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
};

/** Minimum length of a common prefix; shorter ones are not meaningful. */
const LEAST_SHARED = 4;

/** Returns brands with a common prefix, and a link to all brands. */
const nearBrands = async (services: ProductServices, slug: string) => {
  const wanted = brandSlug(slug);
  const near = (await services.index())
    .brands()
    .map((brand) => ({ brand, shared: sharedStart(brand.slug, wanted) }))
    .filter(({ shared }) => shared >= LEAST_SHARED)
    .sort((a, b) => b.shared - a.shared || (a.brand.slug < b.brand.slug ? -1 : 1))
    .slice(0, 5)
    .map(({ brand }) => ({ name: brand.name, href: `/brands/${brand.slug}` }));
  return [...near, { name: 'All brands', href: '/brands' }];
};

const loadBrands = async (context: Context<ProductServices>, asked: readonly Asked[]) => {
  const { db, services, use, config } = context;
  const terms = await use(vocabularyPlugin).terms();
  const slugs = [...new Set(asked.map(({ slug }) => slug))];
  const { labels, recalled } = await db.read(async (em) => ({
    labels: await readBrandLabels(em, slugs),
    recalled: await readRecalled(em),
  }));
  const around: Around = {
    names: new Map([...terms.supplements].map(([slug, { name }]) => [slug, name])),
    warned: warnedNames(terms),
    recalled,
    baseUrl: config.text('BASE_URL'),
  };
  return Promise.all(
    asked.map(async (one) => {
      const mine = labels.get(one.slug);
      if (!mine) return { missing: { resource: 'Brand', id: one.slug, near: await nearBrands(services, one.slug) } };
      const view = brandView(mine, one, around);
      return { head: headOf(view, around.baseUrl), view };
    }),
  );
};

const STATES = `select brand_slug as slug, count(*)::int as n, sum(change_number)::text as changes,
  to_char(max(updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last
  from product where removed_at is null and brand_slug <> '' group by 1`;

async function* list(context: Context<ProductServices>): AsyncIterable<PageInstance> {
  const { supplements } = await context.use(vocabularyPlugin).terms();
  const { rows, recalls } = await context.db.read(async (em) => ({
    rows: (await em.execute(STATES)) as unknown as { slug: string; n: number; changes: string; last: string }[],
    recalls: await recallVersions(em),
  }));
  const names = [...supplements.values()].map(({ slug, name }) => [slug, name]);
  const shared = versionOf(names, await substancesVersion(context), [...recalls]);
  for (const { slug, n, changes, last } of rows.sort((a, b) => (a.slug < b.slug ? -1 : 1)))
    yield { params: { brand_slug: slug }, version: `${n}|${changes}|${shared}`, changedAt: last };
}

const load = async (context: Context<ProductServices>, slug: string, query: Static<typeof Query>) => {
  const wanted = query.supplement.trim();
  const hit = wanted ? await context.services.resolveSupplement(wanted) : null;
  const supplement = hit?.slug ?? wanted;
  const [answer] = await loadBrands(context, [{ slug, supplement, page: query.page }]);
  return answer as NonNullable<typeof answer>;
};

export const brandPage = definePage({
  id: 'products.brand',
  path: '/brands/{brand_slug}',
  summary: 'One brand: its labels, what is in them, what can be counted of them',
  template: 'products/brand',
  params: Type.Object({ brand_slug: Type.String({ maxLength: 120 }) }),
  query: Query,
  view: BrandView,
  scope: 'public',
  sitemap: 'static',
  revision: 2,
  list,
  load: (context: Context<ProductServices>, { params, query }) => load(context, params.brand_slug, query),
  loadMany: (context: Context<ProductServices>, params) =>
    loadBrands(
      context,
      params.map(({ brand_slug: slug }) => ({ slug, supplement: '', page: 1 })),
    ),
});
