/** Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): a document gains weight / (60 + rank) from each leg. */
import type { Ranked } from './bm25.ts';
import type { LegRank } from './port.ts';

const RRF_K = 60;
const PRIMARY_RANK = 10;

export interface Leg {
  readonly leg: LegRank['leg'];
  readonly weight: number;
  readonly ranked: readonly Ranked[];
}

export interface Fused {
  readonly ref: number;
  readonly score: number;
  readonly legs: readonly LegRank[];
}

/** One list out of the legs' lists, best first, equal scores by `comesFirst`. */
export function fuse(legs: readonly Leg[], comesFirst: (a: number, b: number) => boolean): Fused[] {
  const found = new Map<number, { score: number; legs: LegRank[] }>();
  for (const { leg, weight, ranked } of legs) {
    ranked.forEach(({ ref, score }, i) => {
      const entry = found.get(ref) ?? { score: 0, legs: [] };
      entry.score += weight / (RRF_K + i + 1);
      entry.legs.push({ leg, rank: i + 1, score });
      found.set(ref, entry);
    });
  }
  return [...found]
    .map(([ref, entry]) => ({ ref, ...entry }))
    .sort((a, b) => b.score - a.score || (comesFirst(a.ref, b.ref) ? -1 : 1));
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
