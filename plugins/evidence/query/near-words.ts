/**
 * Finds the words of the index that are one or two edits from a typed word. Every word is indexed under the hashes of its prefix
 * with up to two letters deleted (symmetric delete, Garbe 2012). A typed word and its correction share such a hash, so that a
 * lookup reads a few short posting lists regardless of the number of words.
 */
import { editDistance } from '#core/search/edit-distance.ts';

/** Maximum number of words, which take about 20 MB; the most frequent words are retained. */
const MOST_WORDS = 150_000;
const SHORTEST = 4;
const LONGEST = 30;
/** Length of the indexed prefix; the prefix of a word has no more edits than the whole word. */
const PREFIX = 7;
/** Shortest word that may have two edits; a larger distance is a guess and not a correction. */
const TWO_EDITS_FROM = 8;
const SLICE_MS = 6;

/** Returns the maximum number of edits between a typed word of the given length and its correction. */
export const editsAllowed = (length: number): number => (length < SHORTEST ? 0 : length < TWO_EDITS_FROM ? 1 : 2);

export interface NearWord {
  readonly word: string;
  /** Number of documents that contain the word. */
  readonly documents: number;
}

export interface NearWords {
  readonly size: number;
  /** Returns the near words in no particular order. */
  near(typed: string): readonly NearWord[];
}

const step = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);
const SEED = 0x811c9dc5;

/** Calls `visit` with the hash of the word's prefix, unchanged and with up to `edits` letters deleted. */
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

/**
 * Returns the number of deletions to index. A word may be up to two letters shorter than the typed word, so words from six
 * letters on need two deletions.
 */
const editsFiled = (length: number): number => (length >= TWO_EDITS_FROM - 2 ? 2 : 1);

/** Creates a function that yields to searches when this work has used its time slice. */
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

/** Builds the index of the words; yields to other work on the thread. */
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
