/** Finds things by name: what an input means, what it may have meant, and what it may become. In memory, built once. */
import { editDistance } from './edit-distance.ts';
import { foldLetters, foldName, joinWords, lettersAndNumbers } from './name-fold.ts';
import { buildNameGrams, type NameGrams } from './name-grams.ts';

export { foldName } from './name-fold.ts';

export type MatchType = 'exact' | 'synonym' | 'brand' | 'latin' | 'typo';

export interface NamedThing {
  readonly id: string;
  readonly name: string;
  readonly aliases?: readonly { readonly text: string; readonly type: 'synonym' | 'brand' | 'latin' }[];
}

/**
 * `matched` is the name or alias as it was given. Confidence runs from 0 to 1: exact 1, synonym and latin 0.95, brand
 * 0.9, typo 0.5 to 0.85 by distance and length; below 0.5 only in `near`.
 */
export interface NameHit {
  readonly id: string;
  readonly matched: string;
  readonly matchType: MatchType;
  readonly confidence: number;
}

export interface NameIndex {
  /**
   * The best hit, or null. Case, accents, punctuation, apostrophes, hyphens, ™/® and repeated blanks never matter. Where
   * things share a name, the better kind of name wins, then the thing that was given first. A typo hit is refused under
   * four letters, and when two things are equally near.
   */
  resolve(input: string, options?: { readonly typos?: boolean }): NameHit | null;
  /** Nearest things for "did you mean", best first. */
  near(input: string, limit: number): readonly NameHit[];
  /** Names and aliases that begin with, then contain, the input; shorter first within a tier; at most one per thing. */
  suggest(input: string, limit: number): readonly NameHit[];
}

const CONFIDENCE = { exact: 1, synonym: 0.95, latin: 0.95, brand: 0.9 } as const;
const RANK = { exact: 0, synonym: 1, latin: 2, brand: 3 } as const;

interface Entry {
  readonly id: string;
  readonly text: string;
  readonly type: keyof typeof RANK;
  /** Folded, with blanks. */
  readonly key: string;
  /** Folded, without blanks. */
  readonly joined: string;
}

const hitOf = ({ id, text, type }: Entry): NameHit => ({
  id,
  matched: text,
  matchType: type,
  confidence: CONFIDENCE[type],
});

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byLength = (a: Entry, b: Entry): number =>
  a.joined.length - b.joined.length || RANK[a.type] - RANK[b.type] || byText(a.joined, b.joined) || byText(a.id, b.id);

/** How many letters of an input may be wrong. */
const allowance = (letters: number): number => (letters < 4 ? 0 : letters < 8 ? 1 : 2);

const typoHit = ({ id, text, key }: Entry, distance: number): NameHit => ({
  id,
  matched: text,
  matchType: 'typo',
  confidence: Math.round(Math.min(0.85, Math.max(0.5, 0.9 - (1.2 * distance) / key.length)) * 100) / 100,
});

/** A text in its writer's spelling, and in American spelling where that is another. */
const keysOf = (text: string): readonly string[] =>
  [...new Set([foldName(text), foldLetters(text)])].filter((key) => key !== '');

/** In the order of suggestions, so that positions are ranks. */
const entriesOf = (things: Iterable<NamedThing>): Entry[] => {
  const entries: Entry[] = [];
  for (const { id, name, aliases = [] } of things) {
    const texts = [{ text: name, type: 'exact' as const }, ...aliases];
    for (const { text, type } of texts) {
      for (const key of keysOf(text)) entries.push({ id, text, type, key, joined: joinWords(key) });
    }
  }
  return entries.sort(byLength);
};

/** The first of each thing, at most `limit`. */
const oneEach = (hits: Iterable<NameHit>, limit: number): NameHit[] => {
  const found = new Map<string, NameHit>();
  for (const hit of hits) {
    if (found.size >= limit) break;
    if (!found.has(hit.id)) found.set(hit.id, hit);
  }
  return [...found.values()];
};

/** Positions of entries whose joined form begins with a prefix, in the order of suggestions. */
const prefixFinder = (entries: readonly Entry[]): ((prefix: string) => Iterable<number>) => {
  const joined = entries.map((entry) => entry.joined);
  const sorted = Int32Array.from(entries.keys()).sort((a, b) => byText(joined[a]!, joined[b]!));
  const firstFrom = (text: string): number => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (joined[sorted[middle]!]! < text) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const short = new Map<string, Int32Array>();
  return (prefix) => {
    const known = short.get(prefix);
    if (known) return known;
    const found = sorted.slice(firstFrom(prefix), firstFrom(`${prefix}\uffff`)).sort();
    if (prefix.length <= 2 && found.length > 100) short.set(prefix, found);
    return found;
  };
};

/** What misspelt input may mean. */
const misspellingFinder = (entries: readonly Entry[], grams: NameGrams) => {
  const fixed = entries.map(({ key }) => lettersAndNumbers(key));
  return (input: string): NameHit | null => {
    const key = foldName(input);
    const allowed = allowance(key.replaceAll(' ', '').length);
    if (!allowed) return null;
    const mine = lettersAndNumbers(key);
    let best: Entry[] = [];
    let least = allowed;
    // One edit touches at most four groups of three letters (a swap does).
    for (const { key: at } of grams.sharing(key, (groups) => groups - 4 * allowed)) {
      const entry = entries[at]!;
      if (entry.joined.length < 4 || fixed[at] !== mine) continue;
      const distance = editDistance(key, entry.key, least);
      if (distance > least) continue;
      best = distance < least ? [entry] : [...best, entry];
      least = distance;
    }
    const [first] = best.toSorted(byLength);
    return first && best.every(({ id }) => id === first.id) ? typoHit(first, least) : null;
  };
};

/** Names that share a quarter of the input's groups of three letters, the most alike first. */
const alikeFinder =
  (entries: readonly Entry[], grams: NameGrams) =>
  (input: string): NameHit[] => {
    const key = foldName(input);
    if (key.length < 2) return [];
    return grams
      .sharing(key, (groups) => Math.ceil(groups / 4))
      .map(({ key: at, shared }) => ({ at, score: (2 * shared) / (key.length + entries[at]!.key.length + 4) }))
      .filter(({ score }) => score >= 0.45)
      .sort((a, b) => b.score - a.score || a.at - b.at)
      .map(({ at, score }) => ({
        id: entries[at]!.id,
        matched: entries[at]!.text,
        matchType: 'typo',
        confidence: Math.round(Math.min(0.85, score) * 100) / 100,
      }));
  };

const suggestionFinder = (entries: readonly Entry[], grams: NameGrams) => {
  const beginning = prefixFinder(entries);
  return (input: string, limit: number): readonly NameHit[] => {
    const parts = keysOf(input);
    const found = new Map<string, NameHit>();
    /** False when there are enough. */
    const take = (at: number): boolean => {
      const entry = entries[at]!;
      if (!found.has(entry.id)) found.set(entry.id, hitOf(entry));
      return found.size < limit;
    };
    for (const part of parts) {
      for (const at of beginning(joinWords(part))) if (!take(at)) return [...found.values()];
    }
    for (const part of parts.filter(({ length }) => length > 1)) {
      for (const at of grams.mayContain(part)) {
        if (entries[at]!.key.includes(part) && !take(at)) return [...found.values()];
      }
    }
    return [...found.values()];
  };
};

/** 20,000 things: every question well under a millisecond. */
export const buildNameIndex = (things: Iterable<NamedThing>): NameIndex => {
  const all = [...things];
  const entries = entriesOf(all);
  const grams = buildNameGrams(entries.map(({ key }) => key));
  const byId = new Map(all.map(({ id, name }) => [id, name]));
  const byName = new Map<string, Entry>();
  const places = new Map(all.map(({ id }, at) => [id, at]));
  const better = (a: Entry, b: Entry): boolean =>
    RANK[a.type] < RANK[b.type] || (RANK[a.type] === RANK[b.type] && places.get(a.id)! < places.get(b.id)!);
  for (const entry of entries) {
    const known = byName.get(entry.joined);
    if (!known || better(entry, known)) byName.set(entry.joined, entry);
  }
  const misspelt = misspellingFinder(entries, grams);
  const alike = alikeFinder(entries, grams);
  const named = (input: string): NameHit | null => {
    const id = input.trim();
    const name = byId.get(id);
    if (name !== undefined) return { id, matched: name, matchType: 'exact', confidence: CONFIDENCE.exact };
    const entry = byName.get(joinWords(foldName(input)));
    return entry ? hitOf(entry) : null;
  };
  return {
    resolve: (input, { typos = true } = {}) => named(input) ?? (typos ? misspelt(input) : null),
    near: (input, limit) => {
      const hit = named(input) ?? misspelt(input);
      return oneEach([...(hit ? [hit] : []), ...alike(input)], limit);
    },
    suggest: suggestionFinder(entries, grams),
  };
};
