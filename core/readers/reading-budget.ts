/** How much processor time each sender's files took of late: who took least is served first, and who took too much waits. */
import type { Counters } from '../counters/counters.ts';
import { coreErrors } from '../errors.ts';
import { quotaAddress } from '../http/client-address.ts';
import type { Principal } from '../http/gatekeeper.ts';

export interface ReadingBudget {
  /** Returns names under which a request's reading is counted: of its address and of its device. Neither can be read back. */
  sendersOf(principal: Principal, device: string | null): Senders;
  spend(senders: readonly string[], processorSeconds: number): void;
  /** Returns the most that any of them has spent, in seconds. */
  spentBy(senders: readonly string[]): number;
  /** @throws AppError 429 when one of them has used up its budget */
  refuseOverspent(senders: readonly string[]): void;
  /** Returns those that have spent most, in seconds, to order a queue by. */
  spenders(): Readonly<Record<string, number>>;
}

export interface Senders {
  readonly address: string;
  /** Address and device. */
  readonly all: readonly string[];
}

/** Processor seconds for one address or device: enough for three reports that each use the whole time limit of a reading. */
export const BUDGET_SECONDS = 900;
const REGAINED_IN_SECONDS = 3_600;
const REGAINED_PER_MS = BUDGET_SECONDS / REGAINED_IN_SECONDS / 1000;
const MOST_NAMES = 10_000;
const MOST_SPENDERS = 1_000;

interface Account {
  readonly seconds: number;
  /** When it was that, by `now`. */
  readonly at: number;
}

/** Counted in this process: each node of an installation has its own readers, and counts what they do. */
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
