/**
 * How much the base holds, so that "nothing found" can be weighed. Of a supplement: how many rules and cautions are
 * about it, and how many different sources they cite. Of a drug: how many different supplements have a rule that
 * reaches it, by itself or by a class. Of a pair: the lower of the two, so that `broad` and nothing found means that
 * both were looked at often, and `none` that nobody here looked at one of them. The page /interactions prints this.
 */
import type { InteractionBook } from './interaction-book.ts';

export const COVERAGES = ['none', 'sparse', 'moderate', 'broad'] as const;
export type Coverage = (typeof COVERAGES)[number];

/** The least that a level needs, from the top. */
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
  /** Rules and cautions. */
  readonly records: number;
  /** Different sources that these cite. */
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

/** Of one drug; several slugs (the ingredients of a combination) give the least covered of them. */
export const coverageOfDrugs = (book: InteractionBook, slugs: readonly string[]): Coverage => {
  const counts = slugs.map((slug) => book.pairsOfDrug(slug).length);
  const least = counts.length ? Math.min(...counts) : 0;
  return DRUG_LEVELS.find(({ supplements }) => least >= supplements)?.level ?? 'none';
};

export const lowerCoverage = (a: Coverage, b: Coverage): Coverage =>
  COVERAGES[Math.min(COVERAGES.indexOf(a), COVERAGES.indexOf(b))] ?? 'none';
