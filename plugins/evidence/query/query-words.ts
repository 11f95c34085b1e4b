/** The words of a query as they were typed. */

export interface QueryWord {
  readonly text: string;
  readonly start: number;
}

/** Runs of letters and digits with their places; "omega-3" gives two, "don't" one. */
export const wordsIn = (query: string): QueryWord[] =>
  [...query.matchAll(/[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)*/gu)].map((match) => ({
    text: match[0],
    start: match.index,
  }));

/** What readers would count: pieces between blanks with a letter or digit in them. */
export const countWords = (query: string): number =>
  query.split(/\s+/).filter((piece) => /[\p{L}\p{N}]/u.test(piece)).length;

/** Lower case, no accents: how words are held against names. */
export const foldWord = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
