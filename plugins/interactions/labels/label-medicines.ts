/** Determines the medicines that a label is about, with the names of our own drug book. */
import { plainName, substancesIn } from '../drugs/active-moiety.ts';
import type { DrugBook } from '../drugs/drug-book.ts';
import { combinationName, partsOf } from '../drugs/drug-words.ts';
import { drugNamed } from '../rules/cross-check.ts';
import type { DrugLabel, LabelProduct } from './label.ts';
import type { NameFinder } from './supplement-names.ts';

export interface LabelMedicine {
  /** The generic name in the drug book; for a combination that is not in the book, its ingredients. */
  readonly name: string;
  /** False if the medicine is not in the book: a row about it would be rejected. */
  readonly isKnown: boolean;
  /** The medicine itself, and each ingredient of a combination. */
  readonly parts: ReadonlySet<string>;
  /** Supplements that the product itself contains: potassium in potassium chloride, but not in losartan potassium. */
  readonly own: ReadonlySet<string>;
}

/** Routes of products that act locally: a soap, a wipe, a mask, a mouthwash. */
const LOCAL =
  /^(?:topical|cutaneous|dental|periodontal|oropharyngeal|ophthalmic|auricular \(otic\)|nasal|vaginal|percutaneous|intradermal)$/i;

/** Product types with a label that are not medicines in our sense. */
const OTHER_TYPES = /dietary supplement|cosmetic|medical food|animal|homeopathic|allergenic|bulk|device/i;

/** Returns the medicine for a name on a label; some labels give the trade name as the generic name. */
const nameIn = (drugs: DrugBook, part: string): string | null => {
  const found = drugs.resolve(part);
  const isBrand = found?.match_type === 'brand';
  return drugNamed(drugs, part)?.name ?? (isBrand ? (found.drug?.name ?? null) : null);
};

const ingredientsOf = (drugs: DrugBook, { generic, substances }: LabelProduct): readonly string[] => {
  const named = generic ? partsOf(plainName(generic)) : [];
  // The generic name may be "KIT", or a name that only the substances explain.
  const parts = named.some((part) => drugNamed(drugs, part)) || !substances.length ? named : substances;
  return [...new Set(parts.flatMap(substancesIn).map((part) => nameIn(drugs, part) ?? part))].sort();
};

/** Words for the form within a generic name: "TACROLIMUS EXTENDED-RELEASE CAPSULES", "OFLOXACIN OTIC". */
const FORM =
  /\b(?:(?:extended|delayed|immediate)[- ]release|for (?:injection|oral suspension)|tablets?|capsules?|injection|ophthalmic|otic|nasal|oral|solution|suspension|suppository|ointment|cream|gel|light|usp|\d+(?:\.\d+)?%)(?![a-z])/gi;

const withoutForm = (name: string): string => name.replace(FORM, ' ').replace(/\s+/g, ' ').trim();

const medicineOf = (drugs: DrugBook, given: LabelProduct): string => {
  const product = { ...given, generic: withoutForm(plainName(given.generic)) };
  const whole = product.generic ? drugNamed(drugs, product.generic) : null;
  if (whole) return whole.name;
  const ingredients = ingredientsOf(drugs, product);
  const name = combinationName(ingredients);
  return drugNamed(drugs, name)?.name ?? name;
};

/** Returns the first medicine in a list of names: "Rydapt midostaurin MIDOSTAURIN GELATIN …". */
const firstNamed = (drugs: DrugBook, elements: string): string => {
  const words = plainName(elements).split(' ').slice(0, 12);
  for (let at = 0; at < words.length; at += 1)
    for (let count = 3; count > 0; count -= 1) {
      const found = drugNamed(drugs, words.slice(at, at + count).join(' '));
      if (found) return found.name;
    }
  return '';
};

const isLocal = (routes: readonly string[]): boolean => routes.length > 0 && routes.every((route) => LOCAL.test(route));

/** Returns the medicines that a label is about; none if it is not about a medicine in our sense. */
export const medicinesOf = (
  { products, elements, productType, routes }: DrugLabel,
  { drugs, find }: { readonly drugs: DrugBook; readonly find: NameFinder },
): readonly LabelMedicine[] => {
  if (OTHER_TYPES.test(productType)) return [];
  // Soaps, wipes and herb teas are sold as OTC drugs too.
  const isSure = /PRESCRIPTION|VACCINE|PLASMA|CELLULAR/.test(productType);
  if (!isSure && isLocal(routes)) return [];
  const given = products.length ? products.map((product) => medicineOf(drugs, product)) : [firstNamed(drugs, elements)];
  return [...new Set(given.filter(Boolean))].flatMap((name): LabelMedicine[] => {
    const drug = drugNamed(drugs, name);
    if (!drug && !isSure) return [];
    const parts = drug ? drug.ingredients.map((slug) => drugs.drug(slug)?.name ?? slug) : partsOf(name);
    return [{ name, isKnown: drug !== null, parts: new Set([name, ...parts]), own: new Set(find(name)) }];
  });
};
