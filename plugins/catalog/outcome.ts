/** Combines the sources of one claim. Pure: rows in, figures out; retracted sources never count. */
import { byStrength, peopleOf, type SourceRow, TIERS, type Tier } from '#plugins/evidence/index.ts';

type Row = Pick<
  SourceRow,
  | 'qualityTier'
  | 'retractionStatus'
  | 'sampleSizeN'
  | 'sampleSize'
  | 'species'
  | 'evidenceLevel'
  | 'qualityScore'
  | 'year'
  | 'sourceId'
>;

export const standing = <R extends Pick<SourceRow, 'retractionStatus'>>(rows: readonly R[]): R[] =>
  rows.filter(({ retractionStatus }) => retractionStatus !== 'retracted');

/** Returns the tier of the best source that is not retracted; null if there is none. */
export const bestTier = (rows: readonly Pick<SourceRow, 'qualityTier' | 'retractionStatus'>[]): Tier | null => {
  const tiers = new Set(standing(rows).map(({ qualityTier }) => qualityTier));
  return TIERS.find((tier) => tiers.has(tier)) ?? null;
};

export const strongest = <R extends Row>(rows: readonly R[]): R | null =>
  standing(rows).toSorted(byStrength)[0] ?? null;

const POOLED = new Set(['meta_analysis', 'systematic_review']);
const figures = new Intl.NumberFormat('en-GB');

/**
 * Returns the number of people in the studies of a claim: the sum over its studies, or that of the largest review where reviews
 * pool them (a sum would count people twice). "at least" if a size is unknown.
 */
export const peopleBehind = (rows: readonly Row[]): string => {
  const sound = standing(rows);
  const inPeople = sound.filter(({ species }) => species === 'human');
  const [only] = inPeople.length ? inPeople : sound;
  if (!only) return 'none';
  if (!inPeople.length) return sound.length === 1 ? peopleOf(only) : 'no people';
  const known = inPeople.filter(({ sampleSizeN }) => sampleSizeN !== null);
  if (!known.length) return 'not stated';
  const sizes = known.map(({ sampleSizeN }) => sampleSizeN ?? 0);
  const pooled = inPeople.some(({ evidenceLevel }) => POOLED.has(evidenceLevel));
  const people = pooled ? Math.max(...sizes) : sizes.reduce((sum, size) => sum + size, 0);
  const exact = inPeople.length === 1 || (!pooled && known.length === inPeople.length);
  return exact ? figures.format(people) : `at least ${figures.format(people)}`;
};
