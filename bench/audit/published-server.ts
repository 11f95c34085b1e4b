/** Starts a real server on the starter content with its pages published, in a separate folder, for the audits. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface PublishedServer {
  readonly url: string;
  stop(): Promise<void>;
}

const MAIN = join(import.meta.dirname, '../../core/main.ts');

const run = (command: string, environment: Readonly<Record<string, string>>): ChildProcess =>
  spawn(process.execPath, [MAIN, command], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** Waits for the address that a server prints. */
const addressOf = async (child: ChildProcess): Promise<string> => {
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url) return url;
  }
  throw new Error('The server ended before it served');
};

/** Generates all pages (about a minute), then serves them. @param port a free one. */
export const startPublishedServer = async (port: number): Promise<PublishedServer> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'ekb-bench-'));
  const environment = {
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: 'warn',
    STARTER_PRODUCTS: 'core',
    STARTER_EVIDENCE: 'none',
    GENERATE_PAGES: 'off',
  };
  const generating = run('generate', environment);
  generating.stdout?.resume();
  const [status] = await once(generating, 'exit');
  if (status !== 0) throw new Error(`generate ended with ${status}`);
  const server = run('serve', environment);
  const url = await addressOf(server);
  server.stdout?.resume();
  return {
    url,
    stop: async () => {
      server.kill('SIGTERM');
      await once(server, 'exit');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/** Returns a port that is currently free. */
export const freePort = async (): Promise<number> => {
  const { createServer } = await import('node:net');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};
