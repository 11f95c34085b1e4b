/** Counts the entries, claims and citations of each kind of content. */
import type { Offers, ReviewedFile } from './rules.ts';

export interface KindCounts {
  readonly kind: string;
  readonly entries: number;
  readonly words: number;
  readonly claims: number;
  readonly citations: number;
  /** Claims whose best source is of tier A or B; `graded` counts those that cite a graded source. */
  readonly strong: number;
  readonly graded: number;
  readonly unsourced: number;
}

export const wordsOf = (text: string): number => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’.,-]*/gu)?.length ?? 0;

const countsOf = (kind: string, files: readonly ReviewedFile[], offers: Offers): KindCounts => {
  const passages = files.flatMap(({ passages: of }) => of);
  const claims = passages.filter(({ role }) => role === 'claim');
  const tiers = claims
    .map(({ cites }) => cites.flatMap((id) => offers.get(id)?.tier ?? []).sort()[0])
    .filter((tier) => tier !== undefined);
  return {
    kind,
    entries: files.reduce((sum, { entries }) => sum + entries, 0),
    words: files.reduce((sum, { words }) => sum + words, 0),
    claims: claims.length,
    citations: claims.reduce((sum, { cites }) => sum + cites.length, 0),
    strong: tiers.filter((tier) => tier <= 'B').length,
    graded: tiers.length,
    unsourced: claims.filter(({ cites, unfounded = [] }) => !cites.length || unfounded.length).length,
  };
};

export const countByKind = (files: readonly ReviewedFile[], offers: Offers): KindCounts[] =>
  [...Map.groupBy(files, ({ kind }) => kind)].map(([kind, of]) => countsOf(kind, of, offers));

const number = (value: number): string => value.toLocaleString('en-GB');

/** Returns the lines of a Markdown table, which can be pasted into a note. */
export const countsTable = (counts: readonly KindCounts[]): string[] => [
  '| kind | entries | words | claims | citations a claim | claims on tier A or B | claims without a source |',
  '| --- | --- | --- | --- | --- | --- | --- |',
  ...counts.map(({ kind, entries, words, claims, citations, strong, graded, unsourced }) => {
    const perClaim = claims ? (citations / claims).toFixed(2) : '';
    const share = graded ? `${Math.round((100 * strong) / graded)} % of ${number(graded)}` : '';
    return `| ${kind} | ${number(entries)} | ${number(words)} | ${number(claims)} | ${perClaim} | ${share} | ${unsourced} |`;
  }),
];
