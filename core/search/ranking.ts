/**
 * Fuses the scores of the retrievers into one ranking. All backends use it; they differ only in how they obtain the scores.
 */

import { greatest, highest } from './highest.ts';
import { noInline } from './no-inline.ts';
import type { LegRank } from './port.ts';
import type { Scored } from './scratch.ts';
import type { SearchSettings } from './settings.ts';

/** A score per retriever and row; a row is a document that may be returned. 0 means that the retriever did not find it. */
export type LegTable = Readonly<Record<Scored, Float32Array>>;

export interface Scoring {
  readonly rows: number;
  readonly scores: LegTable;
  /** Approximate maximum score of a document in the n-gram retriever. */
  readonly gramWeight: number;
  /** Whether the operator's sentence model contributed to the semantic scores. */
  readonly embedded: boolean;
}

export interface Fused {
  /** Row number. */
  readonly ref: number;
  readonly score: number;
  readonly legs: readonly LegRank[];
}

export interface RankOptions {
  readonly settings: SearchSettings;
  /** Maximum number of documents. */
  readonly depth: number;
  /** Number of documents per retriever that get a rank. */
  readonly legDepth: number;
  readonly comesFirst: (a: number, b: number) => boolean;
}

const LEGS = ['bm25', 'semantic', 'ngram', 'feedback'] as const;
const PRIMARY_RANK = 10;

/** Returns the eligible rows, best first, ties by `comesFirst`. Sets the scores of other rows to 0. */
export function rankDocuments(scoring: Scoring, options: RankOptions): Fused[] {
  const { depth, legDepth, comesFirst, settings } = options;
  const fused = secondRound(scoring, settings);
  noInline(dropIneligible, scoring, fused, settings);
  const ranks = ranksOf(scoring, { size: legDepth, comesFirst });
  return highest(fused, scoring.rows, { size: depth, comesFirst }).map(({ ref, score }) => ({
    ref,
    score,
    legs: ranks.get(ref) ?? [],
  }));
}

/** Returns the scores that select the candidates for feedback: a weighted sum, each retriever divided by its best score. */
export function firstRound(
  { scores, rows }: { readonly rows: number; readonly scores: Pick<LegTable, 'bm25' | 'ngram' | 'semantic'> },
  { first }: SearchSettings,
  room: Float32Array = new Float32Array(rows),
): Float32Array {
  return fuse(
    [
      [first.bm25, scores.bm25],
      [first.ngram, scores.ngram],
      [first.semantic, scores.semantic],
    ],
    rows,
    room,
  );
}

/** Returns the final scores, by which the hits are ordered: the same weighted sum over all retrievers. */
export function secondRound({ scores, rows, embedded }: Scoring, { second }: SearchSettings): Float32Array {
  return fuse(
    [
      [second.bm25, scores.bm25],
      [embedded ? second.embedded : second.semantic, scores.semantic],
      [second.ngram, scores.ngram],
      [second.title, scores.title],
      [second.feedback, scores.feedback],
      [second.nearby, scores.nearby],
    ],
    rows,
    new Float32Array(rows),
  );
}

/** Writes the weighted sum of the retrievers to `into`, each divided by its best score. */
function fuse(legs: readonly (readonly [number, Float32Array])[], rows: number, into: Float32Array): Float32Array {
  const sums = into.subarray(0, rows);
  let added = 0;
  for (const [weight, scores] of legs) {
    const best = scores.length === 0 ? 0 : noInline(greatest, scores, rows, undefined);
    if (best === 0) continue;
    noInline(added++ === 0 ? scale : addScaled, scores, weight / best, sums);
  }
  if (added === 0) sums.fill(0);
  return into;
}

function scale(scores: Float32Array, factor: number, into: Float32Array): void {
  for (let row = 0; row < into.length; row++) into[row] = factor * scores[row]!;
}

function addScaled(scores: Float32Array, factor: number, into: Float32Array): void {
  for (let row = 0; row < into.length; row++) into[row]! += factor * scores[row]!;
}

/** Sets to 0 the scores of each row that has no query word, too few of the query's n-grams and too low a cosine. */
function dropIneligible({ scores, rows, gramWeight }: Scoring, fused: Float32Array, settings: SearchSettings): void {
  const { bm25, semantic, ngram, feedback } = scores;
  // The floor is above zero, so that a query without grams does not match every document.
  const grams = Math.max(settings.ngramFloor * gramWeight, Number.MIN_VALUE);
  const cosine = noInline(greatest, bm25, rows, undefined) > 0 ? settings.semanticFloor : settings.offTopicFloor;
  for (let row = 0; row < rows; row++) {
    if (bm25[row]! > 0 || semantic[row]! >= cosine || ngram[row]! >= grams) continue;
    fused[row] = 0;
    semantic[row] = 0;
    ngram[row] = 0;
    feedback[row] = 0;
  }
}

/** Returns the ranks of the best rows in each retriever. */
function ranksOf(
  { scores, rows }: Scoring,
  options: { readonly size: number; readonly comesFirst: (a: number, b: number) => boolean },
): ReadonlyMap<number, readonly LegRank[]> {
  const found = new Map<number, LegRank[]>();
  for (const leg of LEGS) {
    highest(scores[leg], rows, options).forEach(({ ref, score }, i) => {
      const known = found.get(ref);
      if (known) known.push({ leg, rank: i + 1, score });
      else found.set(ref, [{ leg, rank: i + 1, score }]);
    });
  }
  return found;
}

/**
 * Returns the names of the retrievers that found a document (`bm25`, `semantic`; `ngram` and `feedback` only when neither
 * of those did), and `rrf_primary` when it is in the top ten of both `bm25` and `semantic`.
 */
export function reasonsOf(legs: readonly LegRank[]): string[] {
  const found = legs.filter(({ leg }) => leg === 'bm25' || leg === 'semantic');
  const reasons: string[] = (found.length > 0 ? found : legs).map(({ leg }) => leg);
  if (found.length > 1 && found.every(({ rank }) => rank <= PRIMARY_RANK)) reasons.push('rrf_primary');
  return reasons;
}
