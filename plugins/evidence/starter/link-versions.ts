/** Links versions of a review to the newest one, and correction notices to the articles that they correct. */
import type { SourceRecord } from '../source-record.ts';
import { isCochrane, titleKey } from './record-dedupe.ts';

const refOf = ({ pmid, doi }: SourceRecord): string => (pmid ? `pmid:${pmid}` : `doi:${doi}`);

const COCHRANE_DOI = /^10\.1002\/14651858\.(cd\d{6})(?:\.pub(\d+))?$/;

/** Returns the version number of a Cochrane DOI; 0 when the record has none. */
const versionOf = ({ doi }: SourceRecord): number => {
  const found = COCHRANE_DOI.exec(doi);
  return found ? Number(found[2] ?? 1) : 0;
};

const isNewer = (one: SourceRecord, other: SourceRecord): boolean => {
  const [version, otherVersion] = [versionOf(one), versionOf(other)];
  if (version && otherVersion) return version > otherVersion;
  return (one.year ?? 0) > (other.year ?? 0);
};

/** Groups versions by the number of the review, or by title when a record has no DOI. */
const groupsOf = (reviews: readonly SourceRecord[]): Map<string, SourceRecord[]> => {
  const groupOfTitle = new Map<string, string>();
  for (const review of reviews) {
    const number = COCHRANE_DOI.exec(review.doi)?.[1];
    if (number) groupOfTitle.set(titleKey(review.title), number);
  }
  return Map.groupBy(reviews, (review) => {
    const key = titleKey(review.title);
    return COCHRANE_DOI.exec(review.doi)?.[1] ?? groupOfTitle.get(key) ?? key;
  });
};

const ERRATUM_TYPE = /^(?:published erratum|erratum|corrected and republished article)$/i;
const ERRATUM_TITLE = /^"?(?:author |publisher )?(?:correction|corrigendum|erratum)\b/i;

export const isErratum = ({ title, publicationTypes }: SourceRecord): boolean =>
  ERRATUM_TITLE.test(title) || publicationTypes.some((type) => ERRATUM_TYPE.test(type) && !/republished/i.test(type));

/** Minimum length of a title to be searched for in a notice; a shorter one may occur by coincidence. */
const TELLING_LETTERS = 40;

const correctedBy = (erratum: SourceRecord, articles: readonly (readonly [string, SourceRecord])[]) => {
  const words = titleKey(erratum.title);
  return articles.find(
    ([key, article]) => article !== erratum && key.length >= TELLING_LETTERS && words.includes(key),
  )?.[1];
};

/**
 * Returns the papers with `supersededBy` on older versions of Cochrane reviews and on correction notices, and with `corrected` on
 * the articles that a notice names. A notice whose article is not among the papers is removed.
 */
export const linkVersions = (papers: readonly SourceRecord[]): SourceRecord[] => {
  const superseded = new Map<SourceRecord, string>();
  for (const versions of groupsOf(papers.filter(isCochrane)).values()) {
    const newest = versions.reduce((best, one) => (isNewer(one, best) ? one : best));
    for (const version of versions) if (version !== newest) superseded.set(version, refOf(newest));
  }
  const errata = papers.filter(isErratum);
  const articles = papers.filter((paper) => !isErratum(paper)).map((paper) => [titleKey(paper.title), paper] as const);
  const corrected = new Set<SourceRecord>();
  const gone = new Set<SourceRecord>();
  for (const erratum of errata) {
    const article = correctedBy(erratum, articles);
    if (!article) gone.add(erratum);
    else {
      corrected.add(article);
      superseded.set(erratum, refOf(article));
    }
  }
  return papers
    .filter((paper) => !gone.has(paper))
    .map((paper) => {
      const supersededBy = superseded.get(paper);
      return {
        ...paper,
        ...(supersededBy && { supersededBy }),
        ...(corrected.has(paper) && paper.retractionStatus === 'none' && { retractionStatus: 'corrected' as const }),
      };
    });
};
