/** What an input may mean: misspellings, names that are alike, names that begin with it or contain it. */
import { editDistance } from './edit-distance.ts';
import { byLength, byText, type Entry, hitOf, keysOf, type NameHit } from './name-entries.ts';
import { foldName, joinWords, lettersAndNumbers } from './name-fold.ts';
import type { NameGrams } from './name-grams.ts';

/** How many letters of an input may be wrong. */
const allowance = (letters: number): number => (letters < 4 ? 0 : letters < 8 ? 1 : 2);

const typoHit = ({ id, text, key }: Entry, distance: number): NameHit => ({
  id,
  matched: text,
  matchType: 'typo',
  confidence: Math.round(Math.min(0.85, Math.max(0.5, 0.9 - (1.2 * distance) / key.length)) * 100) / 100,
});

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

/** What misspelt input may mean. `ownerOf`: of the things that share a name, the one whose name it is. */
export const misspellingFinder = (
  entries: readonly Entry[],
  { grams, ownerOf }: { readonly grams: NameGrams; readonly ownerOf: (entry: Entry) => Entry },
) => {
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
    const [first] = [...new Set(best.map(ownerOf))].sort(byLength);
    return first && best.every((entry) => ownerOf(entry).id === first.id) ? typoHit(first, least) : null;
  };
};

/** Names that share a quarter of the input's groups of three letters, the most alike first. */
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
