/**
 * From the scores of the legs to one ranking. Every backend ranks by this; they differ in how they come by the scores.
 */
import type { LegRank } from './port.ts';
import type { Scored } from './scratch.ts';
import type { SearchSettings } from './settings.ts';
import { TopK } from './top-k.ts';

/** A score per leg and document, by the document's number in this search; 0 where the leg did not find it. */
export type LegTable = Readonly<Record<Scored, Float32Array>>;

export interface Scoring {
  readonly scores: LegTable;
  /** The best score of an allowed document in each leg; 0 where the leg found nothing. */
  readonly best: Readonly<Record<Scored, number>>;
  /** The most that a document can reach in the n-gram leg. */
  readonly gramWeight: number;
  /** Whether the operator's sentence model took part in the semantic leg. */
  readonly embedded: boolean;
}

export interface Fused {
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

const part = (weight: number, top: number): number => (top > 0 ? weight / top : 0);

/** The eligible documents among those that `visit` offers, best first, equal scores by `comesFirst`. */
export function rankDocuments(
  scoring: Scoring,
  visit: (offer: (ref: number) => void) => void,
  options: RankOptions,
): Fused[] {
  const { scores } = scoring;
  const score = secondRound(scoring, options.settings);
  const eligible = eligibility(scoring, options.settings);
  const top = new TopK(options.depth, options.comesFirst);
  const legs = new LegLists(options);
  visit((ref) => {
    if (!eligible(ref)) return;
    const value = score(ref);
    if (value >= top.threshold) top.add(ref, value);
    legs.offer(ref, scores);
  });
  const ranks = legs.ranks();
  return top.sorted().map(({ ref, score: value }) => ({ ref, score: value, legs: ranks.get(ref) ?? [] }));
}

/** What the candidates for the feedback are chosen by: each leg divided by its best score, then added by weight. */
export function firstRound(
  scores: LegTable,
  best: Readonly<Record<'bm25' | 'ngram' | 'semantic', number>>,
  { first }: SearchSettings,
): (ref: number) => number {
  const words = part(first.bm25, best.bm25);
  const grams = part(first.ngram, best.ngram);
  const meaning = part(first.semantic, best.semantic);
  const { bm25, ngram, semantic } = scores;
  return (ref) => words * bm25[ref]! + grams * ngram[ref]! + meaning * semantic[ref]!;
}

/** What the answer is ordered by: the same with all legs. */
export function secondRound({ scores, best, embedded }: Scoring, { second }: SearchSettings): (ref: number) => number {
  const words = part(second.bm25, best.bm25);
  const meaning = part(embedded ? second.embedded : second.semantic, best.semantic);
  const grams = part(second.ngram, best.ngram);
  const titles = part(second.title, best.title);
  const expanded = part(second.feedback, best.feedback);
  const moved = part(second.nearby, best.nearby);
  const { bm25, semantic, ngram, title, feedback, nearby } = scores;
  return (ref) =>
    words * bm25[ref]! +
    meaning * semantic[ref]! +
    grams * ngram[ref]! +
    titles * title[ref]! +
    expanded * feedback[ref]! +
    moved * nearby[ref]!;
}

/** Whether a document belongs among the hits at all: it holds a word, or most of a word's letters, or the subject. */
function eligibility({ scores, best, gramWeight }: Scoring, settings: SearchSettings): (ref: number) => boolean {
  // Above zero, so that a query without grams does not find everything.
  const grams = Math.max(settings.ngramFloor * gramWeight, Number.MIN_VALUE);
  const cosine = best.bm25 > 0 ? settings.semanticFloor : settings.offTopicFloor;
  const { bm25, semantic, ngram } = scores;
  return (ref) => bm25[ref]! > 0 || semantic[ref]! >= cosine || ngram[ref]! >= grams;
}

/** The best documents of each leg, for saying at which place each leg had a hit. */
class LegLists {
  private readonly lists: readonly { readonly leg: (typeof LEGS)[number]; readonly top: TopK }[];

  constructor({ legDepth, comesFirst }: RankOptions) {
    this.lists = LEGS.map((leg) => ({ leg, top: new TopK(legDepth, comesFirst) }));
  }

  offer(ref: number, scores: LegTable): void {
    for (const { leg, top } of this.lists) {
      const score = scores[leg][ref]!;
      if (score > 0 && score >= top.threshold) top.add(ref, score);
    }
  }

  ranks(): Map<number, LegRank[]> {
    const found = new Map<number, LegRank[]>();
    for (const { leg, top } of this.lists) {
      top.sorted().forEach(({ ref, score }, i) => {
        const known = found.get(ref);
        if (known) known.push({ leg, rank: i + 1, score });
        else found.set(ref, [{ leg, rank: i + 1, score }]);
      });
    }
    return found;
  }
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
