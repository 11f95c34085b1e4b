/**
 * A limit for the bytes of request bodies that lie in memory, over all requests together. Without it, some hundred senders
 * who begin a body and never end it fill the memory of the process.
 */
import { coreErrors } from '../errors.ts';
import { quotaAddress } from './client-address.ts';

/** One address may use this share of the budget, so that it cannot turn everybody else away. */
const SHARE = 4;
const RETRY_SECONDS = 5;

/** What one request holds. */
export interface BodyAccount {
  /** @throws AppError 503 when all requests together, or those of this address, would hold too much. */
  add(bytes: number): void;
  /** Gives everything back; safe to call twice. */
  close(): void;
}

export interface BodyBudget {
  open(address: string): BodyAccount;
  /** Bytes that requests hold now. */
  held(): number;
}

const full = () =>
  coreErrors.reduced_capacity(
    {},
    { headers: { 'Retry-After': String(RETRY_SECONDS) }, body: { retry_after: RETRY_SECONDS } },
  );

export const createBodyBudget = (totalBytes: number): BodyBudget => {
  const byAddress = new Map<string, number>();
  let held = 0;
  const change = (address: string, bytes: number): void => {
    held += bytes;
    const now = (byAddress.get(address) ?? 0) + bytes;
    if (now > 0) byAddress.set(address, now);
    else byAddress.delete(address);
  };
  return {
    held: () => held,
    open: (caller) => {
      const address = quotaAddress(caller);
      let own = 0;
      return {
        add: (bytes) => {
          const ofAddress = (byAddress.get(address) ?? 0) + bytes;
          if (held + bytes > totalBytes || ofAddress > totalBytes / SHARE) throw full();
          own += bytes;
          change(address, bytes);
        },
        close: () => {
          if (own) change(address, -own);
          own = 0;
        },
      };
    },
  };
};
