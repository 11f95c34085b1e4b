/** Market section of a supplement's page: counts, forms, doses on labels beside doses in trials, some products. */
import { type Static, Type } from 'typebox';
import { BarsView, bars } from '#core/render/charts/bars.ts';
import { dayInWords, inSentence, LinkView } from '#plugins/evidence/index.ts';
import type { MarketProfile, ProductServices } from '#plugins/products/index.ts';

export const MarketPart = Type.Object({
  products: Type.Integer(),
  onMarket: Type.Integer(),
  unknown: Type.Integer(),
  gone: Type.Integer(),
  brands: Type.Integer(),
  forms: Type.Union([BarsView, Type.Null()]),
  /** The only form, if a bar chart would have nothing to compare; "" otherwise. */
  onlyForm: Type.String(),
  /** Number of labels whose amounts are on the dose axis; 0 if too few state one. */
  labels: Type.Integer(),
  /** Percentage of the comparable labels within the doses of trials, and the number of these labels. */
  within: Type.Union([Type.Object({ percent: Type.Integer(), labels: Type.Integer() }), Type.Null()]),
  topBrands: Type.Array(Type.Object({ name: Type.String(), href: Type.String(), count: Type.Integer() })),
  some: Type.Array(Type.Object({ product: LinkView, brand: LinkView, form: Type.String(), market: Type.String() })),
  /** The latest day for which a market status is known; "" if there is none. */
  asOf: Type.String(),
  href: Type.String(),
});
export type MarketPart = Static<typeof MarketPart>;

const SHOWN = 6;

const MARKET_WORDS = { true: 'on the market', false: 'no longer sold', null: 'market status unknown' } as const;

/** Reads the market section; null while the database has no product with the supplement. */
export const readMarketPart = async (
  products: Pick<ProductServices, 'market' | 'topProducts'>,
  slug: string,
): Promise<{ readonly part: MarketPart; readonly labels: MarketProfile['dose_distribution'] } | null> => {
  const profile = await products.market(slug);
  if (!profile?.product_count) return null;
  const some = await products.topProducts(slug, SHOWN);
  const href = `/supplements/${slug}/products`;
  const share = profile.share_within_trial_dose;
  const forms = profile.forms.map(({ form, count }) => ({
    name: form,
    href: form === 'not stated' ? '' : `${href}?${new URLSearchParams({ form })}`,
    count,
  }));
  const part = {
    products: profile.product_count,
    onMarket: profile.on_market_count,
    unknown: profile.unknown_market_count,
    gone: profile.product_count - profile.on_market_count - profile.unknown_market_count,
    brands: profile.brand_count,
    forms: bars(forms, { id: 'form-chart', title: `Products with ${inSentence(profile.name)} by form`, most: SHOWN }),
    onlyForm: forms.length === 1 ? (forms[0]?.name ?? '') : '',
    labels: profile.dose_distribution?.labels ?? 0,
    within:
      share === null || !profile.trial_dose
        ? null
        : { percent: Math.round(share * 100), labels: profile.trial_dose.labels },
    topBrands: profile.top_brands.slice(0, SHOWN).map(({ brand_slug: brand, name, count }) => ({
      name,
      href: `${href}?${new URLSearchParams({ brand })}`,
      count,
    })),
    some: some.map((row) => ({
      product: { name: row.name, href: `/product/${row.dsldId}` },
      brand: { name: row.brand, href: row.brandSlug ? `/brands/${row.brandSlug}` : '' },
      form: row.form,
      market: MARKET_WORDS[`${row.onMarket}`],
    })),
    asOf: profile.as_of ? dayInWords(profile.as_of) : '',
    href,
  };
  return { part, labels: profile.dose_distribution };
};
