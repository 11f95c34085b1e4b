import type { Context } from '#core/plugin.ts';
import type { ExploreServices } from '../services.ts';
import { searchAll } from './search.ts';

/** A misspelt supplement and a misspelt medicine, so that the search builds every index of names and words. */
const QUERY = 'magnezium warfarine';

/**
 * Searches once, which builds the caches of search, names and interactions. That takes about a second, and every request to the
 * process would wait for it when the first reader searches.
 */
export const warmSearch = async (context: Context<ExploreServices>): Promise<void> => {
  await searchAll(context, { q: QUERY, type_filter: '', page: 1 });
};
