/** Identifies the caller and limits concurrent questions; shared by the routes of answers. */
import type { Counters } from '#core/counters/counters.ts';
import { coreErrors } from '#core/errors.ts';
import { quotaAddress } from '#core/http/client-address.ts';
import type { Context } from '#core/plugin.ts';

/** Rate limit for asking, in addition to the quota, because asking costs more than reading. */
export const KEY_THROTTLE = { bucket: 'ask', perMinute: 10 } as const;
export const VISITOR_THROTTLE = { bucket: 'ask', perMinute: 5, perDay: 50 } as const;
const KEY_AT_ONCE = 2;
const VISITOR_AT_ONCE = 1;

type Calling = Pick<Context, 'principal' | 'device'>;

export const ownerOfHolder = (holderId: string): string => `key:${holderId}`;
export const deviceOwner = (device: string): string => `device:${device}`;

/** Returns the owner of an answer: the key, otherwise the device, or an empty string for a caller with neither. */
export const ownerOf = ({ principal, device }: Calling): string => {
  if (principal.kind === 'key') return ownerOfHolder(principal.holderId);
  return device ? deviceOwner(device) : '';
};

/** Questions in progress, by key or address, across all nodes. */
export interface Slots {
  /**
   * Takes a slot and returns a function that releases it; repeated calls of that function have no effect.
   * @throws AppError 429, bucket `ask`.
   */
  take(caller: Calling): Promise<() => void>;
}

const tooMany = (limit: number) =>
  coreErrors.quota_exceeded(
    { bucket: 'ask', used: limit + 1, limit },
    { headers: { 'Retry-After': '2' }, body: { 'violated-policies': ['ask'], retry_after: 2 } },
  );

export const createSlots = ({ places, nameOf }: Counters): Slots => ({
  take: async ({ principal }) => {
    const byKey = principal.kind === 'key';
    const subject = byKey ? principal.holderId : quotaAddress(principal.address);
    const limit = byKey ? KEY_AT_ONCE : VISITOR_AT_ONCE;
    const release = await places.take(`ask:${nameOf(subject)}`, limit);
    if (!release) throw tooMany(limit);
    return release;
  },
});
