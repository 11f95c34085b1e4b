/**
 * Starts waiting work one piece per iteration of the event loop. Published pages are answered between two iterations, so they
 * wait for one piece of work instead of for all requests that arrived together.
 */
import { setImmediate } from 'node:timers/promises';

/** Resolves in an iteration of the event loop in which no other caller's promise resolves. */
export type NextTurn = () => Promise<unknown>;

export const createTurns = (): NextTurn => {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    last = last.then(() => setImmediate());
    return last;
  };
};
