/**
 * A queue for requests that wait for a reader: at most one per sender runs concurrently, and the sender with the least usage goes
 * first.
 */
import { coreErrors } from '../errors.ts';
import type { ReadingBudget, Senders } from './reading-budget.ts';

export interface Turn {
  /** Charges processor seconds to its sender. */
  spent(seconds: number): void;
  /** Releases the permit to the next request; it is idempotent. */
  end(): void;
}

export interface ReadingTurns {
  /**
   * Waits for a permit.
   * @throws AppError 429 when the sender has used up its budget or has too many waiting requests, 503 when the queue is full; or
   *   the signal's reason when it aborts
   */
  take(senders: Senders, signal: AbortSignal): Promise<Turn>;
}

interface Waiting {
  readonly senders: Senders;
  readonly begin: () => void;
}

const MOST_OWN = 4;
const MOST_WAITING = 200;
const RETRY_SECONDS = 20;

const retry = { headers: { 'Retry-After': String(RETRY_SECONDS) } };

export const createReadingTurns = (budget: ReadingBudget, atOnce: number): ReadingTurns => {
  const under = new Set<Senders>();
  let waiting: readonly Waiting[] = [];
  const isUnder = ({ all }: Senders): boolean => [...under].some((one) => one.all.some((name) => all.includes(name)));
  const next = (): void => {
    while (under.size < atOnce) {
      const [first] = waiting
        .filter(({ senders }) => !isUnder(senders))
        .sort((a, b) => budget.spentBy(a.senders.all) - budget.spentBy(b.senders.all));
      if (!first) return;
      waiting = waiting.filter((one) => one !== first);
      under.add(first.senders);
      first.begin();
    }
  };
  return {
    take: (senders, signal) =>
      new Promise<Turn>((resolve, reject) => {
        budget.refuseOverspent(senders.all);
        const own = waiting.filter((one) => one.senders.address === senders.address).length;
        if (own >= MOST_OWN)
          throw coreErrors.quota_exceeded(
            { bucket: 'waiting_files', used: own + 1, limit: MOST_OWN },
            { ...retry, body: { 'violated-policies': ['waiting_files'], retry_after: RETRY_SECONDS } },
          );
        if (waiting.length >= MOST_WAITING)
          throw coreErrors.reduced_capacity({}, { ...retry, body: { retry_after: RETRY_SECONDS } });
        signal.throwIfAborted();
        const left = (): void => {
          waiting = waiting.filter((one) => one !== self);
          reject(signal.reason);
        };
        const self: Waiting = {
          senders,
          begin: () => {
            signal.removeEventListener('abort', left);
            resolve({
              spent: (seconds) => budget.spend(senders.all, seconds),
              end: () => {
                if (under.delete(senders)) next();
              },
            });
          },
        };
        signal.addEventListener('abort', left, { once: true });
        waiting = [...waiting, self];
        next();
      }),
  };
};
