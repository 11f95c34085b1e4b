/**
 * Sends hostile files to a running service and reports for each attack the response, the processor seconds and the resident
 * memory used (by the server alone, and including its parser processes), and the effect on readers of a published page.
 * Usage: node bench/attacks-files.ts [-name of one attack]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { denseScan, exportWith, hostileObservation, nestedFlatePdf, smallReport } from './attacks/made-files.ts';
import { percentile } from './search/rankings.ts';

const PAGE = '/supplements/magnesium';
const PER_SECOND = 20;
const LONGEST_MS = 150_000;
const QUIET_MS = 10_000;

interface Server {
  readonly url: string;
  readonly child: ChildProcess;
}

const start = async (dataDir: string): Promise<Server> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../core/main.ts'), 'serve'], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
      STARTER_PRODUCTS: 'none',
      STARTER_EVIDENCE: 'none',
      ANON_RPM: '1000000',
      ANON_DAILY: '100000000',
      TRUSTED_PROXIES: '127.0.0.1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout as NonNullable<ChildProcess['stdout']> })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (!url) continue;
    (child.stdout as NonNullable<ChildProcess['stdout']>).resume();
    return { url, child };
  }
  throw new Error('The server ended before it served');
};

const childrenOf = (pid: number): number[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
};

const residentMb = (pid: number): number => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};

/** Returns the processor time of a process and of its children that have ended, in seconds. */
const processorSeconds = (pid: number): number => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    return 0;
  }
};

const treeSeconds = (pid: number): number =>
  [pid, ...childrenOf(pid)].reduce((sum, one) => sum + processorSeconds(one), 0);

const agent = new Agent({ keepAlive: true });

const timed = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    get(address, { agent, timeout: LONGEST_MS }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode === 200));
    }).on('error', () => resolve(false));
  });

/**
 * Requests a page at fixed times until `isOver`, whether or not earlier requests have been answered (an open loop); returns the
 * latencies in milliseconds and the number of failures.
 */
const readers = async (url: string, isOver: () => boolean): Promise<{ times: number[]; failed: number }> => {
  const times: number[] = [];
  let failed = 0;
  const open: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let turn = 0; !isOver(); turn += 1) {
    const due = startedAt + (turn * 1000) / PER_SECOND;
    await sleep(Math.max(0, due - performance.now()));
    open.push(
      timed(url + PAGE).then((isWell) => {
        if (isWell) times.push(performance.now() - due);
        else failed += 1;
      }),
    );
  }
  await Promise.all(open);
  return { times, failed };
};

interface Sent {
  readonly path: string;
  readonly name?: string;
  readonly bytes: Buffer | string;
  /** Client address, sent as X-Forwarded-For. */
  readonly from: string;
  readonly cookie?: string;
}

interface Answer {
  readonly status: string;
  readonly text: string;
  readonly cookie: string;
}

const cookieOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

const send = async (url: string, { path, name = 'file', bytes, from, cookie = '' }: Sent): Promise<Answer> => {
  const form = new FormData();
  form.append('consent', 'true');
  form.append('file', new Blob([new Uint8Array(Buffer.from(bytes))]), name);
  const headers = { 'X-Forwarded-For': from, Accept: 'application/json', ...(cookie && { cookie }) };
  try {
    const answer = await fetch(url + path, {
      method: 'POST',
      body: form,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    const text = await answer.text();
    return { status: String(answer.status), text, cookie: cookieOf(answer) };
  } catch (error) {
    return { status: `no answer (${(error as Error).name})`, text: '', cookie: '' };
  }
};

const stateOf = async (url: string, path: string, cookie: string): Promise<Record<string, unknown>> => {
  const answer = await fetch(url + path, { headers: { cookie }, signal: AbortSignal.timeout(LONGEST_MS) });
  return (await answer.json()) as Record<string, unknown>;
};

/** Returns the seconds until an uploaded report has been read, or the status when that fails. */
const readTime = async (url: string, from: string): Promise<string> => {
  const startedAt = performance.now();
  const sent = await send(url, {
    path: '/blood-test/upload',
    name: 'small.pdf',
    bytes: await smallReport('34'),
    from,
  });
  if (sent.status !== '303') return sent.status;
  while (performance.now() - startedAt < LONGEST_MS) {
    const { state } = await stateOf(url, '/api/blood-test/status', sent.cookie);
    if (state === 'ready') return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
    await sleep(200);
  }
  return `not read after ${LONGEST_MS / 1000} s`;
};

const TUS = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '1000000' };

const beginUpload = async (url: string, from: string): Promise<number> => {
  const answer = await fetch(`${url}/wearables/phone-health/parts`, {
    method: 'POST',
    headers: { ...TUS, 'X-Forwarded-For': from },
  });
  await answer.text();
  return answer.status;
};

/** Runs an attack and returns its result in words. */
type Attack = (url: string) => Promise<string>;
/** Prepares the files of an attack first, because this is not work of the server and would delay the readers in this process. */
type Prepared = () => Promise<Attack>;

const untilExportRead = async (url: string, cookie: string): Promise<string> => {
  for (const from = performance.now(); performance.now() - from < LONGEST_MS; await sleep(200)) {
    const page = await fetch(`${url}/wearables/progress`, { headers: { cookie }, redirect: 'manual' });
    await page.text();
    if (page.status !== 200) return 'read to its end';
  }
  return `not read after ${LONGEST_MS / 1000} s`;
};

const attacks: Readonly<Record<string, Prepared>> = {
  quiet: async () => async () => {
    await sleep(QUIET_MS);
    return '';
  },
  'fhir-components': async () => {
    const bytes = hostileObservation();
    return async (url) => {
      const { status, text } = await send(url, { path: '/blood-test/import', bytes, from: '10.0.0.1' });
      return `${status} ${/"msg":"([^"]*)"/.exec(text)?.[1] ?? ''}`;
    };
  },
  'export-components': async () => {
    const bytes = await exportWith(hostileObservation());
    return async (url) => {
      const sent = await send(url, { path: '/wearables/phone-health', name: 'export.zip', bytes, from: '10.0.0.2' });
      if (!sent.cookie) return sent.status;
      return `${sent.status}, ${await untilExportRead(url, sent.cookie).catch((error: Error) => error.name)}`;
    };
  },
  'pdf-nested-flate': async () => {
    const bytes = nestedFlatePdf();
    return async (url) => {
      const sent = await send(url, { path: '/blood-test/upload', name: 'a.pdf', bytes, from: '10.0.0.3' });
      const startedAt = performance.now();
      while (performance.now() - startedAt < LONGEST_MS) {
        const { state } = await stateOf(url, '/api/blood-test/status', sent.cookie);
        if (state === 'ready') return `${sent.status}, ready`;
        await sleep(200);
      }
      return `${sent.status}, not read`;
    };
  },
  'empty-uploads': async () => async (url) => {
    const statuses = new Map<number, number>();
    // The throttle allows five uploads a minute per address, but one network has many addresses.
    for (let at = 0; at < 45; at += 1) {
      const status = await beginUpload(url, `10.1.${Math.floor(at / 5)}.1`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    const next = await beginUpload(url, '10.2.0.1');
    return `${[...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')}; the next person: ${next}`;
  },
  'one-address-holds-the-reader': async () => {
    const bytes = await denseScan();
    return async (url) => {
      for (let at = 0; at < 5; at += 1)
        await send(url, { path: '/blood-test/upload', name: 'dense.pdf', bytes, from: '10.0.0.4' });
      return `the next person's report: ${await readTime(url, '10.0.0.5')}`;
    };
  },
};

/** Waits until the server has finished its own background work: pages, indexes, statistics. */
const untilIdle = async ({ url, child }: Server): Promise<void> => {
  const pid = child.pid as number;
  for (let tries = 0; tries < 600 && !(await timed(url + PAGE)); tries += 1) await sleep(500);
  for (let quiet = 0, tries = 0; quiet < 5 && tries < 400; tries += 1) {
    const before = treeSeconds(pid);
    await sleep(1_000);
    quiet = treeSeconds(pid) - before < 0.15 && !childrenOf(pid).length ? quiet + 1 : 0;
  }
};

const end = async ({ child }: Server, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
};

const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 });

/** Returns a data folder with published pages, made once and copied for each attack. */
const published = async (): Promise<string> => {
  const given = process.env.ATTACKS_DATA_DIR;
  if (given && existsSync(given)) return given;
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'ekb-attacks-')));
  const server = await start(dataDir);
  await untilIdle(server);
  await end(server, 'SIGTERM');
  return dataDir;
};

const measure = async (name: string, prepare: Prepared, from: string): Promise<void> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'ekb-attack-'));
  cpSync(from, dataDir, { recursive: true });
  const server = await start(dataDir);
  const { url, child } = server;
  const pid = child.pid as number;
  try {
    await untilIdle(server);
    const attack = await prepare();
    let isOver = false;
    let [own, children] = [0, 0];
    const watch = setInterval(() => {
      own = Math.max(own, residentMb(pid));
      children = Math.max(children, ...childrenOf(pid).map(residentMb), 0);
    }, 50);
    const [before, resident] = [treeSeconds(pid), residentMb(pid)];
    const reading = readers(url, () => isOver);
    const answer = await attack(url).catch((error: Error) => `failed: ${error.name}`);
    const seconds = treeSeconds(pid) - before;
    const isAlive = child.exitCode === null && child.signalCode === null;
    isOver = true;
    const { times, failed } = await reading;
    clearInterval(watch);
    const p99 = times.length ? percentile(times, 0.99).toFixed(0) : '-';
    console.log(
      `| ${name} | ${answer}${isAlive ? '' : ' (the server is gone)'} | ${isAlive ? seconds.toFixed(1) : 'n/a'} | ${resident.toFixed(0)} to ${own.toFixed(0)} | ${children.toFixed(0)} | ${p99}${failed ? `, ${failed} of ${failed + times.length} unanswered` : ''} |`,
    );
  } finally {
    await end(server, 'SIGKILL');
    await remove(dataDir);
  }
};

const wanted = process.argv.slice(2).map((word) => word.replace(/^-+/, ''));
const from = await published();
console.log(
  '| attack | answer | processor, s | server, MB | largest reading process, MB | page p99, ms |\n|---|---|---|---|---|---|',
);
for (const [name, prepare] of Object.entries(attacks))
  if (!wanted.length || wanted.includes(name)) await measure(name, prepare, from);
if (!process.env.ATTACKS_DATA_DIR) await remove(from);
