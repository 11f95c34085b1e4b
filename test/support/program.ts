/** Runs the program in a child process, with the commands of package.json. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const main = join(import.meta.dirname, '../../core/main.ts');

export interface Finished {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  /** Resolves with the first output (of either stream) that matches. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Returns the inherited variables. The compile cache only halves the load time of a child process. */
const inherited = ({ PATH = '', HOME = '', TMPDIR = '' }: NodeJS.ProcessEnv) => ({
  PATH,
  HOME,
  ...(TMPDIR && { TMPDIR }),
  NODE_COMPILE_CACHE: join(tmpdir(), 'ekb-test-compile-cache'),
});

/** Starts `node core/main.ts <args>` with only the given settings. */
export const startProgram = (
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  folder?: string,
): Running => startScript(main, args, environment, folder);

/** Starts any script in the same way; `folder` is the working directory, from which a `.env` would be read. */
export const startScript = (
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  folder?: string,
): Running => {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...inherited(process.env), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: folder,
  });
  let [stdout, stderr] = ['', ''];
  const watchers = new Set<() => void>();
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    for (const watcher of watchers) watcher();
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
    for (const watcher of watchers) watcher();
  });
  const finished = once(child, 'close').then(([status, signal]) => ({ status, signal, stdout, stderr }) as Finished);
  return {
    child,
    finished,
    waitFor: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(stdout) ?? pattern.exec(stderr);
          if (match) resolve(match);
        };
        watchers.add(look);
        look();
        finished.then(({ status }) =>
          reject(new Error(`ended with ${status} before ${pattern}:\n${stdout}\n${stderr}`)),
        );
      }),
  };
};

export const runProgram = (
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  folder?: string,
): Promise<Finished> => startProgram(args, environment, folder).finished;
