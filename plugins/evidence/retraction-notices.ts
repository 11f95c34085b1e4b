/** Stores retraction lists and notices by identifier, for stored sources and for those imported later. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { bulkUpsert } from '#core/db/bulk.ts';
import { RetractionNotice, Source } from './entities.ts';
import { worstStatus } from './projection.ts';
import type { ImportEvent, RetractionStatus, SourceRecord } from './source-record.ts';

type Notice = Extract<ImportEvent, { type: 'retraction' }>;
type Identified = Pick<SourceRecord, 'pmid' | 'doi'>;
type NamedSource = Identified & { readonly sourceId: string };

const present = (values: readonly string[]): string[] => [...new Set(values.filter(Boolean))];

/**
 * Stores the notices for records imported later, and marks stored sources as touched. Notices on one article come from several
 * lists in any order: none lowers the status that another set, except a reinstatement, which clears it.
 */
export const applyNotices = async (
  em: EntityManager,
  notices: readonly Notice[],
  counts: { unchanged: number },
  touched: Set<string>,
): Promise<void> => {
  if (!notices.length) return;
  const known = await loadStatuses(em, notices);
  const standing = new Map<string, { identifier: string; status: RetractionStatus; reason: string }>();
  for (const notice of notices) {
    for (const identifier of identifiersOf(notice)) {
      const before = standing.get(identifier)?.status ?? known.get(identifier) ?? 'none';
      const status = notice.status === 'none' ? 'none' : worstStatus([before, notice.status]);
      if (status !== before || !standing.has(identifier))
        standing.set(identifier, { identifier, status, reason: notice.reason });
    }
  }
  const fresh = [...standing.values()].filter(({ identifier, status }) => known.get(identifier) !== status);
  await bulkUpsert(em, 'evidence_retraction', ['identifier'], fresh);
  const here = await loadNamed(
    em,
    fresh.map(({ identifier }) => identifier),
  );
  for (const { sourceId } of here) touched.add(sourceId);
  const changing = new Set(here.flatMap(identifiersOf));
  counts.unchanged += notices.filter((notice) => !identifiersOf(notice).some((id) => changing.has(id))).length;
};

/** Returns the identifiers by which lists refer to an article. */
const identifiersOf = ({ pmid, doi }: Identified): string[] => present([pmid && `pmid:${pmid}`, doi && `doi:${doi}`]);

const loadStatuses = async (
  em: EntityManager,
  articles: readonly Identified[],
): Promise<Map<string, RetractionStatus>> => {
  const identifiers = present(articles.flatMap(identifiersOf));
  if (!identifiers.length) return new Map();
  const rows = await em.find(RetractionNotice, { identifier: { $in: identifiers } }, { disableIdentityMap: true });
  return new Map(rows.map((row) => [row.identifier, row.status as RetractionStatus]));
};

/** Returns the sources with the identifiers `pmid:…` and `doi:…`. */
const loadNamed = async (em: EntityManager, identifiers: readonly string[]): Promise<readonly NamedSource[]> => {
  if (!identifiers.length) return [];
  const ids = (kind: string): string[] =>
    identifiers.flatMap((identifier) => (identifier.startsWith(kind) ? [identifier.slice(kind.length)] : []));
  return (await em.find(
    Source,
    { $or: [{ pmid: { $in: ids('pmid:') } }, { doi: { $in: ids('doi:') } }] },
    { fields: ['sourceId', 'pmid', 'doi'], disableIdentityMap: true },
  )) as unknown as readonly NamedSource[];
};

/** Returns a function that gives the listed statuses for the records of one source. */
export const loadNotices = async (em: EntityManager, records: ReadonlyMap<string, readonly SourceRecord[]>) => {
  const statusOf = await loadStatuses(em, [...records.values()].flat());
  return (mine: readonly SourceRecord[]): RetractionStatus[] =>
    present(mine.flatMap(identifiersOf)).flatMap((identifier) => statusOf.get(identifier) ?? []);
};
