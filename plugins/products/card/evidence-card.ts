/** Builds the evidence for a product: per ingredient the grade, the dose compared with trials, limits, and warnings. */
import type { Ingredient } from '../label.ts';
import { compareDose, type DoseComparison, isOver } from './dose.ts';
import type { SupplementFacts, TrialDose } from './supplement-facts.ts';

export interface CardLine {
  readonly slug: string;
  readonly name: string;
  readonly facts: SupplementFacts;
  /** Amount per serving on the label; null when it prints none. */
  readonly stated: { readonly amount: number; readonly unit: string; readonly source: 'label' | 'name' } | null;
  readonly trial: TrialDose | null;
  readonly dose: DoseComparison;
  readonly limit: {
    readonly amount: number;
    readonly unit: string;
    readonly note: string;
    readonly authority: string;
    readonly address: string;
  } | null;
  /** Whether a single serving exceeds the upper limit; null when this is unknown. */
  readonly isOverLimit: boolean | null;
  /** Whether an amount that only the product's name states exceeds the upper limit: a reason to check the label. */
  readonly isNameOverLimit: boolean;
}

export interface SafetyFlag {
  readonly code:
    | 'above_upper_limit'
    | 'name_above_upper_limit'
    | 'warned_substance'
    | 'recalled'
    | 'off_market'
    | 'amounts_unknown';
  readonly text: string;
  readonly href: string;
}

/** Returns all rows, both blends and their members. */
export const flatIngredients = (rows: readonly Ingredient[]): readonly Ingredient[] =>
  rows.flatMap((row) => [row, ...flatIngredients(row.children)]);

/**
 * Matches words in a row's name that make its amount that of a salt, oil or part of a plant instead of the plain substance.
 */
const NOT_PLAIN =
  /\b(citrate|oxide|gluconate|picolinate|carbonate|chloride|sul(?:f|ph)ate|(?:bis)?glycinate|malate|aspartate|lactate|fumarate|orotate|threonate|taurate|phosphate|acetate|chelate|hydrochloride|hcl|oil|extract|concentrate|complex|blend|powder|root|leaf|seed|herb|fruit|bark|flower)s?\b/i;

const isPlain = ({ name, form }: Ingredient): boolean =>
  !NOT_PLAIN.test(name) && !/extract|concentrate|\boil\b/i.test(form);

/**
 * Returns the trial dose for an ingredient. Trials of an extract do not apply to the plain herb, nor the reverse: the label
 * must name what was studied.
 */
const trialFor = (doses: readonly TrialDose[], ingredient: Ingredient): TrialDose | null => {
  const printed = `${ingredient.name} ${ingredient.form}`.toLowerCase();
  const names = (of: string): boolean =>
    of
      .toLowerCase()
      .split(/\s+/)
      .every((word) => printed.includes(word));
  const named = doses.find(({ of }) => of !== '' && names(of));
  return named ?? (isPlain(ingredient) ? (doses.find(({ of }) => of === '') ?? null) : null);
};

const NAME_ONLY = 'The amount is read from the product’s name, which does not say whether it is the plain substance.';

const doseOf = (line: Pick<CardLine, 'slug' | 'stated' | 'trial' | 'facts'>): DoseComparison => {
  const { slug, stated, trial, facts } = line;
  if (!stated) return { match: 'unknown', reason: 'The label in our data prints no amount for it.' };
  if (stated.source === 'name') return { match: 'unknown', reason: NAME_ONLY };
  if (!trial && facts.doses.length) {
    const of = facts.doses.map((dose) => dose.of || 'the plain substance').join(', ');
    return { match: 'unknown', reason: `Trial doses in the base are of ${of}; the label does not name that.` };
  }
  return compareDose(slug, stated, trial);
};

const limitOf = ({ intake }: SupplementFacts): CardLine['limit'] => {
  const adult = intake?.upperLimit?.adult ?? null;
  if (!intake || adult === null) return null;
  const { name, address } = intake.authority;
  return { amount: adult, unit: intake.unit, note: intake.upperLimit?.note ?? '', authority: name, address };
};

const lineOf = (ingredient: Ingredient, facts: SupplementFacts): CardLine => {
  const { amount, unit, source } = ingredient;
  const stated = amount === null ? null : { amount, unit, source };
  const trial = trialFor(facts.doses, ingredient);
  const limit = limitOf(facts);
  return {
    slug: facts.slug,
    name: ingredient.name,
    facts,
    stated,
    trial,
    dose: doseOf({ slug: facts.slug, stated, trial, facts }),
    limit,
    isNameOverLimit: Boolean(stated && limit && source === 'name' && isOver(facts.slug, stated, limit)),
    isOverLimit:
      stated && limit && source === 'label' && isPlain(ingredient) ? isOver(facts.slug, stated, limit) : null,
  };
};

/** Returns one line per supplement: the row with an amount when several rows name it. */
export const cardLines = (
  ingredients: readonly Ingredient[],
  factsOf: ReadonlyMap<string, SupplementFacts>,
): readonly CardLine[] => {
  const lines = new Map<string, CardLine>();
  for (const ingredient of flatIngredients(ingredients)) {
    const facts = factsOf.get(ingredient.supplement_slug ?? '');
    if (!facts) continue;
    const line = lineOf(ingredient, facts);
    const known = lines.get(facts.slug);
    if (!known || (known.stated === null && line.stated !== null)) lines.set(facts.slug, line);
  }
  return [...lines.values()];
};
