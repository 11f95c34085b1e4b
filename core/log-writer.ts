/**
 * Log lines leave in bundles: a system call for each would cost a busy server more than its answers do. An orderly end
 * and a fatal error lose nothing; a killed process loses the requests of its last moment.
 */
import { writeSync } from 'node:fs';

/** How long a line waits for others at most, in milliseconds. */
const WAIT = 50;
/** Characters that are not waited with. */
const FULL = 32_768;
/** How often a full pipe is tried again before its lines are given up, and the pause between, in milliseconds. */
const TRIES = 200;
const PAUSE = 5;

const sleep = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

/** All of it, now. A pipe that nobody empties for a second loses what it was given, as it must not hold the service. */
export const writeToStderr = (text: string): void => {
  let rest = Buffer.from(text);
  for (let tries = 0; rest.length && tries < TRIES; ) {
    try {
      rest = rest.subarray(writeSync(2, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      tries += 1;
      sleep(PAUSE);
    }
  }
};

/** What writers of this process still hold. */
const held = new Set<() => void>();
// One hook for all of them. It also runs behind a fatal error, whose words node writes first.
process.once('exit', () => {
  for (const flush of held) flush();
});

/** Answers what a log writes through: an urgent line goes at once, behind those that wait. */
export const bufferedWriter = (write: (text: string) => unknown = writeToStderr) => {
  let lines = '';
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    held.delete(flush);
    if (!lines) return;
    const text = lines;
    lines = '';
    write(text);
  };
  return (line: string, isUrgent: boolean): void => {
    lines += line;
    if (isUrgent || lines.length > FULL) flush();
    else {
      timer ??= setTimeout(flush, WAIT).unref();
      held.add(flush);
    }
  };
};
