/** Turns of requests that wait for a reader: one of each sender at a time, and who has spent least goes first. */
import { coreErrors } from '../errors.ts';
import type { ReadingBudget, Senders } from './reading-budget.ts';

export interface Turn {
  /** Charges processor seconds to its sender. */
  spent(seconds: number): void;
  /** Hands the turn on; safe to call twice. */
  end(): void;
}

export interface ReadingTurns {
  /**
   * Waits until it is this sender's turn.
   * @throws AppError 429 when the sender has used up its budget or waits too often already, 503 when too many wait; and the
   *   signal's reason when it aborts
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
