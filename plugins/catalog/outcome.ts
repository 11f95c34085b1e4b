/** What the sources of one claim weigh together. Pure: rows in, figures out; retracted sources never count. */
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

/** The tier of the best source that still stands; null when none does. */
export const bestTier = (rows: readonly Pick<SourceRow, 'qualityTier' | 'retractionStatus'>[]): Tier | null => {
  const tiers = new Set(standing(rows).map(({ qualityTier }) => qualityTier));
  return TIERS.find((tier) => tiers.has(tier)) ?? null;
};

export const strongest = <R extends Row>(rows: readonly R[]): R | null =>
  standing(rows).toSorted(byStrength)[0] ?? null;

const POOLED = new Set(['meta_analysis', 'systematic_review']);
const figures = new Intl.NumberFormat('en-GB');

/**
 * People behind a claim: added up over its studies, or the largest review where reviews pool them (adding would count
 * people twice). "at least" where a size is unknown.
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
