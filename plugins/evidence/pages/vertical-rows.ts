/** Reads the sources of one question: a few columns of all of them, and full rows only of those shown. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { Source } from '../entities.ts';
import type { SourceRow } from '../source-view.ts';
import type { BalanceRow } from './balance.ts';
import type { PageQuestion } from './basis-words.ts';
import { byStrength, type SourceView, sourceViewOn } from './views.ts';

/** Columns required for balance, gaps and order. */
export type LightRow = BalanceRow &
  Pick<SourceRow, 'sourceId' | 'pmid' | 'doi' | 'nctId' | 'qualityScore' | 'updatedAt'>;

const LIGHT = `select s.source_id as "sourceId", s.pmid, s.doi, s.nct_id as "nctId", s.quality_score as "qualityScore", s.quality_tier as "qualityTier",
  s.effect_direction as "effectDirection", s.species, s.retraction_status as "retractionStatus",
  s.evidence_level as "evidenceLevel", s.sample_size_n as "sampleSizeN", s.year, s.funding, s.read, s.basis,
  s.source_class as "sourceClass", extract(epoch from s.updated_at) * 1000 as at
  from evidence_vertical v join evidence_source s on s.source_id = v.source_id
  where v.vertical = ? and s.removed_at is null`;

/** Returns the sources of a question, strongest first, without removed ones. */
export const readRows = async (em: EntityManager, vertical: string): Promise<readonly LightRow[]> => {
  const rows = (await em.execute(LIGHT, [vertical])) as unknown as readonly (LightRow & { at: string })[];
  return rows
    .map(({ at, ...row }) => ({ ...row, qualityScore: Number(row.qualityScore), updatedAt: new Date(Number(at)) }))
    .sort(byStrength);
};

const idsOf = (rows: readonly LightRow[]) => ({ sourceId: { $in: rows.map(({ sourceId }) => sourceId) } });

/** Reads sources with summary or abstract, strongest first. */
export const readFull = async (
  em: EntityManager,
  rows: readonly LightRow[],
  question: PageQuestion,
): Promise<SourceView[]> => {
  if (!rows.length) return [];
  const full = (await em.find(Source, idsOf(rows), { disableIdentityMap: true })) as unknown as SourceRow[];
  return full.toSorted(byStrength).map(sourceViewOn(question));
};

/** Columns required for one line of a reference list; long texts are not read. */
const LINE = [
  'sourceId',
  'pmid',
  'doi',
  'nctId',
  'title',
  'authors',
  'journal',
  'year',
  'volume',
  'issue',
  'pages',
  'retractionStatus',
  'sourceClass',
  'evidenceLevel',
  'breakdown',
  'qualityScore',
  'qualityTier',
  'sampleSize',
  'sampleSizeN',
  'population',
  'species',
  'effectDirection',
  'funding',
  'read',
  'basis',
  'findings',
  'details',
  'supplements',
  'topics',
  'supersededBy',
] as const;

/** Reads sources without texts, strongest first. */
export const readLines = async (
  em: EntityManager,
  rows: readonly LightRow[],
  question: PageQuestion,
): Promise<SourceView[]> => {
  if (!rows.length) return [];
  const lines = await em.find(Source, idsOf(rows), { fields: [...LINE], disableIdentityMap: true });
  const whole = lines.map((line) => ({ ...line, abstract: '', summary: '', license: '' }) as unknown as SourceRow);
  return whole.toSorted(byStrength).map(sourceViewOn(question));
};
