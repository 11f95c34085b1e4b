/** Computes market figures of one supplement: counts, forms, and doses on labels compared with those in trials. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { compareDose, inBaseUnit } from './card/dose.ts';
import type { SupplementFacts } from './card/supplement-facts.ts';
import type { MarketReply } from './schemas.ts';
import type { StatedAmount } from './search/product-columns.ts';
import type { ProductIndex } from './search/product-index.ts';

/**
 * Returns a quantile by linear interpolation between closest ranks (type 7 of Hyndman and Fan), as in most statistics
 * programs.
 */
const quantile = (sorted: readonly number[], share: number): number => {
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0];
  return low + (high - low) * (at - Math.floor(at));
};

/** Rounds to four significant figures. */
const tidy = (value: number): number => Number(value.toPrecision(4));

/** Minimum number of labels; fewer are not representative of a market. */
const LEAST_LABELS = 5;

/** Converts amounts to the unit that most labels use; amounts that do not convert are left out. */
const inOneUnit = (slug: string, amounts: readonly StatedAmount[]) => {
  const units = Map.groupBy(amounts, ({ amount, unit }) => inBaseUnit(slug, amount, unit)?.unit ?? '');
  units.delete('');
  const [base] = [...units].sort((a, b) => b[1].length - a[1].length)[0] ?? [''];
  const kept = units.get(base) ?? [];
  const printed = Map.groupBy(kept, ({ unit }) => unit.trim());
  const unit = [...printed].sort((a, b) => b[1].length - a[1].length)[0]?.[0] ?? '';
  const one = inBaseUnit(slug, 1, unit)?.value ?? 1;
  const values = kept.map((stated) => (inBaseUnit(slug, stated.amount, stated.unit)?.value ?? 0) / one);
  return { unit, values: values.sort((a, b) => a - b), kept };
};

const distributionOf = (slug: string, amounts: readonly StatedAmount[]): MarketReply['dose_distribution'] => {
  const { unit, values, kept } = inOneUnit(slug, amounts);
  if (values.length < LEAST_LABELS) return null;
  const at = (share: number): number => tidy(quantile(values, share));
  const fromName = kept.filter(({ source }) => source === 'name').length;
  return {
    unit,
    p10: at(0.1),
    p25: at(0.25),
    p50: at(0.5),
    p75: at(0.75),
    p90: at(0.9),
    labels: kept.length,
    from_label: kept.length - fromName,
    from_name: fromName,
  };
};

/** Computes shares from labels only, because a product's name does not state which substance its amount is for. */
const sharesOf = (facts: SupplementFacts, amounts: readonly StatedAmount[]) => {
  const trial = facts.doses.find(({ of }) => of === '') ?? null;
  const matches = amounts
    .filter(({ source }) => source === 'label')
    .map((stated) => compareDose(facts.slug, stated, trial).match)
    .filter((match) => match !== 'unknown');
  if (!trial || !matches.length) return { share: null, trial: null };
  const within = matches.filter((match) => match === 'within').length;
  return { share: Math.round((within / matches.length) * 1000) / 1000, trial: { ...trial, labels: matches.length } };
};

const CLAIMS = `select claim, count(*)::int as count from product, jsonb_array_elements_text(claims) as claim
  where supplements @> ?::jsonb and removed_at is null group by 1 order by 2 desc, 1 limit 10`;
const AS_OF = `select max(status_as_of)::text as as_of from product where supplements @> ?::jsonb and removed_at is null`;

export const marketProfile = async (
  em: EntityManager,
  index: ProductIndex,
  facts: SupplementFacts,
): Promise<Omit<MarketReply, 'resolved'>> => {
  const { slug, name } = facts;
  const held = JSON.stringify([slug]);
  const claims = (await em.execute(CLAIMS, [held])) as unknown as { claim: string; count: number }[];
  const [state] = (await em.execute(AS_OF, [held])) as unknown as [{ as_of: string | null }];
  const totals = index.totals(slug);
  const amounts = index.amounts(slug);
  const { share, trial } = sharesOf(facts, amounts);
  const brands = index.brands(slug).toSorted((a, b) => b.products - a.products || (a.slug < b.slug ? -1 : 1));
  return {
    supplement_slug: slug,
    name,
    product_count: totals.products,
    brand_count: totals.brands,
    on_market_count: totals.onMarket,
    unknown_market_count: totals.unknown,
    forms: index.forms(slug).map(({ form, count }) => ({ form: form || 'not stated', count })),
    dose_distribution: distributionOf(slug, amounts),
    share_within_trial_dose: share,
    trial_dose: trial,
    top_brands: brands
      .slice(0, 10)
      .map((brand) => ({ brand_slug: brand.slug, name: brand.name, count: brand.products })),
    label_claims: claims,
    as_of: state?.as_of ?? null,
  };
};
