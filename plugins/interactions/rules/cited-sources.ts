/** Sources that rules cite: looked up in the database, where they may have a grade, or shown as the rule gives them. */

import type { EntityManager } from '@mikro-orm/postgresql';
import { findRows } from '#core/db/find-rows.ts';
import { addressOf, Source, type SourceRow, TIERS, type Tier, whereCited } from '#plugins/evidence/index.ts';
import type { Origin } from '#plugins/vocabulary/index.ts';
import type { RuleSource } from './schemas.ts';

export const EVIDENCE_BASES = ['graded', 'authority', 'reference', 'practice'] as const;
export type EvidenceBasis = (typeof EVIDENCE_BASES)[number];

export interface CitedSource {
  /**
   * `graded`: in the database. `authority`: a page by name and address. `reference`: a title only. `practice`: general
   * professional knowledge, pending a source.
   */
  readonly kind: EvidenceBasis;
  /** The row of the database; null for the other kinds. */
  readonly row: SourceRow | null;
  readonly given: RuleSource;
}

type Identified = Pick<SourceRow, 'sourceId' | 'pmid' | 'doi' | 'nctId'>;

const refOf = ({ ref, pmid }: RuleSource): string => (ref ?? (pmid ? `pmid:${pmid}` : '')).toLowerCase();

const refsOfRow = ({ pmid, doi, nctId }: Identified): string[] =>
  [pmid && `pmid:${pmid}`, doi && `doi:${doi.toLowerCase()}`, nctId && `nct:${nctId.toLowerCase()}`].filter(Boolean);

/** Returns those of the given refs that are in the database, in lower case. */
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

/** Reads every cited source in one query; a source that is not in the database is returned as the rule gives it. */
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

/**
 * Returns the best tier of the sources that are in the database and not retracted; "D" if there are none, as no graded study
 * supports the rule.
 */
export const tierOf = (sources: readonly CitedSource[]): Tier => {
  const tiers = new Set(sources.filter(stands).flatMap(({ row }) => (row ? [row.qualityTier] : [])));
  return TIERS.find((tier) => tiers.has(tier)) ?? 'D';
};

/** Returns the kind of the best source. */
export const basisOf = (sources: readonly CitedSource[]): EvidenceBasis => {
  const kinds = new Set(sources.filter(stands).map(({ kind }) => kind));
  return EVIDENCE_BASES.find((kind) => kinds.has(kind)) ?? 'reference';
};

export const PRACTICE_WORDS = 'General professional knowledge, pending a source';

/**
 * Returns how the statement came into the database; an editor's entry takes precedence over the origin that the sources imply.
 */
export const originOf = (given: Origin | undefined, sources: readonly CitedSource[]): Origin => {
  if (given) return given;
  if (sources.every(({ kind }) => kind === 'practice')) return 'practice';
  if (sources.every(({ given: source }) => source.quote)) return 'label';
  return sources.some((source) => stands(source) && source.row?.read) ? 'opened' : 'data_file';
};

/** Builds a source for the API: the members of the contract, then its location. Absent values are "", an absent year is null. */
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
