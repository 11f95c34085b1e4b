/** The n-gram retriever: BM25 with character n-grams as terms, over the words as written. */

import { inverseFrequency, type SegmentView } from './bm25.ts';
import { gramsOf, wordsWith } from './grams.ts';
import { noInline } from './no-inline.ts';
import { COUNT_UNIT, quartersOf } from './postings.ts';
import type { SearchSettings } from './settings.ts';

/** Minimum budget of postings for one query, however small the corpus is. */
const FEWEST_POSTINGS = 20_000;

interface GramOptions {
  readonly k1: number;
  readonly b: number;
  readonly meanLength: number;
  readonly documents: number;
  /** Receives the score of each document. */
  readonly into: Float32Array;
  /** Scratch buffer as long as `into`, all zero before and after the call. */
  readonly counts: Float32Array;
  /** Scratch buffer as long as `into`; its contents are arbitrary. */
  readonly touched: Uint32Array;
  /** Maximum number of postings to read, the rarest grams first. */
  readonly budget: number;
}

interface Holders {
  readonly views: readonly { readonly view: SegmentView; readonly words: Uint32Array }[];
  readonly postings: number;
}

/**
 * Adds the scores of the words' grams to `into`, and returns the sum of the grams' weights, known or unknown: about the
 * maximum score of a document. The sum is computed from numbers of postings, so that a backend which knows only the words'
 * frequencies gets the same result.
 */
export function addGrams(views: readonly SegmentView[], words: readonly string[], options: GramOptions): number {
  const grams = [...new Set(words.flatMap(gramsOf))].map((gram) => holdersOf(views, gram));
  const unknown = inverseFrequency(0, options.documents);
  let whole = 0;
  for (const gram of affordable(grams, options.budget)) {
    whole += gram.postings === 0 ? unknown : noInline(addGram, gram, options, undefined);
  }
  return whole;
}

/** Returns how many postings the grams of one query may read. */
export function gramBudget(documents: number, { gramPostings, mostGramPostings }: SearchSettings): number {
  return Math.min(mostGramPostings, Math.max(FEWEST_POSTINGS, gramPostings * documents));
}

/** Returns the grams that fit into the budget of postings, the rarest first. */
export function affordable<T extends { readonly postings: number }>(grams: readonly T[], budget: number): T[] {
  let left = budget;
  const chosen: T[] = [];
  for (const gram of [...grams].sort((a, b) => a.postings - b.postings)) {
    left -= gram.postings;
    if (left < 0) break;
    chosen.push(gram);
  }
  return chosen;
}

function holdersOf(views: readonly SegmentView[], gram: number): Holders {
  let postings = 0;
  const found = views.map((view) => {
    const words = wordsWith(view.segment.grams, gram);
    const { starts } = view.segment.words;
    for (const word of words) postings += starts[word + 1]! - starts[word]!;
    return { view, words };
  });
  return { views: found, postings };
}

/** Scores one gram and returns its IDF by postings. Skips deleted documents, so that they do not affect the frequency. */
function addGram(gram: Holders, options: GramOptions): number {
  const { k1, b, meanLength, documents, into, counts, touched } = options;
  let size = 0;
  let postings = 0;
  for (const { view, words } of gram.views) {
    const { starts, docs, counts: stored } = view.segment.words;
    const { deleted } = view.segment;
    for (const word of words) {
      const end = starts[word + 1]!;
      for (let i = starts[word]!; i < end; i++) {
        const doc = docs[i]!;
        if (deleted[doc] === 1) continue;
        postings++;
        const ref = view.base + doc;
        if (counts[ref] === 0) touched[size++] = ref;
        counts[ref]! += quartersOf(stored[i]!);
      }
    }
  }
  const idf = inverseFrequency(size, documents);
  let at = 0;
  for (const { view } of gram.views) {
    // The touched documents are grouped by view, in the same order as the views.
    const { lengths } = view.segment;
    const still = COUNT_UNIT * k1 * (1 - b);
    const slope = (COUNT_UNIT * k1 * b) / meanLength;
    const end = view.base + lengths.length;
    for (; at < size && touched[at]! < end; at++) {
      const ref = touched[at]!;
      const count = counts[ref]!;
      into[ref]! += (idf * (k1 + 1) * count) / (count + still + slope * lengths[ref - view.base]!);
      counts[ref] = 0;
    }
  }
  return inverseFrequency(Math.min(postings, documents), documents);
}
