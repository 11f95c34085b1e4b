/** A circuit breaker for a model that keeps failing; after a while one trial call checks whether it has recovered. */
import { ModelError } from './model-error.ts';

export interface BreakerSettings {
  readonly name: string;
  /** Number of consecutive failures that open the circuit. */
  readonly openAfter: number;
  readonly openSeconds: number;
}

/** Maximum time that the circuit stays open, even when a server requests more: it may mean a day, or its clock may be wrong. */
const LONGEST_OPEN_SECONDS = 900;

/** `neither`: the caller aborted, or the request was invalid; this does not indicate the model's health. */
export type Outcome = 'good' | 'bad' | 'neither';

export interface CircuitBreaker {
  /**
   * Starts a call. The returned function must be called once with the outcome and, when the model requested a pause, its length
   * in seconds; it returns the number of seconds for which it opened the circuit, 0 when it did not.
   * @throws ModelError `circuit_open`.
   */
  enter(): (outcome: Outcome, leftAloneSeconds?: number) => number;
  /** Returns whether the last call that indicates the model's health succeeded; true before the first call. */
  isWell(): boolean;
}

export const createBreaker = ({ name, openAfter, openSeconds }: BreakerSettings): CircuitBreaker => {
  let failures = 0;
  let openUntil = 0;
  let trying = false;
  const settle = (outcome: Outcome, leftAloneSeconds: number): number => {
    trying = false;
    if (outcome === 'good') failures = 0;
    if (outcome !== 'bad') return 0;
    failures = leftAloneSeconds > 0 ? Math.max(failures + 1, openAfter) : failures + 1;
    if (failures < openAfter) return 0;
    const seconds = Math.min(Math.max(openSeconds, leftAloneSeconds), LONGEST_OPEN_SECONDS);
    openUntil = Math.max(openUntil, performance.now() + seconds * 1000);
    return seconds;
  };
  return {
    enter: () => {
      const waitSeconds = Math.ceil((openUntil - performance.now()) / 1000);
      if (failures >= openAfter && (waitSeconds > 0 || trying)) {
        const retryAfterSeconds = Math.max(waitSeconds, 1);
        throw new ModelError(
          'circuit_open',
          `The ${name} failed or asked for a pause; it is left alone for ${retryAfterSeconds} s`,
          { retryAfterSeconds },
        );
      }
      trying = failures >= openAfter;
      let settled = false;
      return (outcome, leftAloneSeconds = 0) => {
        if (settled) return 0;
        settled = true;
        return settle(outcome, leftAloneSeconds);
      };
    },
    isWell: () => failures === 0,
  };
};
