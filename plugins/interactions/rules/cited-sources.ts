/** The sources that rules cite: looked up in the base, where they may have a grade, or shown as the rule names them. */

import type { EntityManager } from '@mikro-orm/postgresql';
import { findRows } from '#core/db/find-rows.ts';
import { addressOf, Source, type SourceRow, TIERS, type Tier, whereCited } from '#plugins/evidence/index.ts';
import type { Origin } from '#plugins/vocabulary/index.ts';
import type { RuleSource } from './schemas.ts';

export const EVIDENCE_BASES = ['graded', 'authority', 'reference', 'practice'] as const;
export type EvidenceBasis = (typeof EVIDENCE_BASES)[number];

export interface CitedSource {
  /**
   * `graded`: in the base. `authority`: a page by name and address. `reference`: a title only. `practice`: general professional
   * knowledge, pending a source.
   */
  readonly kind: EvidenceBasis;
  /** The row of the base; null for the other kinds. */
  readonly row: SourceRow | null;
  readonly given: RuleSource;
}

type Identified = Pick<SourceRow, 'sourceId' | 'pmid' | 'doi' | 'nctId'>;

const refOf = ({ ref, pmid }: RuleSource): string => (ref ?? (pmid ? `pmid:${pmid}` : '')).toLowerCase();

const refsOfRow = ({ pmid, doi, nctId }: Identified): string[] =>
  [pmid && `pmid:${pmid}`, doi && `doi:${doi.toLowerCase()}`, nctId && `nct:${nctId.toLowerCase()}`].filter(Boolean);

/** Which of some refs the base holds, in lower case. */
export const readRefs = async (em: EntityManager, refs: readonly string[]): Promise<ReadonlySet<string>> => {
  if (!refs.length) return new Set();
  const fields = ['sourceId', 'pmid', 'doi', 'nctId'] as const;
  const rows = await findRows<SourceRow>(em, Source, whereCited(refs), { fields });
  return new Set(rows.flatMap(refsOfRow));
};

const kindOf = ({ authority, practice }: RuleSource): EvidenceBasis => {
  if (authority) return 'authority';
  return practice ? 'practice' : 'reference';
};

export type SourceFinder = (given: RuleSource) => CitedSource;

/** Reads every cited source at once; what the base does not hold stays as the rule names it. */
export const readCitedSources = async (em: EntityManager, cited: readonly RuleSource[]): Promise<SourceFinder> => {
  const refs = cited.map(refOf).filter(Boolean);
  const found = refs.length ? await findRows<SourceRow>(em, Source, whereCited(refs)) : [];
  const rows = found.toSorted((a, b) => (a.sourceId < b.sourceId ? -1 : 1));
  const byRef = new Map<string, SourceRow>();
  for (const row of rows) for (const ref of refsOfRow(row)) if (!byRef.has(ref)) byRef.set(ref, row);
  return (given) => {
    const row = byRef.get(refOf(given)) ?? null;
    return { kind: row ? 'graded' : kindOf(given), row, given };
  };
};

const stands = ({ row }: CitedSource): boolean => row?.retractionStatus !== 'retracted';

/** Best tier of the sources that are in the base and stand. D without any: no graded study is behind the rule. */
export const tierOf = (sources: readonly CitedSource[]): Tier => {
  const tiers = new Set(sources.filter(stands).flatMap(({ row }) => (row ? [row.qualityTier] : [])));
  return TIERS.find((tier) => tiers.has(tier)) ?? 'D';
};

/** What the best of the sources is. */
export const basisOf = (sources: readonly CitedSource[]): EvidenceBasis => {
  const kinds = new Set(sources.filter(stands).map(({ kind }) => kind));
  return EVIDENCE_BASES.find((kind) => kinds.has(kind)) ?? 'reference';
};

export const PRACTICE_WORDS = 'General professional knowledge, pending a source';

/** How the statement came to this base; what an editor entered wins over what its sources say by themselves. */
export const originOf = (given: Origin | undefined, sources: readonly CitedSource[]): Origin => {
  if (given) return given;
  if (sources.every(({ kind }) => kind === 'practice')) return 'practice';
  if (sources.every(({ given: source }) => source.quote)) return 'label';
  return sources.some((source) => stands(source) && source.row?.read) ? 'opened' : 'data_file';
};

/** A source in the API: the members of the contract, then where it stands. What is absent is "", the year null. */
export const sourceJson = ({ kind, row, given }: CitedSource) => ({
  source_id: row?.sourceId ?? '',
  pmid: row?.pmid || (given.pmid ?? ''),
  doi: row?.doi || (given.doi ?? ''),
  title: row?.title ?? given.title ?? given.authority ?? (given.practice ? PRACTICE_WORDS : ''),
  year: row?.year ?? given.year ?? null,
  quality_tier: row?.qualityTier ?? '',
  quote: given.quote ?? '',
  section: given.section ?? '',
  date: given.date ?? '',
  kind,
  journal: row?.journal ?? given.journal ?? '',
  authority: given.authority ?? '',
  url: urlOf({ kind, row, given }),
  retraction_status: row?.retractionStatus ?? '',
  summary: row?.retractionStatus === 'retracted' ? '' : (row?.summary ?? ''),
});

export const urlOf = ({ row, given }: CitedSource): string => {
  if (row) return addressOf(row);
  if (given.practice) return '';
  return given.address ?? addressOf({ pmid: given.pmid ?? '', doi: given.doi ?? '', nctId: '' });
};
