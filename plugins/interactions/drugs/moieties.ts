/** Maps each name of a substance to its active moiety. */
import { activeMoiety, plainName } from './active-moiety.ts';
import type { ClassRow, NameRow } from './drug-names.ts';

export interface Moieties {
  /** Returns the name of the active moiety, whatever the salt or spelling. Results are memoized. */
  nameOf(raw: string): string;
  /** Returns the same for input from readers, without memoizing it. */
  read(input: string): string;
  /** RxCUIs by name; for a combination, by `setKey`. */
  readonly rxcuis: ReadonlyMap<string, string>;
  /** Additional names by moiety, as their origins write them. */
  readonly also: ReadonlyMap<string, ReadonlySet<string>>;
  /** Every moiety by name. */
  readonly names: ReadonlySet<string>;
}

const push = (map: Map<string, Set<string>>, key: string, value: string): void => {
  const known = map.get(key);
  if (known) known.add(value);
  else map.set(key, new Set([value]));
};

/** Builds the moieties from classes, generic names and other names; the names of a class take precedence. */
export const readMoieties = (classes: readonly ClassRow[], names: readonly NameRow[]): Moieties => {
  const members = classes.flatMap((row) => row.members);
  const generics = names.filter(({ kind }) => kind === 'generic');
  const others = names.filter(({ kind }) => kind === 'also');
  const known = new Set(members.map(({ name }) => plainName(name)));
  const aliases = new Map<string, string>();
  for (const { name, also: texts = [] } of members) {
    for (const text of texts) aliases.set(plainName(text), plainName(name));
  }
  const read = (raw: string): string => {
    const name = activeMoiety(raw, (text) => known.has(text) || aliases.has(text));
    return aliases.get(name) ?? name;
  };
  const nameOf = memo(read);
  addGenerics(generics, known, nameOf);
  for (const { name, ingredients } of others) {
    const own = plainName(name);
    const target = nameOf(ingredients[0] ?? '');
    if (!known.has(own) && !aliases.has(own) && target !== own) aliases.set(own, target);
  }
  const also = new Map<string, Set<string>>();
  const all = new Set<string>();
  nameOf.clear();
  for (const [text, name] of aliases) push(also, name, text);
  const substances = [...members.map(({ name }) => name), ...names.flatMap((row) => row.ingredients)];
  for (const raw of substances) {
    const name = nameOf(raw);
    all.add(name);
    if (plainName(raw) !== name) push(also, name, plainName(raw));
  }
  return { nameOf, read, rxcuis: rxcuisOf(members, generics, nameOf), also, names: all };
};

/** Adds generic names as moieties, except those that are a salt of another generic name. */
const addGenerics = (generics: readonly NameRow[], known: Set<string>, nameOf: Moieties['nameOf']): void => {
  const names = new Set(generics.filter((row) => row.ingredients.length === 1).map(({ name }) => plainName(name)));
  for (const name of names) if (nameOf(name) === name || !names.has(nameOf(name))) known.add(name);
};

/** Returns the key of a set of moieties in `rxcuis`. */
export const setKey = (names: readonly string[]): string => [...new Set(names)].sort().join('|');

const rxcuisOf = (
  members: ClassRow['members'],
  generics: readonly NameRow[],
  nameOf: (raw: string) => string,
): ReadonlyMap<string, string> => {
  const rxcuis = new Map<string, string>();
  const take = (name: string, rxcui: string | undefined): void => {
    if (rxcui && !rxcuis.has(name)) rxcuis.set(name, rxcui);
  };
  for (const { name, rxcui } of members) take(plainName(name), rxcui);
  // The concept of a salt differs from that of its moiety.
  for (const { name, ingredients, rxcui } of generics) {
    if (ingredients.length > 1) take(setKey(ingredients.map(nameOf)), rxcui);
    else if (nameOf(name) === plainName(name)) take(plainName(name), rxcui);
  }
  return rxcuis;
};

const memo = (work: (raw: string) => string) => {
  const known = new Map<string, string>();
  const look = (raw: string): string => {
    const found = known.get(raw) ?? work(raw);
    known.set(raw, found);
    return found;
  };
  return Object.assign(look, { clear: () => known.clear() });
};
