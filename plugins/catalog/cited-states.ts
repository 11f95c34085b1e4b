/** State of cited sources, for the versions of pages: the row of each id, and its revision. */

import type { EntityManager } from '@mikro-orm/postgresql';
import { findRows } from '#core/db/find-rows.ts';
import { Source, type SourceRow, whereCited } from '#plugins/evidence/index.ts';

export type CitedState = Pick<SourceRow, 'sourceId' | 'pmid' | 'doi' | 'nctId' | 'revision' | 'updatedAt'>;

export const readCitedStates = async (em: EntityManager, refs: readonly string[]): Promise<readonly CitedState[]> => {
  if (!refs.length) return [];
  return findRows<CitedState>(em, Source, whereCited(refs), {
    fields: ['sourceId', 'pmid', 'doi', 'nctId', 'revision', 'updatedAt'],
  });
};
