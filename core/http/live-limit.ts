/**
 * A limit for what anybody may ask without a key and without a limit of its own: pages that are made live, addresses that
 * do not exist, public routes. What is published is not counted, nor is the health of the service.
 */
import { setImmediate } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { quotaAddress } from './client-address.ts';
import { isCounted } from './live-paths.ts';
import type { HttpContext } from './request-state.ts';
import { createLocalThrottle } from './throttle.ts';

/**
 * One live request begins in each turn of the event loop: published pages are answered in between, where they would
 * otherwise wait for all that came together.
 */
const createTurns = () => {
  let last: Promise<unknown> = Promise.resolve();
  return (): Promise<unknown> => {
    last = last.then(() => setImmediate());
    return last;
  };
};

/** @throws AppError 429 when the address has asked too often in this minute. */
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
