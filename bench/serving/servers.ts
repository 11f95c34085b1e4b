/** Starts the servers to compare, each in a separate process that may use one core. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Running {
  /** Base URL without a path. */
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

interface Start {
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Path of the file for stderr. */
  readonly log: string;
  /** Core that the process may use; null for any. */
  readonly core?: number | null;
}

const launch = ({ command, environment = {}, log, core = 0 }: Start): ChildProcess => {
  const [program = '', ...words] = [...(core === null ? [] : ['taskset', '-c', String(core)]), ...command];
  const file = openSync(log, 'w');
  const child = spawn(program, words, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', file],
  });
  closeSync(file);
  return child;
};

const stopper = (child: ChildProcess) => async (): Promise<void> => {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
};

/** Starts a program that prints its address. */
const announced = async (start: Start): Promise<Running> => {
  const child = launch(start);
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url) return { url, pid: child.pid as number, stop: stopper(child) };
  }
  throw new Error(`${start.command.join(' ')} ended before it served`);
};

/** Starts this service with the pages published in `dataDir`; no pages are generated in the background. */
export const ours = (
  dataDir: string,
  log: string,
  settings: { readonly level: 'info' | 'warn'; readonly core?: number | null },
): Promise<Running> =>
  announced({
    command: [process.execPath, join(import.meta.dirname, '../../core/main.ts'), 'serve'],
    environment: {
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: '0',
      GENERATE_PAGES: 'off',
      STARTER_PRODUCTS: 'none',
      STARTER_EVIDENCE: 'none',
      LOG_LEVEL: settings.level,
    },
    log,
    core: settings.core,
  });

export const koa = (kind: 'static' | 'bare', folder: string, file: string, log: string): Promise<Running> =>
  announced({ command: [process.execPath, join(import.meta.dirname, 'koa-server.ts'), kind, folder, file], log });

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};

const nginxConf = (folder: string, own: string, port: number, hasLog: boolean): string => `
worker_processes 1; worker_cpu_affinity 01; daemon off; pid ${own}/nginx.pid; error_log ${own}/error.log;
events { worker_connections 1024; }
http {
  access_log ${hasLog ? `${own}/access.log` : 'off'}; types { text/html html; } charset utf-8;
  sendfile on; tcp_nopush on; keepalive_requests 100000000; open_file_cache max=1000 inactive=60s; gzip_static on;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${own}/${name};`).join(' ')}
  server { listen 127.0.0.1:${port}; root ${folder}; add_header Cache-Control "public, max-age=60"; }
}
`;

/** Starts Debian's nginx, configured for static files as an operator would. `own` is a folder for its own files. */
export const nginx = async (folder: string, own: string, hasLog: boolean): Promise<Running> => {
  await mkdir(own, { recursive: true });
  const port = await freePort();
  await writeFile(join(own, 'nginx.conf'), nginxConf(folder, own, port, hasLog));
  const child = launch({ command: ['nginx', '-p', own, '-c', join(own, 'nginx.conf')], log: join(own, 'stderr.log') });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries += 1) {
    if (await fetch(url).catch(() => null)) return { url, pid: child.pid as number, stop: stopper(child) };
    await sleep(50);
  }
  throw new Error('nginx does not answer');
};
