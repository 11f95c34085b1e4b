/** A word of a query as it was typed. */

export interface QueryWord {
  readonly text: string;
  readonly start: number;
}

/** Returns runs of letters and digits with their positions; "omega-3" gives two, "don't" one. */
export const wordsIn = (query: string): QueryWord[] =>
  [...query.matchAll(/[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)*/gu)].map((match) => ({
    text: match[0],
    start: match.index,
  }));

/** Counts words as readers would: pieces between spaces that contain a letter or digit. */
export const countWords = (query: string): number =>
  query.split(/\s+/).filter((piece) => /[\p{L}\p{N}]/u.test(piece)).length;

/** Folds a word to lower case without accents, for comparison with names. */
export const foldWord = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
