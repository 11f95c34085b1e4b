/**
 * Limits requests that need no key and have no limit of their own: live pages, addresses that do not exist, public routes.
 * Published pages and the health check are not counted.
 */
import { setImmediate } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { quotaAddress } from './client-address.ts';
import { isCounted } from './live-paths.ts';
import type { HttpContext } from './request-state.ts';
import { createLocalThrottle } from './throttle.ts';

/**
 * Returns a function that starts one live request per iteration of the event loop, so that published pages are answered in
 * between instead of after all requests that arrived together.
 */
const createTurns = () => {
  let last: Promise<unknown> = Promise.resolve();
  return (): Promise<unknown> => {
    last = last.then(() => setImmediate());
    return last;
  };
};

/** Counts a request and waits for its turn. @throws AppError 429 when the address made too many requests in this minute */
export type LiveLimit = (ctx: Pick<HttpContext, 'path' | 'state'>) => Promise<void>;

export const createLiveLimit = (config: Pick<Config, 'integer'>): LiveLimit => {
  const throttle = createLocalThrottle();
  const turn = createTurns();
  const rule = { bucket: 'live', perMinute: config.integer('LIVE_RPM') };
  return async ({ path, state }) => {
    if (!isCounted(path)) return;
    await throttle(rule, quotaAddress(state.address));
    await turn();
  };
};
