/**
 * Tracks how much processor time each sender's files used recently: the sender with the least usage is served first, and one with
 * too much must wait.
 */
import type { Counters } from '../counters/counters.ts';
import { coreErrors } from '../errors.ts';
import { quotaAddress } from '../http/client-address.ts';
import type { Principal } from '../http/gatekeeper.ts';

export interface ReadingBudget {
  /**
   * Returns the names to which a request's usage is charged: pseudonyms of its address and of its device. Neither can be
   * reversed.
   */
  sendersOf(principal: Principal, device: string | null): Senders;
  spend(senders: readonly string[], processorSeconds: number): void;
  /** Returns the highest usage of any of them, in seconds. */
  spentBy(senders: readonly string[]): number;
  /**
   * Checks the budget.
   * @throws AppError 429 when one of them has used up its budget
   */
  refuseOverspent(senders: readonly string[]): void;
  /** Returns the usage of the heaviest users, in seconds, to order a queue by. */
  spenders(): Readonly<Record<string, number>>;
}

export interface Senders {
  readonly address: string;
  /** The pseudonyms of the address and the device. */
  readonly all: readonly string[];
}

/**
 * Budget of one address or device in processor seconds: enough for three reports that each use the whole time limit of a reading.
 */
export const BUDGET_SECONDS = 900;
const REGAINED_IN_SECONDS = 3_600;
const REGAINED_PER_MS = BUDGET_SECONDS / REGAINED_IN_SECONDS / 1000;
const MOST_NAMES = 10_000;
const MOST_SPENDERS = 1_000;

interface Account {
  readonly seconds: number;
  /** Time of that value, in the clock of `now`. */
  readonly at: number;
}

/** Creates a budget for this process: each node of an installation has its own readers and counts their usage. */
export const createReadingBudget = (
  { nameOf }: Pick<Counters, 'nameOf'>,
  now: () => number = () => performance.now(),
): ReadingBudget => {
  const accounts = new Map<string, Account>();
  const spentOf = (name: string): number => {
    const account = accounts.get(name);
    return account ? Math.max(0, account.seconds - (now() - account.at) * REGAINED_PER_MS) : 0;
  };
  const forgetIdle = (): void => {
    for (const name of accounts.keys()) if (spentOf(name) === 0) accounts.delete(name);
  };
  return {
    sendersOf: (principal, device) => {
      const address = nameOf(`reading:${quotaAddress(principal.address)}`);
      return { address, all: device === null ? [address] : [address, device] };
    },
    spend: (senders, seconds) => {
      if (accounts.size >= MOST_NAMES) forgetIdle();
      for (const name of senders) accounts.set(name, { seconds: spentOf(name) + seconds, at: now() });
    },
    spentBy: (senders) => Math.max(0, ...senders.map(spentOf)),
    refuseOverspent: (senders) => {
      const spent = Math.max(0, ...senders.map(spentOf));
      if (spent < BUDGET_SECONDS) return;
      const seconds = Math.ceil((spent - BUDGET_SECONDS) / REGAINED_PER_MS / 1000) + 60;
      throw coreErrors.quota_exceeded(
        { bucket: 'reading_seconds', used: Math.ceil(spent), limit: BUDGET_SECONDS },
        {
          headers: { 'Retry-After': String(seconds) },
          body: { 'violated-policies': ['reading_seconds'], retry_after: seconds },
        },
      );
    },
    spenders: () => {
      const spent = [...accounts.keys()].map((name) => [name, Math.floor(spentOf(name))] as const);
      return Object.fromEntries(
        spent
          .filter(([, seconds]) => seconds > 0)
          .sort(([, a], [, b]) => b - a)
          .slice(0, MOST_SPENDERS),
      );
    },
  };
};
