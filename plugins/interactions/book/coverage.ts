/**
 * Coverage of the database, so that readers can judge "nothing found". For a supplement: the number of rules and cautions about
 * it, and the number of different sources that they cite. For a drug: the number of different supplements with a rule that
 * applies to it, directly or through a class. For a pair: the lower of the two, so that `broad` with nothing found means that
 * both were often examined, and `none` that one of them was never examined here. The page /interactions prints this.
 */
import type { InteractionBook } from './interaction-book.ts';

export const COVERAGES = ['none', 'sparse', 'moderate', 'broad'] as const;
export type Coverage = (typeof COVERAGES)[number];

/** Minimum counts of each level, from the top. */
export const SUPPLEMENT_LEVELS = [
  { level: 'broad', records: 8, sources: 5 },
  { level: 'moderate', records: 3, sources: 2 },
  { level: 'sparse', records: 1, sources: 0 },
] as const;
export const DRUG_LEVELS = [
  { level: 'broad', supplements: 15 },
  { level: 'moderate', supplements: 5 },
  { level: 'sparse', supplements: 1 },
] as const;

export interface SupplementCoverage {
  readonly level: Coverage;
  /** Number of rules and cautions. */
  readonly records: number;
  /** Number of different sources that these cite. */
  readonly sources: number;
}

export const coverageOfSupplement = (book: InteractionBook, slug: string): SupplementCoverage => {
  const records = [...book.rulesOf(slug), ...book.cautionsOf(slug)];
  const cited = new Set(
    records.flatMap(({ sources }) =>
      sources.map(({ row, given }) => row?.sourceId ?? given.address ?? given.pmid ?? given.ref ?? ''),
    ),
  );
  const level = SUPPLEMENT_LEVELS.find((step) => records.length >= step.records && cited.size >= step.sources);
  return { level: level?.level ?? 'none', records: records.length, sources: cited.size };
};

/** Returns the coverage of one drug; for several slugs (the ingredients of a combination), that of the least covered. */
export const coverageOfDrugs = (book: InteractionBook, slugs: readonly string[]): Coverage => {
  const counts = slugs.map((slug) => book.pairsOfDrug(slug).length);
  const least = counts.length ? Math.min(...counts) : 0;
  return DRUG_LEVELS.find(({ supplements }) => least >= supplements)?.level ?? 'none';
};

export const lowerCoverage = (a: Coverage, b: Coverage): Coverage =>
  COVERAGES[Math.min(COVERAGES.indexOf(a), COVERAGES.indexOf(b))] ?? 'none';
