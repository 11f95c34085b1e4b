/**
 * A limit for what anybody may ask without a key and without a limit of its own: pages that are made live, addresses that
 * do not exist, public routes. What is published is not counted, nor is the health of the service.
 */
import type { Config } from '../config.ts';
import { quotaAddress } from './client-address.ts';
import { isCounted } from './live-paths.ts';
import type { HttpContext } from './request-state.ts';
import { createLocalThrottle } from './throttle.ts';

/** @throws AppError 429 when the address has asked too often in this minute. */
export type LiveLimit = (ctx: Pick<HttpContext, 'path' | 'state'>) => Promise<void>;

export const createLiveLimit = (config: Pick<Config, 'integer'>): LiveLimit => {
  const throttle = createLocalThrottle();
  const rule = { bucket: 'live', perMinute: config.integer('LIVE_RPM') };
  return async ({ path, state }) => {
    if (isCounted(path)) await throttle(rule, quotaAddress(state.address));
  };
};
