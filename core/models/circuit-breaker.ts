/** Stops asking a model that keeps failing; after a while one call tries whether it is back. */
import { ModelError } from './model-error.ts';

export interface BreakerSettings {
  readonly name: string;
  /** Failures in a row that open the circuit. */
  readonly openAfter: number;
  readonly openSeconds: number;
}

/** `neither`: the caller went away, or the request itself was at fault; says nothing of the model's health. */
export type Outcome = 'good' | 'bad' | 'neither';

export interface CircuitBreaker {
  /** @throws ModelError `circuit_open`. The answer is called once, with how it went; true when that opened the circuit. */
  enter(): (outcome: Outcome) => boolean;
  /** Whether the last call that says anything was good; true before any. */
  isWell(): boolean;
}

export const createBreaker = ({ name, openAfter, openSeconds }: BreakerSettings): CircuitBreaker => {
  let failures = 0;
  let openUntil = 0;
  let trying = false;
  const settle = (outcome: Outcome): boolean => {
    trying = false;
    if (outcome === 'good') failures = 0;
    if (outcome !== 'bad') return false;
    failures += 1;
    if (failures < openAfter) return false;
    openUntil = performance.now() + openSeconds * 1000;
    return true;
  };
  return {
    enter: () => {
      const waitSeconds = Math.ceil((openUntil - performance.now()) / 1000);
      if (failures >= openAfter && (waitSeconds > 0 || trying)) {
        const retryAfterSeconds = Math.max(waitSeconds, 1);
        throw new ModelError(
          'circuit_open',
          `The ${name} failed ${failures} times in a row; it is left alone for now`,
          {
            retryAfterSeconds,
          },
        );
      }
      trying = failures >= openAfter;
      let settled = false;
      return (outcome) => {
        if (settled) return false;
        settled = true;
        return settle(outcome);
      };
    },
    isWell: () => failures === 0,
  };
};
