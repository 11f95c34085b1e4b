/**
 * A limit for the bytes of request bodies that the service has at one time, over all requests together: one for those in
 * memory, one for files on disk. Without it, some hundred senders who begin a body and never end it fill the memory of the
 * process, and a few large uploads at the same time make each other miss their deadline.
 */
import { coreErrors } from '../errors.ts';
import { quotaAddress } from './client-address.ts';

/** One address may use this share of a budget, so that it cannot turn everybody else away. */
const SHARE = 4;
/** A hundred megabytes are received and sealed in about so long. */
const UPLOAD_RETRY_SECONDS = 20;

/** What one request holds. */
export interface BodyAccount {
  /** @throws AppError 503 when all requests together, or those of this address, would hold too much. */
  add(bytes: number): void;
  /**
   * Reserves nothing: a sender who announces much and sends nothing would otherwise use up the budget.
   * @throws AppError 503 when so many bytes would not fit now, so that nobody sends them in vain
   */
  announce(bytes: number): void;
  /** Gives everything back, and counts nothing more; safe to call twice. */
  close(): void;
}

export interface BodyBudget {
  open(address: string): BodyAccount;
  /** Bytes that requests hold now. */
  held(): number;
}

/** @param retrySeconds how long whoever is refused is asked to wait */
export const createBodyBudget = (totalBytes: number, retrySeconds: number): BodyBudget => {
  const byAddress = new Map<string, number>();
  let held = 0;
  const change = (address: string, bytes: number): void => {
    held += bytes;
    const now = (byAddress.get(address) ?? 0) + bytes;
    if (now > 0) byAddress.set(address, now);
    else byAddress.delete(address);
  };
  const refuseAbove = (address: string, bytes: number): void => {
    if (held + bytes <= totalBytes && (byAddress.get(address) ?? 0) + bytes <= totalBytes / SHARE) return;
    throw coreErrors.reduced_capacity(
      {},
      { headers: { 'Retry-After': String(retrySeconds) }, body: { retry_after: retrySeconds } },
    );
  };
  return {
    held: () => held,
    open: (caller) => {
      const address = quotaAddress(caller);
      let own = 0;
      let isOpen = true;
      return {
        announce: (bytes) => refuseAbove(address, bytes),
        add: (bytes) => {
          if (!isOpen) return;
          refuseAbove(address, bytes);
          own += bytes;
          change(address, bytes);
        },
        close: () => {
          if (own) change(address, -own);
          own = 0;
          isOpen = false;
        },
      };
    },
  };
};

/**
 * Budgets for files on disk: routes with the same limit share one. An address may always send the largest upload of a route,
 * whatever `leastBytes` is.
 */
export const createUploadBudgets = (leastBytes: number): ((mostBytes: number) => BodyBudget) => {
  const budgets = new Map<number, BodyBudget>();
  return (mostBytes) => {
    const known = budgets.get(mostBytes);
    if (known) return known;
    const budget = createBodyBudget(Math.max(leastBytes, SHARE * mostBytes), UPLOAD_RETRY_SECONDS);
    budgets.set(mostBytes, budget);
    return budget;
  };
};
