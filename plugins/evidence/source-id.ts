import { createHash } from 'node:crypto';
import type { SourceRecord } from './source-record.ts';

/** Returns the permanent id of a new source, from its best identifier; the id is opaque to clients. */
export const newSourceId = ({ pmid, doi, nctId }: Pick<SourceRecord, 'pmid' | 'doi' | 'nctId'>): string => {
  if (pmid) return `pmid-${pmid}`;
  if (doi) return `doi-${createHash('sha256').update(doi).digest('hex').slice(0, 16)}`;
  return `nct-${nctId}`;
};

/** Returns the key of a record within its origin; "" when it has no identifier. */
export const originKey = ({ pmid, doi, nctId }: Pick<SourceRecord, 'pmid' | 'doi' | 'nctId'>): string =>
  pmid || doi || nctId;

/** Parses a reference as content/ writes it: `pmid:1`, `doi:10.…`, `nct:NCT…`. */
export const parseSourceRef = (ref: string): { kind: 'pmid' | 'doi' | 'nct'; id: string } => {
  const at = ref.indexOf(':');
  return { kind: ref.slice(0, at) as 'pmid', id: ref.slice(at + 1) };
};

export const isRegistryRecord = ({ pmid, doi, nctId }: Pick<SourceRecord, 'pmid' | 'doi' | 'nctId'>): boolean =>
  !pmid && !doi && nctId !== '';
