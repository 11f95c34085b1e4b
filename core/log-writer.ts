/**
 * Buffers log lines: a system call per line would cost a busy server more than its responses. A normal exit and a fatal error
 * lose nothing; a killed process loses the requests of its last moment.
 */
import { writeSync } from 'node:fs';

/** Maximum time that a line is buffered, in milliseconds. */
const WAIT = 50;
/** Number of buffered characters that triggers a write. */
const FULL = 32_768;
/** Number of retries when a pipe is full, after which its lines are dropped, and the pause between them in milliseconds. */
const TRIES = 200;
const PAUSE = 5;

const sleep = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

/**
 * Writes all of the text synchronously. When nobody reads the pipe for a second, the text is dropped, so that the service is not
 * blocked.
 */
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

/** Flush functions of the writers with buffered lines. */
const held = new Set<() => void>();
// One exit handler for all writers. It also runs after a fatal error, which Node prints first.
process.once('exit', () => {
  for (const flush of held) flush();
});

/** Returns the write function of a logger: an urgent line is written at once, after the buffered ones. */
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
