/**
 * Measures load: 64 concurrent searches over real HTTP against a separate server process with the starter content, and in the
 * same run a bare Koa route that returns a JSON response of the same size. Any error fails the run.
 * Usage: node bench/load.ts [seconds, default 60]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { QUERIES } from './scale/queries.ts';
import { percentile } from './search/rankings.ts';

const CONCURRENT = 64;
const seconds = Number(process.argv[2] ?? 60);
const SECRET = 'only-for-the-benchmark';
const WARM_UP_SECONDS = 5;

/** Starts a process and waits for the address that it prints. */
async function serving(
  words: readonly string[],
  environment: Record<string, string>,
): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url) return { url, child };
  }
  throw new Error(`${words[0]} ended before it served`);
}

const stop = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill('SIGTERM');
  });

interface Asked {
  readonly status: number;
  readonly bytes: number;
}

const ask = (url: string, headers: Record<string, string>, agent: Agent): Promise<Asked> =>
  new Promise((resolve, reject) => {
    get(url, { headers, agent }, (reply) => {
      let bytes = 0;
      reply.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, bytes }));
      reply.on('error', reject);
    }).on('error', reject);
  });

interface Figures {
  readonly requests: number;
  readonly errors: number;
  readonly perSecond: number;
  readonly times: readonly number[];
  readonly bytes: number;
}

/** Maintains a constant number of concurrent requests on keep-alive connections and measures them. */
async function load(urls: readonly string[], headers: Record<string, string>, duration: number): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT });
  const times: number[] = [];
  let [errors, bytes, sent] = [0, 0, 0];
  const startedAt = performance.now();
  const until = startedAt + 1000 * duration;
  const one = async (): Promise<void> => {
    while (performance.now() < until) {
      const since = performance.now();
      const answer = await ask(urls[sent++ % urls.length]!, headers, agent).catch(() => null);
      times.push(performance.now() - since);
      if (answer?.status !== 200) errors += 1;
      bytes += answer?.bytes ?? 0;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, one));
  const elapsed = (performance.now() - startedAt) / 1000;
  agent.destroy();
  return { requests: times.length, errors, perSecond: times.length / elapsed, times, bytes: bytes / times.length };
}

const tell = ({ requests, errors, perSecond, times, bytes }: Figures): Record<string, string | number> => ({
  requests,
  errors,
  'per second': perSecond.toFixed(0),
  'p50 ms': percentile(times, 0.5).toFixed(0),
  'p99 ms': percentile(times, 0.99).toFixed(0),
  'KB an answer': (bytes / 1024).toFixed(1),
});

async function service(dataDir: string): Promise<Figures> {
  const { url, child } = await serving([join(import.meta.dirname, '../core/main.ts'), 'serve'], {
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    GENERATE_PAGES: 'off',
    LOG_LEVEL: 'warn',
    STARTER_PRODUCTS: 'core',
    STARTER_EVIDENCE: 'none',
    ADMIN_BOOTSTRAP_SECRET: SECRET,
  });
  try {
    const made = await fetch(`${url}/api/keys`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Admin-Bootstrap': SECRET },
      body: '{"name":"load","is_admin":true}',
    });
    const { key } = (await made.json()) as { key: string };
    const urls = QUERIES.map((query) => `${url}/v1/evidence/search?${query}`);
    const headers = { Authorization: `Bearer ${key}` };
    await load(urls, headers, WARM_UP_SECONDS);
    return await load(urls, headers, seconds);
  } finally {
    await stop(child);
  }
}

async function bare(bytes: number): Promise<Figures> {
  const { url, child } = await serving([join(import.meta.dirname, 'bare-route.ts'), String(bytes)], {});
  try {
    await load([`${url}/search`], {}, WARM_UP_SECONDS);
    return await load([`${url}/search`], {}, seconds);
  } finally {
    await stop(child);
  }
}

const dataDir = await mkdtemp(join(tmpdir(), 'load-'));
try {
  console.log(`load average at the start: ${loadavg()[0]!.toFixed(1)}`);
  const ours = await service(dataDir);
  const koa = await bare(ours.bytes);
  console.log(`${CONCURRENT} concurrent requests for ${seconds} s, ${QUERIES.length} different searches`);
  console.table({ 'evidence search': tell(ours), 'bare Koa route': tell(koa) });
  console.log(`the search does ${((100 * ours.perSecond) / koa.perSecond).toFixed(1)} % of the bare route's requests`);
  console.log(`load average at the end: ${loadavg()[0]!.toFixed(1)}`);
  if (ours.errors + koa.errors > 0) process.exitCode = 1;
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
