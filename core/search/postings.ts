/** Postings: for each key (a term or a word) the documents that contain it, as sorted arrays of numbers. */

export interface PostingTable {
  /** Sorted keys; the postings of key k are at `starts[k]` up to `starts[k + 1]`. */
  readonly keys: readonly string[];
  readonly starts: Uint32Array;
  /** Document numbers within the segment, ascending for each key. */
  readonly docs: Uint32Array;
  /** One number per posting, encoded by `codeCount`. */
  readonly counts: Uint16Array;
}

/** Counts are stored in quarters, so that field weights may be 0.25, 1.5 and so on. */
export const COUNT_UNIT = 4;
const COUNT_BITS = 0x7fff;
/** Set when the key occurs in the document's title, or among its first terms when it has no title. */
export const LEAD_BIT = 0x8000;

/** Encodes a weighted count for storage: quarters, at least one, and LEAD_BIT for a key of the title. */
export function codeCount(count: number, lead: boolean): number {
  return Math.min(COUNT_BITS, Math.max(1, Math.round(count * COUNT_UNIT))) | (lead ? LEAD_BIT : 0);
}

/** Returns the weighted count in quarters. */
export function quartersOf(stored: number): number {
  return stored & COUNT_BITS;
}

/** Encodes the count of a key in a document for its posting. */
export type Coding = (key: string, count: number, doc: number) => number;

/** Builds the postings of documents in the given order; each map has counts by key, which `code` encodes. */
export function buildPostings(documents: readonly ReadonlyMap<string, number>[], code: Coding): PostingTable {
  const total = documents.reduce((sum, held) => sum + held.size, 0);
  // Each key is looked up once per posting: a build spends most of its time on that.
  const numbers = new Map<string, number>();
  const sizes: number[] = [];
  const found = new Uint32Array(total);
  const codes = new Uint16Array(total);
  let at = 0;
  documents.forEach((held, doc) => {
    for (const [key, count] of held) {
      let number = numbers.get(key);
      if (number === undefined) {
        number = sizes.push(0) - 1;
        numbers.set(key, number);
      }
      sizes[number]!++;
      found[at] = number;
      codes[at++] = code(key, count, doc);
    }
  });
  const keys = detach([...numbers.keys()].sort());
  const starts = new Uint32Array(keys.length + 1);
  const next = new Uint32Array(keys.length);
  keys.forEach((key, k) => {
    const number = numbers.get(key)!;
    next[number] = starts[k]!;
    starts[k + 1] = starts[k]! + sizes[number]!;
  });
  return { keys, starts, ...place(documents, { found, codes, next }) };
}

/** Distributes the postings, document by document, to the ranges of their keys. */
function place(
  documents: readonly ReadonlyMap<string, number>[],
  { found, codes, next }: { found: Uint32Array; codes: Uint16Array; next: Uint32Array },
): Pick<PostingTable, 'docs' | 'counts'> {
  const docs = new Uint32Array(found.length);
  const counts = new Uint16Array(found.length);
  let from = 0;
  documents.forEach(({ size }, doc) => {
    for (let i = from; i < from + size; i++) {
      const at = next[found[i]!]!++;
      docs[at] = doc;
      counts[at] = codes[i]!;
    }
    from += size;
  });
  return { docs, counts };
}

/** A merged table and, for each part, the new number of each of its keys, -1 for keys without remaining documents. */
export interface MergedPostings {
  readonly table: PostingTable;
  readonly numbers: readonly [Int32Array, Int32Array];
}

/** Merges two tables of postings; `places` has the new number of each old document, -1 for those left out. */
export function mergePostings(
  a: PostingTable,
  b: PostingTable,
  places: readonly [Int32Array, Int32Array],
): MergedPostings {
  const docs = new Uint32Array(a.docs.length + b.docs.length);
  const counts = new Uint16Array(docs.length);
  const keys: string[] = [];
  const ends: number[] = [];
  const numbers = [new Int32Array(a.keys.length).fill(-1), new Int32Array(b.keys.length).fill(-1)] as const;
  let at = 0;
  let i = 0;
  let j = 0;
  while (i < a.keys.length || j < b.keys.length) {
    const left = i < a.keys.length ? a.keys[i]! : undefined;
    const right = j < b.keys.length ? b.keys[j]! : undefined;
    const key = right === undefined || (left !== undefined && left <= right) ? left! : right;
    let p = left === key ? a.starts[i]! : 0;
    const pEnd = left === key ? a.starts[++i]! : 0;
    let q = right === key ? b.starts[j]! : 0;
    const qEnd = right === key ? b.starts[++j]! : 0;
    const from = at;
    for (;;) {
      while (p < pEnd && places[0][a.docs[p]!]! < 0) p++;
      while (q < qEnd && places[1][b.docs[q]!]! < 0) q++;
      const nextA = p < pEnd ? places[0][a.docs[p]!]! : Number.POSITIVE_INFINITY;
      const nextB = q < qEnd ? places[1][b.docs[q]!]! : Number.POSITIVE_INFINITY;
      if (nextA === nextB) break;
      docs[at] = Math.min(nextA, nextB);
      counts[at++] = nextA < nextB ? a.counts[p++]! : b.counts[q++]!;
    }
    if (at === from) continue;
    if (left === key) numbers[0][i - 1] = keys.length;
    if (right === key) numbers[1][j - 1] = keys.length;
    keys.push(key);
    ends.push(at);
  }
  const starts = new Uint32Array(ends.length + 1);
  starts.set(ends, 1);
  return { table: { keys: detach(keys), starts, docs: docs.slice(0, at), counts: counts.slice(0, at) }, numbers };
}

/** Returns the position of a string in a sorted list, or -1. */
export function indexOfSorted(sorted: readonly string[], wanted: string): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = sorted[middle]!;
    if (value === wanted) return middle;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Copies the strings to slices of one new string, so that a term does not retain the whole abstract that it was cut from. */
export function detach(strings: readonly string[]): string[] {
  if (strings.length === 0 || strings.some((string) => string.includes('\n') || !string.isWellFormed()))
    return [...strings];
  return Buffer.from(strings.join('\n')).toString().split('\n');
}
