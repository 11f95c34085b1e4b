/**
 * Limits the total size of request bodies that are stored concurrently, with one budget for memory and one for files on
 * disk. Without it, about a hundred clients that never finish their bodies fill the memory of the process, and a few
 * large concurrent uploads make each other miss their deadlines.
 */
import { coreErrors } from '../errors.ts';
import { quotaAddress } from './client-address.ts';

/** Divisor of the budget for one address, so that it cannot use the whole budget. */
const SHARE = 4;
/** Approximate time to receive and encrypt 100 MB, in seconds. */
const UPLOAD_RETRY_SECONDS = 20;

/** The bytes charged to one request. */
export interface BodyAccount {
  /** Charges bytes. @throws AppError 503 when all requests, or those of this address, would exceed their limit */
  add(bytes: number): void;
  /**
   * Checks an announced size without reserving it, because clients that announce much and send nothing would use up the
   * budget.
   * @throws AppError 503 when so many bytes would not fit now, so that the client does not send them in vain
   */
  announce(bytes: number): void;
  /** Releases all bytes and ignores further charges; safe to call twice. */
  close(): void;
}

export interface BodyBudget {
  open(address: string): BodyAccount;
  /** Returns the number of bytes in use. */
  held(): number;
}

/** Creates a budget. @param retrySeconds the Retry-After time of rejected requests, in seconds */
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
 * Creates the budgets for files on disk; routes with the same limit share one. An address may always send the largest
 * upload of a route, whatever `leastBytes` is.
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
