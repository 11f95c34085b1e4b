/** Waits for a service to load its starter content, and creates its first admin key. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, get, post } from './calls.ts';
import { SECRET } from './made.ts';

export interface Key {
  readonly id: string;
  readonly key: string;
}

export const bootstrap = (url: string): Promise<Key> =>
  ask<Key>(url, post('/api/keys', { name: 'bench', is_admin: true }, { 'X-Admin-Bootstrap': SECRET }));

const PATIENCE_SECONDS = 300;

/**
 * Waits until products are loaded and the index is built, which happens in the background of the running server.
 * @throws Error after five minutes.
 */
export const untilFilled = async (url: string, key: string): Promise<void> => {
  const authorization = { Authorization: `Bearer ${key}` };
  for (let tries = 0; tries < PATIENCE_SECONDS; tries += 1) {
    const [found, products] = await Promise.all([
      ask<{ results: readonly unknown[] }>(url, get('/v1/evidence/search?q=magnesium', authorization)).catch(
        () => null,
      ),
      ask<{ products: readonly unknown[] }>(url, get('/api/products?on_market=0')).catch(() => null),
    ]);
    if (found?.results.length && products?.products.length) return;
    await sleep(1_000);
  }
  throw new Error(`The service has no sources or no products after ${PATIENCE_SECONDS} s`);
};
