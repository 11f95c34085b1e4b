/** Starts third-party servers, each with a temporary folder that is removed with it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './program.ts';

const run = promisify(execFile);

export interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** Installation folder of Debian's packages. */
const INSTALLED = '/usr/lib/postgresql';

/** Returns the folder of the newest PostgreSQL's programs, or null when none is installed. */
export const postgresPrograms = async (): Promise<string | null> => {
  const versions = await readdir(INSTALLED).catch(() => []);
  const folders = versions.toSorted((a, b) => Number(b) - Number(a)).map((version) => join(INSTALLED, version, 'bin'));
  return folders.find((folder) => existsSync(join(folder, 'postgres'))) ?? null;
};

const isRoot = (): boolean => process.getuid?.() === 0;

const idOf = async (user: string, which: '-u' | '-g'): Promise<number> =>
  Number((await run('id', [which, user])).stdout);

/** Runs a program as the user `postgres` when this process is root, because PostgreSQL refuses to run as root. */
const asOwner = (program: string, words: readonly string[]): Promise<unknown> =>
  isRoot()
    ? run('su', ['postgres', '-s', '/bin/sh', '-c', [program, ...words].map((word) => `'${word}'`).join(' ')])
    : run(program, words);

/** Starts a separate cluster with durable writes, as in production. */
export const startPostgres = async (programs: string): Promise<Server> => {
  const folder = await mkdtemp(join(tmpdir(), 'ekb-postgres-'));
  if (isRoot()) await chown(folder, await idOf('postgres', '-u'), await idOf('postgres', '-g'));
  await chmod(folder, 0o700);
  const [port, data] = [await freePort(), join(folder, 'data')];
  const control = join(programs, 'pg_ctl');
  await asOwner(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8']);
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1`;
  await asOwner(control, ['-D', data, '-w', '-o', options, '-l', join(folder, 'log'), 'start']);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await asOwner(control, ['-D', data, '-m', 'immediate', 'stop']).catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });

const stopped = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
};

/** Starts a Redis without persistence; returns null when redis-server is not installed. */
export const startRedis = async (): Promise<Server | null> => {
  const port = await freePort();
  const words = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', words, { stdio: 'ignore', cwd: tmpdir() });
  let isThere = true;
  child.once('error', () => {
    isThere = false;
  });
  for (let tries = 0; tries < 50; tries += 1) {
    await sleep(100);
    if (!isThere) return null;
    if (await answers(port)) return { url: `redis://127.0.0.1:${port}`, stop: () => stopped(child) };
  }
  child.kill('SIGKILL');
  return null;
};
