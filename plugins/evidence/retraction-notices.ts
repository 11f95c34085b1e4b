/** Retraction lists and notices: kept by identifier, for sources that are in and those that come later. */
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
 * Keeps the notices for records that come later, and touches the sources that are here already. Notices on one article
 * come from several lists and in any order: none lowers what another said, only a reinstatement takes it back.
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

/** The names under which lists speak of an article. */
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

/** The sources behind `pmid:…` and `doi:…`. */
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

/** What the lists say of the given articles, as a function of the records of one source. */
export const loadNotices = async (em: EntityManager, records: ReadonlyMap<string, readonly SourceRecord[]>) => {
  const statusOf = await loadStatuses(em, [...records.values()].flat());
  return (mine: readonly SourceRecord[]): RetractionStatus[] =>
    present(mine.flatMap(identifiersOf)).flatMap((identifier) => statusOf.get(identifier) ?? []);
};
