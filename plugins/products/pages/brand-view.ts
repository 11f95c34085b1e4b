/** Builds the view of a brand's page for its template: counts from its labels, and one page of them. It contains no score. */
import { type Static, Type } from 'typebox';
import { byName, CrumbList } from '#plugins/evidence/index.ts';
import { type BrandLabel, type WarnedNames, warnedIn } from './brand-data.ts';
import { addressOf, ChoiceView, PagerView, pagerOf } from './paging.ts';
import { dayWords, listed, marketWord } from './product-figures.ts';
import { ProductLine } from './product-rows.ts';

const PAGE_SIZE = 50;
const SHOWN_SUPPLEMENTS = 24;

export const BrandView = Type.Object({
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
export type BrandView = Static<typeof BrandView>;

/** Data shared by all brands of one load. */
export interface Around {
  readonly names: ReadonlyMap<string, string>;
  readonly warned: WarnedNames;
  readonly recalled: ReadonlyMap<number, number>;
  readonly baseUrl: string;
}

export interface Asked {
  readonly slug: string;
  /** Slug of a supplement, or text that matches none; "" for all. */
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

const marketOf = (labels: readonly BrandLabel[]): BrandView['market'] =>
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

export const brandView = (labels: readonly BrandLabel[], asked: Asked, around: Around): BrandView => {
  const { slug, supplement, page } = asked;
  const path = `/brands/${slug}`;
  const fitting = supplement ? labels.filter(({ supplements }) => supplements.includes(supplement)) : labels;
  // The most frequent spelling; among equals the first by name, so that the result is deterministic.
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
    answer: `${labels.length.toLocaleString('en-GB')} ${labels.length === 1 ? 'label' : 'labels'} of this brand ${labels.length === 1 ? 'is' : 'are'} on file. The figures below are counted from them and are not a judgement of the brand.`,
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
