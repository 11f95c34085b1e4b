/** The port through which features open search indexes, whichever backend the operator has chosen. */
import type { SearchIndex } from './port.ts';

export interface OpenOptions {
  /** Weight of each text field; text of other fields is not indexed. */
  readonly fields: Readonly<Record<string, number>>;
  /** Source of the documents: the id of the database, and the version of the code that builds documents from its rows. */
  readonly corpus?: { readonly id: string; readonly feed: string };
}

/** Opens a named index; the operator chooses the backend, not the feature. */
export interface SearchFactory {
  /** Whether indexes of different corpora are separate, so that `open` never returns another corpus's index. */
  readonly perCorpus?: boolean;
  open(name: string, options: OpenOptions): Promise<SearchIndex>;
}
