/**
 * The words of the index that are one or two edits from a typed one. Every word is filed under the hashes of what its
 * first letters become when one or two of them are left out (symmetric delete, Garbe 2012): a typed word and the right
 * one meet there, so that a look-up reads a few short lists however many words there are.
 */
import { editDistance } from '#core/search/edit-distance.ts';

/** As many as fit in some 20 MB; the most frequent are kept. */
const MOST_WORDS = 150_000;
const SHORTEST = 4;
const LONGEST = 30;
/** Letters at the beginning that are looked at; a word differs there by no more edits than as a whole. */
const PREFIX = 7;
/** Words from this length may have two edits; a longer way is a guess, not a correction. */
const TWO_EDITS_FROM = 8;
const SLICE_MS = 6;

/** How many edits a typed word of that length may be away from the right one. */
export const editsAllowed = (length: number): number => (length < SHORTEST ? 0 : length < TWO_EDITS_FROM ? 1 : 2);

export interface NearWord {
  readonly word: string;
  /** Documents that hold it. */
  readonly documents: number;
}

export interface NearWords {
  readonly size: number;
  /** In no order. */
  near(typed: string): readonly NearWord[];
}

const step = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);
const SEED = 0x811c9dc5;

/** Calls `visit` with the hash of the word's beginning, whole and with up to `edits` letters left out. */
const eachBeginning = (word: string, edits: number, visit: (hash: number) => void): void => {
  const length = Math.min(word.length, PREFIX);
  const hashWithout = (first: number, second: number): number => {
    let hash = SEED;
    for (let at = 0; at < length; at += 1) if (at !== first && at !== second) hash = step(hash, word.charCodeAt(at));
    return (hash ^ (hash >>> 15)) >>> 0;
  };
  visit(hashWithout(-1, -1));
  for (let first = 0; edits > 0 && first < length; first += 1) {
    visit(hashWithout(first, -1));
    for (let second = first + 1; edits > 1 && second < length; second += 1) visit(hashWithout(first, second));
  }
};

/** Words that a longer typed word may mean are two letters shorter at the least. */
const editsFiled = (length: number): number => (length >= TWO_EDITS_FROM - 2 ? 2 : 1);

/** A pause for searches, taken when this work has had its slice. */
const pacer = (): (() => Promise<void> | undefined) => {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return new Promise<void>((resolve) =>
      setImmediate(() => {
        since = performance.now();
        resolve();
      }),
    );
  };
};

const mostFrequent = async (
  words: Iterable<readonly [word: string, documents: number]>,
  breathe: ReturnType<typeof pacer>,
): Promise<NearWord[]> => {
  const kept: NearWord[] = [];
  let seen = 0;
  for (const [word, documents] of words) {
    if (/^[a-z]+$/.test(word) && word.length >= SHORTEST && word.length <= LONGEST) kept.push({ word, documents });
    seen += 1;
    if (seen % 500 === 0) await breathe();
  }
  if (kept.length <= MOST_WORDS) return kept;
  const counts = Uint32Array.from(kept, ({ documents }) => documents).sort();
  const floor = counts[counts.length - MOST_WORDS]!;
  await breathe();
  return kept.filter(({ documents }) => documents >= floor).slice(0, MOST_WORDS * 2);
};

/** Files the words; other work on the thread goes on in between. */
export const buildNearWords = async (
  words: Iterable<readonly [word: string, documents: number]>,
): Promise<NearWords> => {
  const breathe = pacer();
  const kept = await mostFrequent(words, breathe);
  const slots = 2 ** Math.ceil(Math.log2(Math.max(16, kept.length * 16)));
  const starts = new Uint32Array(slots + 1);
  for (const [at, { word }] of kept.entries()) {
    eachBeginning(word, editsFiled(word.length), (hash) => {
      starts[(hash & (slots - 1)) + 1]! += 1;
    });
    if (at % 200 === 0) await breathe();
  }
  for (let slot = 0; slot < slots; slot += 1) starts[slot + 1]! += starts[slot]!;
  await breathe();
  const next = starts.slice();
  const filed = new Uint32Array(starts[slots]!);
  for (const [at, { word }] of kept.entries()) {
    eachBeginning(word, editsFiled(word.length), (hash) => {
      filed[next[hash & (slots - 1)]!++] = at;
    });
    if (at % 200 === 0) await breathe();
  }
  return {
    size: kept.length,
    near: (typed) => {
      const limit = editsAllowed(typed.length);
      if (limit === 0 || typed.length > LONGEST) return [];
      const candidates = new Set<number>();
      eachBeginning(typed, limit, (hash) => {
        const slot = hash & (slots - 1);
        for (let at = starts[slot]!; at < starts[slot + 1]!; at += 1) candidates.add(filed[at]!);
      });
      return [...candidates]
        .map((at) => kept[at]!)
        .filter(({ word }) => word !== typed && editDistance(typed, word, limit) <= limit);
    },
  };
};
