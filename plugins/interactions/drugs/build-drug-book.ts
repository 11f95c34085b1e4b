/** Builds the drug book from the rows: moieties, combinations, classes, and the lookup by name. */
import { plainName } from './active-moiety.ts';
import { combinationsIn, readBrands } from './combinations.ts';
import type { Drug, DrugBook, DrugClass } from './drug-book.ts';
import { buildDrugLookup } from './drug-lookup.ts';
import type { ClassRow, NameRow } from './drug-names.ts';
import { brandName, combinationName, slugOf } from './drug-words.ts';
import { type Moieties, readMoieties, setKey } from './moieties.ts';

export interface DrugRows {
  readonly classes: readonly ClassRow[];
  readonly names: readonly NameRow[];
  readonly version: string;
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns a class and all wider ones, itself first. */
const withWider = (slug: string, parentsOf: ReadonlyMap<string, readonly string[]>): readonly string[] => {
  const found = new Set<string>();
  const visit = (one: string): void => {
    if (found.has(one)) return;
    found.add(one);
    for (const parent of parentsOf.get(one) ?? []) visit(parent);
  };
  visit(slug);
  return [...found];
};

/** Returns the classes by moiety: those that name it first, then the wider ones. */
const classesByMoiety = (classes: readonly ClassRow[]): ReadonlyMap<string, readonly string[]> => {
  const parentsOf = new Map(classes.map(({ slug, parents }) => [slug, parents]));
  const direct = new Map<string, string[]>();
  for (const { slug, members } of classes) {
    for (const { name } of members) direct.set(plainName(name), [...(direct.get(plainName(name)) ?? []), slug]);
  }
  return new Map(
    [...direct].map(([name, slugs]) => [
      name,
      [...new Set([...slugs, ...slugs.flatMap((slug) => withWider(slug, parentsOf))])],
    ]),
  );
};

/** Returns a function that builds a unique slug of at most 80 characters: long combinations are truncated and numbered. */
const slugger = () => {
  const taken = new Set<string>();
  return (name: string): string => {
    const whole = slugOf(name) || 'unnamed';
    let slug = whole.length > 80 ? whole.slice(0, 74).replace(/-[^-]*$/, '') : whole;
    for (let at = 2; taken.has(slug); at += 1) slug = `${slug.replace(/-\d+$/, '')}-${at}`;
    taken.add(slug);
    return slug;
  };
};

const makeDrugs = (
  names: readonly NameRow[],
  moieties: Moieties,
  classesOf: ReadonlyMap<string, readonly string[]>,
) => {
  const brands = readBrands(names, moieties);
  const brandsByKey = new Map<string, string[]>();
  for (const brand of brands) {
    const key = brand.moieties.join('|');
    brandsByKey.set(key, [...(brandsByKey.get(key) ?? []), brandName(brand.name)]);
  }
  const newSlug = slugger();
  const singles = [...moieties.names].sort(byText);
  const slugs = new Map(singles.map((name) => [name, newSlug(name)]));
  const drugOf = (parts: readonly string[]): Drug => {
    const name = combinationName(parts);
    return {
      slug: parts.length > 1 ? newSlug(name) : slugs.get(name)!,
      name,
      rxcui: moieties.rxcuis.get(setKey(parts)) ?? '',
      brands: (brandsByKey.get(parts.join('|')) ?? []).sort(byText),
      ingredients: parts.map((part) => slugs.get(part)!),
      classes: [...new Set(parts.flatMap((part) => classesOf.get(part) ?? []))],
    };
  };
  const combinations = combinationsIn(names, brands, moieties).toSorted((a, b) => byText(a.join(' '), b.join(' ')));
  return [...singles.map((name) => drugOf([name])), ...combinations.map(drugOf)];
};

export const buildDrugBook = ({ classes, names, version }: DrugRows): DrugBook => {
  const moieties = readMoieties(classes, names);
  const drugs = makeDrugs(names, moieties, classesByMoiety(classes));
  const bySlug = new Map(drugs.map((drug) => [drug.slug, drug]));
  const members = new Map<string, Drug[]>(classes.map(({ slug }) => [slug, []]));
  for (const drug of drugs) {
    if (drug.ingredients.length === 1) for (const slug of drug.classes) members.get(slug)?.push(drug);
  }
  const byClass = new Map<string, DrugClass>(
    classes.map(({ slug, name, description, atc, parents, dataIds }) => [
      slug,
      { slug, name, description, atc, parents, dataIds, members: (members.get(slug) ?? []).map((drug) => drug.slug) },
    ]),
  );
  return {
    ...buildDrugLookup({ drugs, classes, classOf: (slug) => byClass.get(slug)!, moieties }),
    drug: (slug) => bySlug.get(slug),
    classes: byClass,
    membersOf: (slug) => members.get(slug) ?? [],
    classesOf: (slug) => bySlug.get(slug)?.classes ?? [],
    all: () => drugs,
    version,
  };
};
