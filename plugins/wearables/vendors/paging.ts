/** Answers that come in pages. */
import type { Json } from './reading.ts';
import { VendorError } from './vendor-error.ts';

/** More would be a vendor that goes in circles. */
const MOST_PAGES = 200;
const MOST_ITEMS = 100_000;

export interface PageOf {
  readonly items: readonly Json[];
  /** What leads to the next page; "" at the end. */
  readonly next: string;
}

/**
 * Items of all pages.
 * @throws VendorTrouble when they have no end: half of the days would pass for all of them
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
