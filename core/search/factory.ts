import type { SearchIndex } from './port.ts';

/** Opens a named index; the backend is the operator's choice, not the feature's. */
export interface SearchFactory {
  open(name: string, options: { readonly fields: Readonly<Record<string, number>> }): Promise<SearchIndex>;
}
