/** Stops asking a model that keeps failing; after a while one call tries whether it is back. */
import { ModelError } from './model-error.ts';

export interface BreakerSettings {
  readonly name: string;
  /** Failures in a row that open the circuit. */
  readonly openAfter: number;
  readonly openSeconds: number;
}

/** A server that asks for more is asked again after this long: it may mean a day, or have its clock wrong. */
const LONGEST_OPEN_SECONDS = 900;

/** `neither`: the caller went away, or the request itself was at fault; says nothing of the model's health. */
export type Outcome = 'good' | 'bad' | 'neither';

export interface CircuitBreaker {
  /**
   * @throws ModelError `circuit_open`. The answer is called once, with how it went and, where the model asked not to be
   * asked again soon, for how many seconds; says for how many seconds that opened the circuit, 0 when it did not.
   */
  enter(): (outcome: Outcome, leftAloneSeconds?: number) => number;
  /** Whether the last call that says anything was good; true before any. */
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
