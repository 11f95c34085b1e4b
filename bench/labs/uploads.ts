/**
 * Measures twenty concurrent uploads: the time until all are read, the memory, and the latency for readers of the site meanwhile.
 * The server is a separate process with the starter content; the reports are those of `npm run bench -- labs`, half of them with
 * text and half as images.
 * Usage: node bench/labs/uploads.ts
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../search/rankings.ts';
import { makeReports } from './reports.ts';
import { pictures, scansOf } from './scans.ts';

const UPLOADS = 20;
const QUIET_MS = 30_000;
/**
 * Load of the readers in requests per second: a published page, live searches with rotating queries, and an interaction check.
 */
const READERS: readonly { readonly path: string; readonly perSecond: number }[] = [
  { path: '/supplements/magnesium', perSecond: 20 },
  { path: '/search?q=', perSecond: 4 },
  { path: '/api/interactions/check?supplement=ginkgo&drug=warfarin', perSecond: 4 },
];
const WORDS =
  'zinc sleep|magnesium cramps|iron|creatine strength|vitamin d bones|turmeric knee|ginkgo memory|melatonin';

const start = async (dataDir: string): Promise<{ url: string; child: ChildProcess }> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../core/main.ts'), 'serve'], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'warn',
      STARTER_PRODUCTS: 'core',
      STARTER_EVIDENCE: 'none',
      ANON_RPM: '1000000',
      ANON_DAILY: '100000000',
      TRUSTED_PROXIES: '127.0.0.1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout as NonNullable<ChildProcess['stdout']> })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url) return { url, child };
  }
  throw new Error('The server ended before it served');
};

const agent = new Agent({ keepAlive: true });

const timed = (address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    get(address, { agent }, (answer) => {
      answer.resume();
      answer.on('end', () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`${address}: ${answer.statusCode}`)),
      );
    }).on('error', reject);
  });

/**
 * Sends requests at fixed times until `isOver`, whether or not earlier requests have been answered (an open loop); returns
 * latencies in milliseconds by path.
 */
const readers = async (url: string, isOver: () => boolean): Promise<ReadonlyMap<string, number[]>> => {
  const took = new Map<string, number[]>();
  const words = WORDS.split('|');
  const arrivals = async ({ path, perSecond }: (typeof READERS)[number]): Promise<void> => {
    const times: number[] = [];
    const open: Promise<void>[] = [];
    const startedAt = performance.now();
    for (let turn = 0; !isOver(); turn += 1) {
      const due = startedAt + (turn * 1000) / perSecond;
      await sleep(Math.max(0, due - performance.now()));
      const address = url + path + (path.endsWith('=') ? encodeURIComponent(words[turn % words.length] ?? '') : '');
      // Latency counts from the scheduled time, so that a delay before sending is included.
      open.push(timed(address).then(() => void times.push(performance.now() - due)));
    }
    await Promise.all(open);
    took.set(`${path} ${perSecond}/s`, times);
  };
  await Promise.all(READERS.map(arrivals));
  return took;
};

/** Requests every query once, because the first request of each loads data lazily, which is not a cost of uploads. */
const warmUp = async (url: string): Promise<void> => {
  for (const { path } of READERS)
    for (const word of path.endsWith('=') ? WORDS.split('|') : ['']) await timed(url + path + encodeURIComponent(word));
};

/** Returns the processor time that a process has used, in seconds. */
const processorSeconds = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

/** Waits until a server that has just started has finished its background work: pages, indexes, statistics. */
const untilIdle = async (pid: number): Promise<void> => {
  for (let quiet = 0; quiet < 5; ) {
    const before = processorSeconds(pid);
    await sleep(2_000);
    quiet = processorSeconds(pid) - before < 0.1 ? quiet + 1 : 0;
  }
};

/** Returns the resident memory of a process and its descendants, in MB. */
const residentMb = (pid: number): number => {
  const of = (one: number): number => {
    const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1] ?? 0;
    const children = readdirSync(`/proc/${one}/task`).flatMap((task) =>
      readFileSync(`/proc/${one}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
    return Number(kb) / 1024 + children.reduce((sum, child) => sum + of(child), 0);
  };
  try {
    return Math.round(of(pid));
  } catch {
    return 0;
  }
};

/** Returns reports, half with text and half as images of their first page. */
const reports = async (): Promise<readonly { name: string; bytes: Buffer }[]> => {
  const made = (await makeReports()).slice(0, UPLOADS);
  const flaws = pictures[0]?.flaws;
  const files: { name: string; bytes: Buffer }[] = [];
  for (const [at, { pdf }] of made.entries()) {
    const [picture] = at % 2 && flaws ? await scansOf(pdf, flaws) : [];
    files.push(picture ? { name: `${at}.png`, bytes: picture } : { name: `${at}.pdf`, bytes: pdf });
  }
  return files;
};

/** Uploads a report as one browser with its own address; returns its cookies. */
const upload = async (url: string, { name, bytes }: { name: string; bytes: Buffer }, at: number): Promise<string> => {
  const form = new FormData();
  form.append('consent', 'true');
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  const headers = { 'X-Forwarded-For': `10.0.0.${at + 1}` };
  const answer = await fetch(`${url}/blood-test/upload`, { method: 'POST', body: form, headers, redirect: 'manual' });
  if (answer.status !== 303) throw new Error(`An upload was answered with ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
};

const isRead = async (url: string, cookie: string): Promise<boolean> => {
  const answer = await fetch(`${url}/api/blood-test/status`, { headers: { cookie } });
  return ((await answer.json()) as { state: string }).state === 'ready';
};

const tell = (what: string, took: ReadonlyMap<string, number[]>): void => {
  for (const [path, times] of [...took, ['all together', [...took.values()].flat()] as const]) {
    const at = (share: number): string => percentile(times, share).toFixed(1);
    console.log(
      `| ${what} | \`${path}\` | ${times.length} | ${at(0.5)} | ${at(0.99)} | ${Math.max(...times).toFixed(1)} |`,
    );
  }
};

/** Sends all uploads concurrently from a separate process, so that the cost of sending does not delay the readers. */
const sender = async (folder: string, url: string) => {
  const child = fork(import.meta.filename, [folder, url]);
  const next = async (): Promise<unknown> => (await once(child, 'message'))[0];
  await next();
  return {
    send: async (): Promise<readonly string[]> => {
      child.send('go');
      return (await next()) as string[];
    },
  };
};

const sendAll = async (folder: string, url: string): Promise<void> => {
  const files = readdirSync(folder).map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
  process.send?.('ready');
  await once(process, 'message');
  const cookies = await Promise.all(files.map((file, at) => upload(url, file, at)));
  process.send?.(cookies, () => process.exit(0));
};

const measure = async (): Promise<void> => {
  const [dataDir, folder] = [
    await mkdtemp(join(tmpdir(), 'ekb-bench-')),
    await mkdtemp(join(tmpdir(), 'ekb-reports-')),
  ];
  for (const { name, bytes } of await reports()) await writeFile(join(folder, name), bytes);
  const { url, child } = await start(dataDir);
  const pid = child.pid as number;
  try {
    // The server is busy until its pages are published.
    for (let tries = 0; tries < 300 && (await fetch(`${url}/robots.txt`)).status !== 200; tries += 1)
      await sleep(1_000);
    await untilIdle(pid);
    await warmUp(url);
    let isOver = false;
    setTimeout(() => {
      isOver = true;
    }, QUIET_MS);
    const quiet = await readers(url, () => isOver);
    const before = residentMb(pid);
    const { send } = await sender(folder, url);
    isOver = false;
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, residentMb(pid));
    }, 250);
    const startedAt = performance.now();
    const busy = readers(url, () => isOver);
    const cookies = await send();
    const taken = performance.now() - startedAt;
    for (const cookie of cookies) while (!(await isRead(url, cookie))) await sleep(200);
    const seconds = (performance.now() - startedAt) / 1000;
    isOver = true;
    const during = await busy;
    clearInterval(watch);
    console.log('| | page | requests | p50, ms | p99, ms | longest, ms |\n|---|---|---|---|---|---|');
    tell('in peace', quiet);
    tell(`while ${cookies.length} reports are read`, during);
    console.log(
      `${cookies.length} uploads at once: all taken after ${(taken / 1000).toFixed(1)} s, all read after ${seconds.toFixed(1)} s; memory ${before} MB before, ${peak} MB at most, reading process included`,
    );
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    for (const path of [dataDir, folder]) await rm(path, { recursive: true, force: true });
  }
};

const [folder, url] = process.argv.slice(2);
await (folder && url ? sendAll(folder, url) : measure());
