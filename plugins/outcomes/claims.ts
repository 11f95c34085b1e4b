/** What the entry of a supplement says on each outcome. */
import { createHash } from 'node:crypto';
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

/** Changes when what an entry says on an outcome, or on which sources it rests, changes. */
export const claimsDigest = (claims: readonly EntryClaim[]): string =>
  createHash('sha256')
    .update(JSON.stringify(claims.map(({ direction, sources }) => [direction, sources])))
    .digest('hex')
    .slice(0, 16);

/** `retracted` holds references of retracted sources, as entries write them. */
export const outcomeClaims = (claims: readonly EntryClaim[], retracted: ReadonlySet<string>): readonly OutcomeClaim[] =>
  claims.map(({ direction, sources }) => ({
    direction,
    refs: sources,
    shaken: sources.some((ref) => retracted.has(ref)),
  }));

/** Outcomes whose finding cites one of these references. */
export const verticalsCiting = (refs: ReadonlySet<string>, { supplements }: Terms): readonly VerticalKey[] =>
  [...supplements.values()].flatMap(({ slug, entry }) =>
    entry.evidence
      .filter(({ sources }) => sources.some((ref) => refs.has(ref)))
      .map(({ topic }) => ({ vertical: `${slug}-${topic}`, supplement: slug, topic })),
  );
