/**
 * Limits requests that need no key and have no limit of their own: live pages, addresses that do not exist, public routes.
 * Published pages and the health check are not counted.
 */
import { createConcurrencyLimit } from '../concurrency-limit.ts';
import type { Config } from '../config.ts';
import { coreErrors } from '../errors.ts';
import type { Database } from '../plugin.ts';
import { quotaAddress } from './client-address.ts';
import type { NextTurn } from './event-loop-turns.ts';
import { isCounted } from './live-paths.ts';
import type { HttpContext } from './request-state.ts';
import { createLocalThrottle } from './throttle.ts';

/**
 * Number of live pages that are built at the same time. A page alternates between queries and computation; with many pages at
 * once the computations of all of them run in one iteration of the event loop, and published pages wait for it. The embedded
 * database computes in this process, so more pages at once would not be built faster; a server answers while others compute.
 */
const PAGES_AT_ONCE = { pglite: 2, postgresql: 8 } as const;
const PAGES_WAITING = 500;
const RETRY_SECONDS = 2;

interface Limited {
  readonly config: Pick<Config, 'integer'>;
  readonly db: Pick<Database, 'kind'>;
}

type Asking = Pick<HttpContext, 'path' | 'state'>;

export interface LiveLimit {
  /** Counts a request and waits for its turn. @throws AppError 429 when the address made too many requests in this minute */
  count(ctx: Asking): Promise<void>;
  /** Builds a live page when few enough are being built, and stops counting it when its request ends. @throws AppError 503 when too many wait */
  build<T>(ctx: Pick<HttpContext, 'state'>, page: () => Promise<T>): Promise<T>;
}

export const createLiveLimit = ({ config, db }: Limited, nextTurn: NextTurn): LiveLimit => {
  const throttle = createLocalThrottle();
  const rule = { bucket: 'live', perMinute: config.integer('LIVE_RPM') };
  const acquire = createConcurrencyLimit({
    atOnce: PAGES_AT_ONCE[db.kind],
    waiting: PAGES_WAITING,
    refuse: () =>
      coreErrors.reduced_capacity(
        {},
        { headers: { 'Retry-After': String(RETRY_SECONDS) }, body: { retry_after: RETRY_SECONDS } },
      ),
  });
  return {
    count: async ({ path, state }) => {
      if (!isCounted(path)) return;
      await throttle(rule, quotaAddress(state.address));
      await nextTurn();
    },
    build: async ({ state }, page) => {
      const release = await acquire(state.signal);
      state.signal.addEventListener('abort', release, { once: true });
      try {
        return await page();
      } finally {
        release();
      }
    },
  };
};
