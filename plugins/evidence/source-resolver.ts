/** Finds the source that a record belongs to, whatever identifiers it and earlier records have. */

import type { EntityManager } from '@mikro-orm/postgresql';
import { findRows } from '#core/db/find-rows.ts';
import { Source } from './entities.ts';
import { isRegistryRecord, newSourceId } from './source-id.ts';
import type { SourceRecord } from './source-record.ts';

type Identifiers = Pick<SourceRecord, 'pmid' | 'doi' | 'nctId'>;
type FoundSource = Identifiers & { readonly sourceId: string };

const present = (values: readonly string[]): string[] => [...new Set(values.filter(Boolean))];

export interface SourceResolver {
  /** Returns the id of the source that a record belongs to; `kept` is the source of the record's earlier version, if any. */
  sourceOf(record: SourceRecord, kept: string | undefined): string;
  /** Sources that turned out to be the same, because a record has the PMID of one and the DOI of the other. */
  readonly doubles: ReadonlyMap<string, string>;
}

/**
 * Returns a resolver that finds the source of a record: by PMID; by DOI unless both have different PMIDs; a registry record by
 * its NCT number. Otherwise it creates an id, which later records of the batch can match too.
 */
export const sourceResolver = async (em: EntityManager, records: readonly SourceRecord[]): Promise<SourceResolver> => {
  const [pmids, dois] = [present(records.map(({ pmid }) => pmid)), present(records.map(({ doi }) => doi))];
  const ncts = present(records.filter(isRegistryRecord).map(({ nctId }) => nctId));
  const found = await findRows<FoundSource>(
    em,
    Source,
    { $or: [{ pmid: { $in: pmids } }, { doi: { $in: dois } }, { nctId: { $in: ncts }, pmid: '', doi: '' }] },
    { fields: ['sourceId', 'pmid', 'doi', 'nctId'] },
  );
  const byPmid = new Map<string, string>();
  const byDoi = new Map<string, { sourceId: string; pmid: string }>();
  const byNct = new Map<string, string>();
  const doubles = new Map<string, string>();
  const learn = (sourceId: string, { pmid, doi, nctId }: Identifiers): void => {
    if (pmid) byPmid.set(pmid, sourceId);
    if (doi && !(byDoi.has(doi) && !pmid)) byDoi.set(doi, { sourceId, pmid });
    if (isRegistryRecord({ pmid, doi, nctId })) byNct.set(nctId, sourceId);
  };
  for (const source of found) learn(source.sourceId, source);
  const sourceOf = (record: SourceRecord, kept: string | undefined): string => {
    const sameDoi = record.doi ? byDoi.get(record.doi) : undefined;
    const doiFits = sameDoi && (!sameDoi.pmid || !record.pmid || sameDoi.pmid === record.pmid);
    const existing =
      kept ||
      (record.pmid && byPmid.get(record.pmid)) ||
      (doiFits && sameDoi.sourceId) ||
      (isRegistryRecord(record) && byNct.get(record.nctId));
    const sourceId = existing || newSourceId(record);
    if (record.pmid && doiFits && !sameDoi.pmid && sameDoi.sourceId !== sourceId)
      doubles.set(sameDoi.sourceId, sourceId);
    learn(sourceId, record);
    return sourceId;
  };
  return { sourceOf, doubles };
};
