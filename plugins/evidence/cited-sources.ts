/** Finds sources by the ids with which entries cite them. */

import type { EntityManager } from '@mikro-orm/postgresql';
import { findRows } from '#core/db/find-rows.ts';
import { Source } from './entities.ts';
import { parseSourceRef } from './source-id.ts';
import type { SourceRow } from './source-view.ts';

type Identified = Pick<SourceRow, 'sourceId' | 'pmid' | 'doi' | 'nctId'>;

const idsOf = (refs: readonly string[], kind: 'pmid' | 'doi' | 'nct'): string[] => [
  ...new Set(
    refs
      .map(parseSourceRef)
      .filter((ref) => ref.kind === kind)
      .map(({ id }) => (kind === 'doi' ? id.toLowerCase() : id.toUpperCase())),
  ),
];

/** Builds the condition that matches the stored sources cited by some references. */
export const whereCited = (refs: readonly string[]) => ({
  $or: [
    { pmid: { $in: idsOf(refs, 'pmid') } },
    { doi: { $in: idsOf(refs, 'doi') } },
    { nctId: { $in: idsOf(refs, 'nct') } },
  ],
  removedAt: null,
});

const rank = (row: Identified): string => `${row.pmid || row.doi ? 1 : 0} ${row.sourceId}`;

/**
 * Returns a function that finds the source of a reference. A trial number means the registry's own record rather than an article
 * that names it.
 */
export const sourceFinder = <R extends Identified>(rows: readonly R[]) => {
  const byRef = new Map<string, R>();
  for (const row of rows.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))) {
    for (const ref of [row.pmid && `pmid:${row.pmid}`, row.doi && `doi:${row.doi}`, row.nctId && `nct:${row.nctId}`]) {
      if (ref && !byRef.has(ref)) byRef.set(ref, row);
    }
  }
  return (ref: string): R | null => byRef.get(ref.startsWith('doi:') ? ref.toLowerCase() : ref) ?? null;
};

export const readCited = (em: EntityManager, refs: readonly string[]): Promise<readonly SourceRow[]> =>
  findRows<SourceRow>(em, Source, whereCited(refs), { orderBy: { sourceId: 'asc' } });

/** Returns the sources in no particular order. */
export const readSources = (em: EntityManager, ids: readonly string[]): Promise<readonly SourceRow[]> =>
  findRows<SourceRow>(em, Source, { sourceId: { $in: [...ids] }, removedAt: null });
