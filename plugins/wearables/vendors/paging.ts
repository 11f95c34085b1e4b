/** Fetches paginated responses. */
import type { Json } from './reading.ts';
import { VendorError } from './vendor-error.ts';

/** Maximum number of pages; more indicate a cycle. */
const MOST_PAGES = 200;
const MOST_ITEMS = 100_000;

export interface PageOf {
  readonly items: readonly Json[];
  /** Token of the next page; "" at the end. */
  readonly next: string;
}

/**
 * Returns the items of all pages.
 * @throws VendorError when the limit is reached, because partial data would pass for complete data
 */
export const allPages = async (page: (token: string | undefined) => Promise<PageOf>): Promise<readonly Json[]> => {
  const all: Json[] = [];
  let token: string | undefined;
  for (let count = 0; count < MOST_PAGES; count += 1) {
    const { items, next } = await page(token);
    for (const item of items) all.push(item);
    if (all.length > MOST_ITEMS) break;
    if (!next || next === token) return all;
    token = next;
  }
  throw new VendorError('unreadable');
};
