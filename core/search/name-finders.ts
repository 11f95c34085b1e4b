/** Finds the candidates for an input: misspelt names, similar names, and names that start with it or contain it. */
import { editDistance } from './edit-distance.ts';
import { byLength, byText, type Entry, hitOf, keysOf, type NameHit } from './name-entries.ts';
import { foldName, joinWords, lettersAndNumbers } from './name-fold.ts';
import type { NameGrams } from './name-grams.ts';

/** Returns how many letters of an input may be wrong for a name to be offered as a suggestion. */
const offered = (letters: number): number => (letters < 4 ? 0 : letters < 8 ? 1 : 2);

/** Returns how many letters may be wrong for a name to be accepted. DMAE and DMAA differ, as do carnosine and carnitine. */
const assumed = (letters: number): number => (letters < 6 ? 0 : letters < 10 ? 1 : 2);

const lettersIn = (key: string): number => key.replaceAll(' ', '').length;

/** Counts the letters that can be mistyped: "l carnosine" has nine. */
const lettersInWords = (key: string): number => lettersIn(key.replace(/(?<!\S)\S(?!\S)|\d+/g, ''));

/**
 * Returns whether two names start with the same letter, or with the same two letters swapped. People seldom mistype the
 * first letter, and another one makes another name: thrombin, Athrombin.
 */
const beginAlike = (a: string, b: string): boolean => a[0] === b[0] || (a[0] === b[1] && a[1] === b[0]);

const typoHit = ({ id, text, key }: Entry, distance: number): NameHit => ({
  id,
  matched: text,
  matchType: 'typo',
  confidence: Math.round(Math.min(0.85, Math.max(0.5, 0.9 - (1.2 * distance) / key.length)) * 100) / 100,
});

/** Returns a function that finds the entries whose joined form starts with a prefix, as positions in order of suggestion. */
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

export interface Misspelling {
  readonly hit: NameHit;
  /** False for a name that is only offered: one so short may be the correct name of something else. */
  readonly isAssumed: boolean;
}

/** Builds a finder of misspelt names. `ownerOf` returns, among things that share a name, the entry to which it belongs. */
export const misspellingFinder = (
  entries: readonly Entry[],
  {
    grams,
    ownerOf,
    most,
  }: { readonly grams: NameGrams; readonly ownerOf: (entry: Entry) => Entry; readonly most: number },
) => {
  /** Returns whether a typo is accepted; the shorter of the two names sets the limit. */
  const isNearEnough = (key: string, other: string, distance: number): boolean =>
    distance <= Math.min(most, assumed(Math.min(lettersInWords(key), lettersInWords(other)))) && beginAlike(key, other);
  return (input: string): Misspelling | null => {
    const key = foldName(input);
    const allowed = offered(lettersIn(key));
    if (!allowed) return null;
    const mine = lettersAndNumbers(key);
    let best: Entry[] = [];
    let least = allowed;
    // One edit changes at most four trigrams (a swap changes four).
    for (const { key: at } of grams.sharing(key, (groups) => groups - 4 * allowed)) {
      const entry = entries[at]!;
      if (entry.joined.length < 4) continue;
      const distance = editDistance(key, entry.key, least);
      if (distance > least || lettersAndNumbers(entry.key) !== mine) continue;
      best = distance < least ? [entry] : [...best, entry];
      least = distance;
    }
    const [first] = [...new Set(best.map(ownerOf))].sort(byLength);
    if (!first || !best.every((entry) => ownerOf(entry).id === first.id)) return null;
    return { hit: typoHit(first, least), isAssumed: best.some((entry) => isNearEnough(key, entry.key, least)) };
  };
};

/** Builds a finder of names that share a quarter of the input's trigrams, the most similar first. */
export const alikeFinder =
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

export const suggestionFinder = (entries: readonly Entry[], grams: NameGrams) => {
  let beginning: ReturnType<typeof prefixFinder> | null = null;
  return (input: string, limit: number): readonly NameHit[] => {
    const parts = keysOf(input);
    const found = new Map<string, NameHit>();
    /** Adds a hit; returns false when there are enough. */
    const take = (at: number): boolean => {
      const entry = entries[at]!;
      if (!found.has(entry.id)) found.set(entry.id, hitOf(entry));
      return found.size < limit;
    };
    beginning ??= prefixFinder(entries);
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
