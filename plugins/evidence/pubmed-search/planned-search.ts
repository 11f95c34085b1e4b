import { createHash } from 'node:crypto';
import type { Search } from '../importers/eutilities.ts';

/** One search, with its own line in the summary: a query for PubMed, or a list of PMIDs from a file or the database. */
export type PlannedSearch =
  | { readonly label: string; readonly search: Search }
  | { readonly label: string; readonly pmids: readonly string[] };

/** Returns a digest of the searches, which identifies an interrupted run. */
export const identify = (searches: readonly PlannedSearch[]): string =>
  createHash('sha256').update(JSON.stringify(searches)).digest('hex').slice(0, 32);
