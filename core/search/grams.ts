/**
 * Character n-grams of words (n = 5, with the word's ends marked). They let "apigen" match apigenin and
 * "endocannabinoids" match cannabinoids, and match words with endings that the stemmer does not know. A table maps each gram
 * to the words that contain it; the words' postings give the documents, so that no postings of grams are stored.
 */

const SIZE = 5;
const LETTERS = 37;
const MARK = 0;
/** Word numbers in a table are below this limit. */
const WORD_LIMIT = 2 ** 24;

export interface GramTable {
  /** Distinct codes, ascending; the words of gram g are at `starts[g]` up to `starts[g + 1]`. */
  readonly grams: Uint32Array;
  readonly starts: Uint32Array;
  readonly words: Uint32Array;
}

/** Returns a number from 1 to 36: each digit and Latin letter has its own; all other letters share these numbers. */
function digitOf(code: number): number {
  if (code >= 97 && code <= 122) return code - 86;
  if (code >= 48 && code <= 57) return code - 47;
  return 1 + (code % (LETTERS - 1));
}

/** The place value of the first letter in a gram's code. */
const FIRST = LETTERS ** (SIZE - 1);

/** Returns the distinct grams of a folded word as numbers below 37⁵; a short word is a single gram. */
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

/** Builds the table of a sorted list of words. */
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
    starts: Uint32Array.from(starts.concat(sorted.length)),
    words: holders,
  };
}

/** Merges two tables; `numbers` has the new number of each old word, in the same order, -1 for those left out. */
export function mergeGrams(a: GramTable, b: GramTable, numbers: readonly [Int32Array, Int32Array]): GramTable {
  const words = new Uint32Array(a.words.length + b.words.length);
  const grams: number[] = [];
  const starts: number[] = [];
  let at = 0;
  let i = 0;
  let j = 0;
  while (i < a.grams.length || j < b.grams.length) {
    const left = a.grams[i] ?? Number.POSITIVE_INFINITY;
    const right = b.grams[j] ?? Number.POSITIVE_INFINITY;
    const gram = Math.min(left, right);
    const from = at;
    let p = left === gram ? a.starts[i]! : 0;
    const pEnd = left === gram ? a.starts[++i]! : 0;
    let q = right === gram ? b.starts[j]! : 0;
    const qEnd = right === gram ? b.starts[++j]! : 0;
    for (;;) {
      while (p < pEnd && numbers[0][a.words[p]!]! < 0) p++;
      while (q < qEnd && numbers[1][b.words[q]!]! < 0) q++;
      const nextA = p < pEnd ? numbers[0][a.words[p]!]! : Number.POSITIVE_INFINITY;
      const nextB = q < qEnd ? numbers[1][b.words[q]!]! : Number.POSITIVE_INFINITY;
      const word = Math.min(nextA, nextB);
      if (word === Number.POSITIVE_INFINITY) break;
      // Both tables may contain the word.
      if (nextA === word) p++;
      if (nextB === word) q++;
      words[at++] = word;
    }
    if (at === from) continue;
    grams.push(gram);
    starts.push(from);
  }
  starts.push(at);
  return { grams: Uint32Array.from(grams), starts: Uint32Array.from(starts), words: words.slice(0, at) };
}

/** Returns the numbers of the words that contain a gram. */
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
