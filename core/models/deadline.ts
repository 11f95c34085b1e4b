/** A timer that aborts work after a timeout, and that can be paused while the work waits for its consumer. */

export interface Deadline {
  /** Aborts with the caller's signal, or when the time is over. */
  readonly signal: AbortSignal;
  /** Restarts the timer. */
  start(): void;
  hold(): void;
  ranOut(): boolean;
}

/** Creates a deadline: `seconds` limits each period between `start` and `hold`, `inAll` limits their sum in seconds. */
export const createDeadline = (
  { seconds, inAll }: { seconds: number; inAll: number },
  caller?: AbortSignal,
): Deadline => {
  const clock = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let since: number | null = null;
  let left = inAll * 1000;
  const hold = (): void => {
    clearTimeout(timer);
    if (since !== null) left -= performance.now() - since;
    since = null;
  };
  return {
    signal: caller ? AbortSignal.any([clock.signal, caller]) : clock.signal,
    hold,
    start: () => {
      hold();
      since = performance.now();
      timer = setTimeout(() => clock.abort(), Math.max(0, Math.min(seconds * 1000, left)));
    },
    ranOut: () => clock.signal.aborted,
  };
};
