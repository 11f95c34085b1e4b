/** Who asks, and how much at once: what the routes of answers share. */
import { coreErrors } from '#core/errors.ts';
import { quotaAddress } from '#core/http/client-address.ts';
import type { Context } from '#core/plugin.ts';

/** Asking costs more than reading: a limit of its own beside the quota. */
export const KEY_THROTTLE = { bucket: 'ask', perMinute: 10 } as const;
export const VISITOR_THROTTLE = { bucket: 'ask', perMinute: 5, perDay: 50 } as const;
const KEY_AT_ONCE = 2;
const VISITOR_AT_ONCE = 1;

type Calling = Pick<Context, 'principal' | 'device'>;

/** To whom an answer belongs: the key, else the device; "" for a caller with neither. */
export const ownerOf = ({ principal, device }: Calling): string => {
  if (principal.kind === 'key') return `key:${principal.keyId}`;
  return device ? `device:${device}` : '';
};

/** Questions that are being answered, by key or address, in this process. */
export interface Slots {
  /**
   * Takes a place; the answer gives it back, once however often it is called.
   * @throws AppError 429, bucket `ask`.
   */
  take(caller: Calling): () => void;
}

const tooMany = (limit: number) =>
  coreErrors.quota_exceeded(
    { bucket: 'ask', used: limit + 1, limit },
    { headers: { 'Retry-After': '2' }, body: { 'violated-policies': ['ask'], retry_after: 2 } },
  );

export const createSlots = (): Slots => {
  const taken = new Map<string, number>();
  return {
    take: ({ principal }) => {
      const byKey = principal.kind === 'key';
      const subject = byKey ? principal.keyId : quotaAddress(principal.address);
      const limit = byKey ? KEY_AT_ONCE : VISITOR_AT_ONCE;
      const now = taken.get(subject) ?? 0;
      if (now >= limit) throw tooMany(limit);
      taken.set(subject, now + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        const left = (taken.get(subject) ?? 1) - 1;
        if (left > 0) taken.set(subject, left);
        else taken.delete(subject);
      };
    },
  };
};
