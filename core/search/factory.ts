import type { SearchIndex } from './port.ts';

export interface OpenOptions {
  /** Weight of each text field; text of other fields is not indexed. */
  readonly fields: Readonly<Record<string, number>>;
  /** What the documents come from: the database's own name, and the version of how they are made of its rows. */
  readonly corpus?: { readonly id: string; readonly feed: string };
}

/** Opens a named index; the backend is the operator's choice, not the feature's. */
export interface SearchFactory {
  /** Whether indexes are kept apart by their corpus, so that `open` never gives that of another one. */
  readonly perCorpus?: boolean;
  open(name: string, options: OpenOptions): Promise<SearchIndex>;
}
