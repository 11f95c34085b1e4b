/** An index of names by trigram, which finds the candidates for substrings and for misspellings. */

const gramsOf = (text: string): Set<string> => {
  const grams = new Set<string>();
  for (let at = 0; at + 3 <= text.length; at += 1) grams.add(text.slice(at, at + 3));
  return grams;
};

/** Marks both ends, so that the first and last letters weigh as much as those between. */
const padded = (key: string): string => `^^${key}$$`;

export interface Sharing {
  /** Position in the list of keys. */
  readonly key: number;
  /** Number of distinct trigrams that the key and the input share. */
  readonly shared: number;
}

export interface NameGrams {
  /**
   * Returns the positions of keys that may contain `part` (2 characters or more), ascending: all that do and some that do
   * not. Two characters are found only at the start of a word.
   */
  mayContain(part: string): readonly number[];
  /**
   * Returns the keys that share enough trigrams with the input, in no order. `least` receives the number of trigrams of the
   * input and returns the minimum to share.
   */
  sharing(input: string, least: (groups: number) => number): readonly Sharing[];
}

const buildPostings = (keys: readonly string[]): ReadonlyMap<string, readonly number[]> => {
  const postings = new Map<string, number[]>();
  keys.forEach((key, at) => {
    for (const gram of gramsOf(padded(key))) {
      const known = postings.get(gram);
      if (known) known.push(at);
      else postings.set(gram, [at]);
    }
  });
  return postings;
};

/** Builds the index. The first query builds the postings: most indexes of a start, command or import only look up exact names. */
export const buildNameGrams = (keys: readonly string[]): NameGrams => {
  let built: ReadonlyMap<string, readonly number[]> | null = null;
  const postingsOf = (gram: string): readonly number[] => {
    built ??= buildPostings(keys);
    return built.get(gram) ?? [];
  };
  const counts = new Uint16Array(keys.length);
  return {
    mayContain: (part) => {
      const lists = [...gramsOf(part.length === 2 ? ` ${part}` : part)].map(postingsOf);
      return lists.reduce((rarest, list) => (list.length < rarest.length ? list : rarest), lists[0] ?? []);
    },
    sharing: (input, least) => {
      const grams = gramsOf(padded(input));
      const touched: number[] = [];
      for (const gram of grams) {
        for (const key of postingsOf(gram)) {
          if (!counts[key]) touched.push(key);
          counts[key]! += 1;
        }
      }
      const floor = Math.max(1, least(grams.size));
      const found: Sharing[] = [];
      for (const key of touched) {
        if (counts[key]! >= floor) found.push({ key, shared: counts[key]! });
        counts[key] = 0;
      }
      return found;
    },
  };
};
