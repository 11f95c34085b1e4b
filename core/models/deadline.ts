/** A clock that aborts work which takes too long, and that can be held while the work waits for somebody else. */

export interface Deadline {
  /** Aborts with the caller's signal, or when the clock ran out. */
  readonly signal: AbortSignal;
  /** Starts the clock anew. */
  start(): void;
  hold(): void;
  ranOut(): boolean;
}

/** `seconds` for each time that it is started, `inAll` for these together. */
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
