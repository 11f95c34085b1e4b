/**
 * Character n-grams of words (n = 5, the ends marked): what lets "apigen" find apigenin, "endocannabinoids" find
 * cannabinoids, and endings differ that the stemmer does not know. A table leads from each gram to the words that
 * hold it; their postings give the documents, so that no postings of grams have to be kept.
 */

const SIZE = 5;
const LETTERS = 37;
const MARK = 0;
/** Words of a table are numbered below this. */
const WORD_LIMIT = 2 ** 24;

export interface GramTable {
  /** Distinct codes, ascending; the words of gram g are at `starts[g]` up to `starts[g + 1]`. */
  readonly grams: Uint32Array;
  readonly starts: Uint32Array;
  readonly words: Uint32Array;
}

/** 1 to 36: digits and Latin letters by themselves; other letters share these numbers. */
function digitOf(code: number): number {
  if (code >= 97 && code <= 122) return code - 86;
  if (code >= 48 && code <= 57) return code - 47;
  return 1 + (code % (LETTERS - 1));
}

/** The weight of the first of a gram's letters. */
const FIRST = LETTERS ** (SIZE - 1);

/** The distinct grams of a folded word as numbers below 37⁵; a short word is one gram. */
export function gramsOf(word: string): number[] {
  const digit = (i: number) => (i === 0 || i > word.length ? MARK : digitOf(word.charCodeAt(i - 1)));
  let code = 0;
  for (let i = 0; i < SIZE; i++) code = code * LETTERS + digit(i);
  const codes = [code];
  for (let i = SIZE; i < word.length + 2; i++) {
    code = (code % FIRST) * LETTERS + digit(i);
    if (!codes.includes(code)) codes.push(code);
  }
  return codes;
}

/** The table of a sorted list of words. */
export function buildGrams(words: readonly string[]): GramTable {
  const pairs: number[] = [];
  words.forEach((word, w) => {
    for (const gram of gramsOf(word)) pairs.push(gram * WORD_LIMIT + w);
  });
  const sorted = Float64Array.from(pairs).sort();
  const grams: number[] = [];
  const starts: number[] = [];
  const holders = new Uint32Array(sorted.length);
  let last = -1;
  sorted.forEach((pair, i) => {
    const gram = Math.floor(pair / WORD_LIMIT);
    holders[i] = pair - gram * WORD_LIMIT;
    if (gram === last) return;
    grams.push(gram);
    starts.push(i);
    last = gram;
  });
  return {
    grams: Uint32Array.from(grams),
    starts: Uint32Array.from([...starts, sorted.length]),
    words: holders,
  };
}

/** The numbers of the words that hold a gram. */
export function wordsWith(table: GramTable, gram: number): Uint32Array {
  let low = 0;
  let high = table.grams.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = table.grams[middle]!;
    if (value === gram) return table.words.subarray(table.starts[middle], table.starts[middle + 1]);
    if (value < gram) low = middle + 1;
    else high = middle - 1;
  }
  return table.words.subarray(0, 0);
}
