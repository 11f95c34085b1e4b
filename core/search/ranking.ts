/**
 * From the scores of the legs to one ranking. Every backend ranks by this; they differ in how they come by the scores.
 */

import { greatest, highest } from './highest.ts';
import { noInline } from './no-inline.ts';
import type { LegRank } from './port.ts';
import type { Scored } from './scratch.ts';
import type { SearchSettings } from './settings.ts';

/** A score per leg and row; a row is a document that may be answered. 0 where the leg did not find it. */
export type LegTable = Readonly<Record<Scored, Float32Array>>;

export interface Scoring {
  readonly rows: number;
  readonly scores: LegTable;
  /** The most that a document can reach in the n-gram leg. */
  readonly gramWeight: number;
  /** Whether the operator's sentence model took part in the semantic leg. */
  readonly embedded: boolean;
}

export interface Fused {
  /** The row. */
  readonly ref: number;
  readonly score: number;
  readonly legs: readonly LegRank[];
}

export interface RankOptions {
  readonly settings: SearchSettings;
  /** Documents at most. */
  readonly depth: number;
  /** How many documents of a leg get a rank. */
  readonly legDepth: number;
  readonly comesFirst: (a: number, b: number) => boolean;
}

const LEGS = ['bm25', 'semantic', 'ngram', 'feedback'] as const;
const PRIMARY_RANK = 10;

/** The eligible rows, best first, equal scores by `comesFirst`. Scores of other rows are set to 0. */
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

/** What the candidates for the feedback are chosen by: each leg divided by its best score, then added by weight. */
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

/** What the answer is ordered by: the same with all legs. */
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

/** The weighted sum of legs in `into`, each divided by its best score first. */
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

/** A document belongs among the hits when it holds a word, or most of a word's letters, or the subject. */
function dropIneligible({ scores, rows, gramWeight }: Scoring, fused: Float32Array, settings: SearchSettings): void {
  const { bm25, semantic, ngram, feedback } = scores;
  // Above zero, so that a query without grams does not find everything.
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

/** At which place each leg has its best rows. */
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
 * The legs that found a document (`bm25`, `semantic`; `ngram` and `feedback` only where neither did), and `rrf_primary`
 * when it is in the top ten of words and of meaning.
 */
export function reasonsOf(legs: readonly LegRank[]): string[] {
  const found = legs.filter(({ leg }) => leg === 'bm25' || leg === 'semantic');
  const reasons: string[] = (found.length > 0 ? found : legs).map(({ leg }) => leg);
  if (found.length > 1 && found.every(({ rank }) => rank <= PRIMARY_RANK)) reasons.push('rrf_primary');
  return reasons;
}
