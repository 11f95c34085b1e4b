/** Computes the balance of evidence from the sources of a question. Pure functions. */

import { TIERS, type Tier } from '../schemas.ts';
import { directionIsJudged, type SourceRow } from '../source-view.ts';
import { DIRECTION_CODES, DIRECTION_WORDS, type DirectionCode, judgedDirection, TIER_WEIGHTS } from './views.ts';

export type BalanceRow = Pick<
  SourceRow,
  | 'qualityTier'
  | 'effectDirection'
  | 'species'
  | 'retractionStatus'
  | 'evidenceLevel'
  | 'sampleSizeN'
  | 'year'
  | 'funding'
  | 'read'
  | 'basis'
  | 'sourceClass'
>;

export interface Share {
  readonly code: DirectionCode;
  readonly word: string;
  /** Number of sources by tier, A to D. */
  readonly counts: readonly number[];
  readonly sources: number;
  readonly weight: number;
  /** Share of the total weight, in whole per cent; all shares add up to 100. */
  readonly percent: number;
}

export interface Balance {
  readonly shares: readonly Share[];
  readonly sources: number;
  readonly weight: number;
  /** Numbers of excluded sources: not known to be in people, retracted, or registry entries without results. */
  readonly leftOut: { readonly notInPeople: number; readonly retracted: number; readonly registered: number };
  /** Number of sources that count as unclear because no editor has read them. */
  readonly unread: number;
}

const isRetracted = (row: BalanceRow): boolean => row.retractionStatus === 'retracted';
const isRegistered = (row: BalanceRow): boolean => row.sourceClass === 'clinical_trial';
const isInPeople = ({ species }: BalanceRow): boolean => species === 'human';

/** Rounds to whole percentages that add up to 100, by the largest remainder method. */
export const wholePercents = (values: readonly number[]): readonly number[] => {
  const sum = values.reduce((total, value) => total + value, 0);
  if (!sum) return values.map(() => 0);
  const exact = values.map((value) => (value * 100) / sum);
  const floors = exact.map(Math.floor);
  const missing = 100 - floors.reduce((total, value) => total + value, 0);
  const order = exact
    .map((value, at) => ({ at, rest: value - Math.floor(value) }))
    .sort((a, b) => b.rest - a.rest || a.at - b.at);
  for (const { at } of order.slice(0, missing)) floors[at] = (floors[at] ?? 0) + 1;
  return floors;
};

/** Computes the balance of non-retracted sources in people, weighted by tier. */
export const balanceOf = (rows: readonly BalanceRow[]): Balance => {
  const sound = rows.filter((row) => !isRetracted(row));
  const counted = sound.filter((row) => isInPeople(row) && !isRegistered(row));
  const groups = DIRECTION_CODES.map((code) => {
    const mine = counted.filter((row) => judgedDirection(row) === code);
    const counts = TIERS.map((tier) => mine.filter((row) => row.qualityTier === tier).length);
    const weight = counts.reduce((sum, count, at) => sum + count * TIER_WEIGHTS[TIERS[at] as Tier], 0);
    return { code, word: DIRECTION_WORDS[code], counts, sources: mine.length, weight };
  });
  const percents = wholePercents(groups.map(({ weight }) => weight));
  return {
    shares: groups.map((group, at) => ({ ...group, percent: percents[at] ?? 0 })),
    sources: counted.length,
    weight: groups.reduce((sum, { weight }) => sum + weight, 0),
    unread: counted.filter((row) => !directionIsJudged(row)).length,
    leftOut: {
      notInPeople: sound.filter((row) => !isInPeople(row)).length,
      registered: sound.filter((row) => isInPeople(row) && isRegistered(row)).length,
      retracted: rows.length - sound.length,
    },
  };
};
