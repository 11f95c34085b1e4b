/** Resolves names to drugs and classes: exact names first, then salts, strengths and combinations after parsing, then typos. */
import { buildNameIndex, foldName, type NamedThing, type NameHit, type NameIndex } from '#core/search/name-index.ts';
import type { Drug, DrugBook, DrugClass, DrugResolution, DrugSuggestion } from './drug-book.ts';
import type { ClassRow } from './drug-names.ts';
import { displayName, partsOf, withoutAdditions, withoutNumber, withoutStrength } from './drug-words.ts';
import type { Moieties } from './moieties.ts';
import { buildSuggestionList } from './suggestion-list.ts';

interface Parts {
  readonly drugs: readonly Drug[];
  readonly classes: readonly ClassRow[];
  readonly classOf: (slug: string) => DrugClass;
  readonly moieties: Moieties;
}

function* things({ drugs, classes, moieties }: Parts): Iterable<NamedThing> {
  for (const { slug, name, brands, ingredients } of drugs) {
    const also = ingredients.length === 1 ? [...(moieties.also.get(name) ?? [])] : [];
    yield {
      id: `drug:${slug}`,
      name,
      aliases: [
        ...also.map((text) => ({ text, type: 'synonym' as const })),
        ...brands.map((text) => ({ text, type: 'brand' as const })),
      ],
    };
  }
  for (const { slug, name, synonyms } of classes) {
    yield { id: `class:${slug}`, name, aliases: synonyms.map((text) => ({ text, type: 'synonym' as const })) };
  }
}

/** Returns each drug under its own name and each trade name; a display name occurs once. */
const suggestionsOf = (drugs: readonly Drug[]): Iterable<DrugSuggestion> => {
  const found = new Map<string, DrugSuggestion>();
  for (const drug of drugs) {
    for (const name of [drug.name, ...drug.brands].map(displayName)) {
      if (!found.has(name)) found.set(name, { name, drug });
    }
  }
  return found.values();
};

const drugHit = ({ slug, name }: Drug, matchType: 'exact' | 'synonym'): NameHit => ({
  id: `drug:${slug}`,
  matched: name,
  matchType,
  confidence: matchType === 'exact' ? 1 : 0.95,
});

/** Correct names of substances outside our list that are one letter away from a medicine in it. */
const NO_MISSPELLINGS = new Set(
  [
    'acetarsol',
    'adrenalone',
    'bismuth subnitrate',
    'cassia',
    'equilin',
    'hydroquinine',
    'phenazone',
    'sodium chlorite',
  ].map(foldName),
);

/** Builds a function that returns the best hit for a name: the most certain methods first, misspellings last. */
const hitFinder = ({ drugs, moieties }: Parts, index: NameIndex): ((input: string) => NameHit | null) => {
  const byRxcui = new Map(drugs.filter(({ rxcui }) => rxcui).map((drug) => [drug.rxcui, drug]));
  const byIngredients = new Map(drugs.map((drug) => [drug.ingredients.toSorted().join('|'), drug]));
  const salt = (input: string): NameHit | null => {
    const name = moieties.read(input);
    return moieties.names.has(name) ? index.resolve(name, { typos: false }) : null;
  };
  const plainly = (input: string): NameHit | null => index.resolve(input, { typos: false }) ?? salt(input);
  const named = (input: string): NameHit | null => {
    const bare = withoutAdditions(input);
    return plainly(input) ?? (bare === input ? null : plainly(bare));
  };
  const combination = (input: string): NameHit | null => {
    const names = partsOf(input);
    if (names.length < 2) return null;
    const found = names.map((name) => named(name)?.id.replace(/^drug:/, ''));
    const drug = byIngredients.get([...new Set(found)].toSorted().join('|'));
    return drug ? drugHit(drug, 'synonym') : null;
  };
  return (input) => {
    const byId = byRxcui.get(input.trim());
    if (byId) return drugHit(byId, 'exact');
    const bare = withoutNumber(withoutStrength(input));
    // A number that was removed may be part of another name: "Zinc 50" is not a misspelt Ziac.
    return (
      named(input) ??
      combination(input) ??
      (bare === input ? null : named(bare)) ??
      index.resolve(withoutStrength(input) || input, { typos: !NO_MISSPELLINGS.has(foldName(input)) })
    );
  };
};

export const buildDrugLookup = (parts: Parts): Pick<DrugBook, 'resolve' | 'near' | 'suggest'> => {
  // Only two letters distinguish omalizumab from efalizumab: a name with more than one typo is suggested, and never assumed.
  const index = buildNameIndex(things(parts), { mostTypos: 1 });
  // Built on demand, because commands and imports never need suggestions.
  let list: ReturnType<typeof buildSuggestionList<DrugSuggestion>> | null = null;
  const bySlug = new Map(parts.drugs.map((drug) => [drug.slug, drug]));
  const hitOf = hitFinder(parts, index);
  const resolutionOf = (input: string, { id, matchType, confidence }: NameHit): DrugResolution => {
    const [kind = '', slug = ''] = id.split(':');
    const drug = kind === 'drug' ? (bySlug.get(slug) ?? null) : null;
    const found = drug ? null : parts.classOf(slug);
    const name = drug ? displayName(drug.name) : found!.name;
    return { drug, class: found, name, input, match_type: matchType, confidence };
  };
  return {
    resolve: (input) => {
      const hit = input.trim() === '' ? null : hitOf(input);
      return hit ? resolutionOf(input, hit) : null;
    },
    near: (input, limit) => index.near(input, limit).map((hit) => resolutionOf(input, hit)),
    suggest: (q, limit) => {
      list ??= buildSuggestionList(suggestionsOf(parts.drugs));
      return list.suggest(q, limit);
    },
  };
};
