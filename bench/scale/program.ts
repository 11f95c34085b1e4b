/** Starts a program in a separate process that prints its address, and stops it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Program {
  /** Base URL without a path. */
  readonly url: string;
  readonly pid: number;
  /** Stops the program, with SIGTERM by default; returns the exit status, or null when a signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

const endOf = async (child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  return child.exitCode;
};

/** @throws Error when the program exits before it prints its address. */
export const startProgram = async (
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Program> => {
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Kills the program when the benchmark exits for any reason.
  const kill = (): unknown => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (!url) continue;
    child.stdout.resume();
    return { url, pid: child.pid as number, end: (signal = 'SIGTERM') => endOf(child, signal) };
  }
  throw new Error(`${words.join(' ')} ended before it served`);
};

/**
 * Starts the service with the routes and the job of service.ts; `--expose-gc` allows it to collect garbage before memory is read.
 */
export const startService = (settings: Readonly<Record<string, string>>): Promise<Program> =>
  startProgram(['--expose-gc', join(import.meta.dirname, 'service.ts')], {
    HOST: '127.0.0.1',
    PORT: '0',
    GENERATE_PAGES: 'off',
    LOG_LEVEL: 'warn',
    ...settings,
  });

/** Returns a port that is currently free. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};
