/** A clock that aborts work which takes too long, and that can be held while the work waits for somebody else. */

export interface Deadline {
  /** Aborts with the caller's signal, or when the clock ran out. */
  readonly signal: AbortSignal;
  /** Starts the clock anew. */
  start(): void;
  hold(): void;
  ranOut(): boolean;
}

export const createDeadline = (seconds: number, caller?: AbortSignal): Deadline => {
  const clock = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const hold = (): void => clearTimeout(timer);
  return {
    signal: caller ? AbortSignal.any([clock.signal, caller]) : clock.signal,
    hold,
    start: () => {
      hold();
      timer = setTimeout(() => clock.abort(), seconds * 1000);
    },
    ranOut: () => clock.signal.aborted,
  };
};
