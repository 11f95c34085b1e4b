/** Reads the claims of a supplement's entry on each outcome. */
import { createHash } from 'node:crypto';
import { type FindingBook, supplementOf } from '#plugins/findings/index.ts';
import type { SupplementRow, Terms } from '#plugins/vocabulary/index.ts';
import type { OutcomeClaim } from './grading/source.ts';

export interface VerticalKey {
  readonly vertical: string;
  readonly supplement: string;
  readonly topic: string;
}

type EntryClaim = SupplementRow['entry']['evidence'][number];

export const claimsFor = ({ supplement, topic }: VerticalKey, { supplements }: Terms): readonly EntryClaim[] =>
  supplements.get(supplement)?.entry.evidence.filter((claim) => claim.topic === topic) ?? [];

/** Input of a grade besides sources. */
export interface GradeInput {
  readonly terms: Terms;
  readonly book: FindingBook;
  /** Verticals on which editors searched and found no sound study, with the day of the search. */
  readonly searched: ReadonlyMap<string, VerticalKey & { readonly day: string }>;
}

const conditionDigests = new WeakMap<Terms, string>();

/** Returns a digest that changes with the names and topics of illnesses, so that populations are determined again. */
const conditionDigest = (terms: Terms): string => {
  const known = conditionDigests.get(terms);
  if (known) return known;
  const rows = [...terms.conditions.values()].map(({ slug, name, synonyms, topics }) => [slug, name, synonyms, topics]);
  const digest = createHash('sha256').update(JSON.stringify(rows)).digest('hex');
  conditionDigests.set(terms, digest);
  return digest;
};

/**
 * Returns a digest that changes with the entry's claims on an outcome, the findings on it, the names of illnesses, or the day of
 * the editors' search.
 */
export const inputDigest = (key: VerticalKey, { terms, book, searched }: GradeInput): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        claimsFor(key, terms).map(({ direction, sources }) => [direction, sources]),
        book.byVertical.get(key.vertical) ?? [],
        conditionDigest(terms),
        searched.get(key.vertical)?.day,
      ]),
    )
    .digest('hex')
    .slice(0, 16);

/** Builds the claims. `retracted` contains the references of retracted sources, as entries write them. */
export const outcomeClaims = (claims: readonly EntryClaim[], retracted: ReadonlySet<string>): readonly OutcomeClaim[] =>
  claims.map(({ direction, sources }) => ({
    direction,
    refs: sources,
    shaken: sources.some((ref) => retracted.has(ref)),
  }));

/** Returns outcomes with a claim that cites one of these references. */
export const verticalsCiting = (refs: ReadonlySet<string>, { supplements }: Terms): readonly VerticalKey[] =>
  [...supplements.values()].flatMap(({ slug, entry }) =>
    entry.evidence
      .filter(({ sources }) => sources.some((ref) => refs.has(ref)))
      .map(({ topic }) => ({ vertical: `${slug}-${topic}`, supplement: slug, topic })),
  );

/** Returns outcomes with a finding from one of these sources. */
export const verticalsFinding = (refs: ReadonlySet<string>, { byVertical }: FindingBook): readonly VerticalKey[] =>
  [...byVertical].flatMap(([vertical, findings]) => {
    const cited = findings.find(({ source }) => refs.has(source));
    return cited ? [{ vertical, supplement: supplementOf(vertical, cited), topic: cited.topic }] : [];
  });
