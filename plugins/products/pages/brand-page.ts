/** /brands/{brand_slug}: what a brand has on file, and what can be counted of its labels; no score. */
import { type Static, Type } from 'typebox';
import { type Context, definePage, type PageInstance } from '#core/plugin.ts';
import { byName, CrumbList, versionOf } from '#plugins/evidence/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { brandSlug } from '../brand-slug.ts';
import type { ProductServices } from '../services.ts';
import { type BrandLabel, readBrandLabels, readRecalled, warnedIn, warnedNames } from './brand-data.ts';
import { addressOf, ChoiceView, PageNumber, PagerView, pagerOf } from './paging.ts';
import { ProductLine } from './product-rows.ts';
import { listData } from './structured-data.ts';
import { recallVersions, substancesVersion } from './versions.ts';
import { dayWords, listed, marketWord, shortened } from './words.ts';

const PAGE_SIZE = 50;
const SHOWN_SUPPLEMENTS = 24;

const View = Type.Object({
  crumbs: CrumbList,
  name: Type.String(),
  href: Type.String(),
  answer: Type.String(),
  products: Type.Integer(),
  market: Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() })),
  asOf: Type.String(),
  quality: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  warned: Type.String(),
  supplements: Type.Array(ChoiceView),
  more: Type.Integer(),
  filter: Type.String(),
  lines: Type.Array(ProductLine),
  pager: PagerView,
});
type View = Static<typeof View>;

const Query = Type.Object({
  supplement: Type.String({ default: '', maxLength: 120, description: 'Slug, name, synonym or Latin name.' }),
  page: PageNumber,
});

/** What all brands of one load share. */
interface Around {
  readonly names: ReadonlyMap<string, string>;
  readonly warned: ReadonlyMap<string, string>;
  readonly recalled: ReadonlyMap<number, number>;
  readonly baseUrl: string;
}

interface Asked {
  readonly slug: string;
  /** Slug of a supplement, or words that name none; "" for all. */
  readonly supplement: string;
  readonly page: number;
}

const share = (part: number, whole: number): string =>
  whole ? `${part.toLocaleString('en-GB')} of ${whole.toLocaleString('en-GB')}` : 'none on file';

const qualityOf = (labels: readonly BrandLabel[], { warned, recalled }: Around) => {
  const panels = labels.filter(({ extent }) => extent === 'label');
  const whole = panels.filter(({ has_gaps: gaps }) => !gaps);
  const named = labels.flatMap((label) => warnedIn(label, warned) || []);
  const recalls = labels.filter(({ id }) => recalled.has(id)).length;
  return {
    quality: [
      { name: 'Labels whose whole facts panel is in our data', value: share(panels.length, labels.length) },
      { name: 'Of those, labels that print an amount for every ingredient', value: share(whole.length, panels.length) },
      { name: 'Products with a recall linked to them', value: share(recalls, labels.length) },
      { name: 'Products that name a warned substance', value: share(named.length, labels.length) },
    ],
    warned: listed([...new Set(named)].sort()),
  };
};

const marketOf = (labels: readonly BrandLabel[]): View['market'] =>
  [true, false, null].map((status) => ({
    name: marketWord(status),
    count: labels.filter(({ on_market: onMarket }) => onMarket === status).length,
  }));

const supplementsOf = (labels: readonly BrandLabel[], { slug, supplement }: Asked, names: Around['names']) => {
  const counts = new Map<string, number>();
  for (const label of labels) for (const held of label.supplements) counts.set(held, (counts.get(held) ?? 0) + 1);
  const all = [...counts]
    .flatMap(([held, count]) => {
      const name = names.get(held);
      const chosen = held === supplement;
      const href = addressOf(`/brands/${slug}`, { supplement: chosen ? '' : held });
      return name ? [{ name, href, count, chosen }] : [];
    })
    .sort((a, b) => Number(b.chosen) - Number(a.chosen) || b.count - a.count || byName(a, b));
  return { supplements: all.slice(0, SHOWN_SUPPLEMENTS), more: Math.max(0, all.length - SHOWN_SUPPLEMENTS) };
};

const lineOf = (label: BrandLabel): ProductLine => ({
  name: label.name,
  href: `/product/${label.id}`,
  brand: '',
  brandHref: '',
  form: label.form,
  amount: '',
  known: false,
  market: marketWord(label.on_market),
});

const brandView = (labels: readonly BrandLabel[], asked: Asked, around: Around): View => {
  const { slug, supplement, page } = asked;
  const path = `/brands/${slug}`;
  const fitting = supplement ? labels.filter(({ supplements }) => supplements.includes(supplement)) : labels;
  // The spelling that most labels have; the first by name among equals, so that the page is the same each time.
  const spellings = [...Map.groupBy(labels, ({ brand }) => brand)].sort(
    (a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1),
  );
  const name = spellings[0]?.[0] ?? slug;
  const market = marketOf(labels);
  const lastDay = labels.reduce((last, { as_of: day }) => (day && day > last ? day : last), '');
  return {
    crumbs: [
      { name: 'Brands', href: '/brands' },
      { name, href: path },
    ],
    name,
    href: path,
    answer: `${labels.length.toLocaleString('en-GB')} ${labels.length === 1 ? 'label' : 'labels'} of this brand ${labels.length === 1 ? 'is' : 'are'} on file. What stands here is counted from them; it is no judgement of the brand.`,
    products: labels.length,
    market,
    asOf: dayWords(lastDay || null),
    ...qualityOf(labels, around),
    ...supplementsOf(labels, asked, around.names),
    filter: supplement && (around.names.get(supplement) ?? supplement),
    lines: fitting.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map(lineOf),
    pager: pagerOf({ path, filters: { supplement }, page, size: PAGE_SIZE, total: fitting.length }),
  };
};

const headOf = (view: View, baseUrl: string) => ({
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

/** Fewer letters in common say nothing. */
const LEAST_SHARED = 4;

/** Brands that begin alike, and the way to all of them. */
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
  const { supplements, substances } = await use(vocabularyPlugin).terms();
  const slugs = [...new Set(asked.map(({ slug }) => slug))];
  const { labels, recalled } = await db.read(async (em) => ({
    labels: await readBrandLabels(em, slugs),
    recalled: await readRecalled(em),
  }));
  const around: Around = {
    names: new Map([...supplements].map(([slug, { name }]) => [slug, name])),
    warned: warnedNames(substances.values()),
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
  view: View,
  scope: 'public',
  sitemap: 'static',
  revision: 1,
  list,
  load: (context: Context<ProductServices>, { params, query }) => load(context, params.brand_slug, query),
  loadMany: (context: Context<ProductServices>, params) =>
    loadBrands(
      context,
      params.map(({ brand_slug: slug }) => ({ slug, supplement: '', page: 1 })),
    ),
});
