/** What a supplement's page shows of the market: counts, forms, doses on labels beside doses in trials, some products. */
import { type Static, Type } from 'typebox';
import { dayInWords, LinkView } from '#plugins/evidence/index.ts';
import { inBaseUnit, type MarketProfile, type ProductServices } from '#plugins/products/index.ts';
import type { IntakeRow } from '#plugins/vocabulary/index.ts';

/** A place on the axis, in per cent of its length. */
const Place = Type.Number({ minimum: 0, maximum: 100 });
const Span = Type.Object({ from: Place, to: Place });

const Doses = Type.Object({
  unit: Type.String(),
  p10: Type.Number(),
  p25: Type.Number(),
  p50: Type.Number(),
  p75: Type.Number(),
  p90: Type.Number(),
  labels: Type.Integer(),
  fromName: Type.Integer(),
  trial: Type.Union([Type.Object({ min: Type.Number(), max: Type.Number() }), Type.Null()]),
  upper: Type.Union([Type.Number(), Type.Null()]),
  chart: Type.Object({
    end: Type.Number(),
    most: Span,
    half: Span,
    middle: Place,
    trial: Type.Union([Span, Type.Null()]),
    upper: Type.Union([Place, Type.Null()]),
  }),
});
type Doses = Static<typeof Doses>;

export const MarketPart = Type.Object({
  products: Type.Integer(),
  onMarket: Type.Integer(),
  unknown: Type.Integer(),
  gone: Type.Integer(),
  brands: Type.Integer(),
  forms: Type.Array(Type.Object({ name: Type.String(), href: Type.String(), count: Type.Integer() })),
  doses: Type.Union([Doses, Type.Null()]),
  /** Of labels that can be compared: per cent within the doses of trials, and how many labels that rests on. */
  within: Type.Union([Type.Object({ percent: Type.Integer(), labels: Type.Integer() }), Type.Null()]),
  topBrands: Type.Array(Type.Object({ name: Type.String(), href: Type.String(), count: Type.Integer() })),
  some: Type.Array(Type.Object({ product: LinkView, brand: LinkView, form: Type.String(), market: Type.String() })),
  /** The latest day on which a status was true; "" when none is known. */
  asOf: Type.String(),
  href: Type.String(),
});
export type MarketPart = Static<typeof MarketPart>;

const SHOWN = 6;

/** In another unit, where the two convert; null otherwise. */
const converted = (slug: string, amount: number, { from, to }: { from: string; to: string }): number | null => {
  const [given, one] = [inBaseUnit(slug, amount, from), inBaseUnit(slug, 1, to)];
  return given && one && given.unit === one.unit ? Number((given.value / one.value).toPrecision(6)) : null;
};

const trialIn = (slug: string, profile: MarketProfile, unit: string): Doses['trial'] => {
  const { trial_dose: trial } = profile;
  if (!trial) return null;
  const units = { from: trial.unit, to: unit };
  const [min, max] = [converted(slug, trial.min, units), converted(slug, trial.max, units)];
  return min === null || max === null ? null : { min, max };
};

/** A limit with a note such as "from supplements only" is still one of the day; the page says so beside it. */
const upperIn = (slug: string, intake: IntakeRow | undefined, unit: string): number | null => {
  const adult = intake?.upperLimit?.adult ?? null;
  return intake && adult !== null ? converted(slug, adult, { from: intake.unit, to: unit }) : null;
};

const dosesOf = (slug: string, profile: MarketProfile, intake: IntakeRow | undefined): Doses | null => {
  const found = profile.dose_distribution;
  if (!found) return null;
  const { unit, p10, p25, p50, p75, p90, labels, from_name: fromName } = found;
  const [trial, upper] = [trialIn(slug, profile, unit), upperIn(slug, intake, unit)];
  const end = Math.max(p90, trial?.max ?? 0, upper ?? 0) * 1.05 || 1;
  const at = (value: number): number => Math.round((value / end) * 1000) / 10;
  const chart = {
    end: Number(end.toPrecision(3)),
    most: { from: at(p10), to: at(p90) },
    half: { from: at(p25), to: at(p75) },
    middle: at(p50),
    trial: trial && { from: at(trial.min), to: at(trial.max) },
    upper: upper === null ? null : at(upper),
  };
  return { unit, p10, p25, p50, p75, p90, labels, fromName, trial, upper, chart };
};

const MARKET_WORDS = { true: 'on the market', false: 'no longer sold', null: 'market status unknown' } as const;

/** Null while the base holds no product with it. */
export const readMarketPart = async (
  products: Pick<ProductServices, 'market' | 'topProducts'>,
  slug: string,
  intake: IntakeRow | undefined,
): Promise<MarketPart | null> => {
  const profile = await products.market(slug);
  if (!profile?.product_count) return null;
  const some = await products.topProducts(slug, SHOWN);
  const href = `/supplements/${slug}/products`;
  const share = profile.share_within_trial_dose;
  return {
    products: profile.product_count,
    onMarket: profile.on_market_count,
    unknown: profile.unknown_market_count,
    gone: profile.product_count - profile.on_market_count - profile.unknown_market_count,
    brands: profile.brand_count,
    forms: profile.forms.slice(0, SHOWN).map(({ form, count }) => ({
      name: form,
      href: form === 'not stated' ? '' : `${href}?${new URLSearchParams({ form })}`,
      count,
    })),
    doses: dosesOf(slug, profile, intake),
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
};
