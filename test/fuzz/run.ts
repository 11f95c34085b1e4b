/**
 * Starts a server, sends it hostile requests one after the other, and reports each request that crashes the server, gets
 * a 5xx response or none, or exceeds the limits on processor time or memory.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { AnyPlugin, Page } from '#core/plugin.ts';
import { plugins } from '#plugins/index.ts';
import { BOOTSTRAP_SECRET, discard, environmentOf, newPlace } from '../support/service.ts';
import { randomBy } from './hostile-values.ts';
import { type HostileRequest, type Operation, operationsIn, requestFor } from './requests.ts';

const MOST_SECONDS = 2;
const MOST_ADDED_MB = 500;
const PATIENCE_MS = 60_000;
const KEYS = 20;
const TICKS_PER_SECOND = 100;
/**
 * Limits the heap of the server, in megabytes, to about twice what it needs. Without a limit, V8 collects seldom while memory is
 * free, so that resident memory would say nothing about leaks.
 */
const HEAP_LIMIT = '--max-old-space-size=448';
/** The number of requests between two memory measurements. */
const LOOK_EVERY = 20;
const SLOWEST = 5;

export interface Finding {
  /** The index of the request in the run. */
  readonly at: number;
  readonly what: string;
  readonly request: string;
}

export interface FuzzResult {
  readonly sent: number;
  readonly operations: number;
  /** The number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** The requests with the most processor time, slowest first. */
  readonly slowest: readonly { readonly seconds: number; readonly request: string }[];
  readonly addedMb: number;
  readonly findings: readonly Finding[];
}

interface Server {
  readonly url: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

const startServer = async (): Promise<Server> => {
  const place = await newPlace();
  const settings = {
    TRUSTED_PROXIES: '127.0.0.1',
    ANON_RPM: '1000000',
    ANON_DAILY: '1000000',
    GENERATE_PAGES: 'off',
    STARTER_PRODUCTS: 'none',
    MAX_EVENT_LOOP_DELAY: '60000',
  };
  const child = spawn(process.execPath, [HEAP_LIMIT, join(import.meta.dirname, '../../core/main.ts'), 'serve'], {
    env: { ...process.env, ...environmentOf(place, settings) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = (): unknown => child.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async (): Promise<void> => {
    process.off('exit', kill);
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    await discard(place);
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (!url) continue;
    child.stdout.resume();
    return { url, child, stop };
  }
  await stop();
  throw new Error('The server ended before it served');
};

const secondsOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
};

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Returns the page routes as operations, because pages are not part of the OpenAPI document. */
const pageOperations = (): readonly Operation[] =>
  plugins.flatMap((plugin: AnyPlugin) =>
    ((plugin.pages ?? []) as readonly Page[]).map(({ path, query }) => ({
      method: 'GET',
      path,
      parameters: Object.entries((query as { properties?: Record<string, object> } | undefined)?.properties ?? {}).map(
        ([name, schema]) => ({ name, in: 'query', schema }),
      ),
      bodies: {},
    })),
  );

const makeKeys = async (url: string): Promise<readonly string[]> => {
  const post = async (body: object, headers: Readonly<Record<string, string>>): Promise<string> => {
    const reply = await fetch(`${url}/api/keys`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return ((await reply.json()) as { key: string }).key;
  };
  const admin = await post({ name: 'fuzz', is_admin: true }, { 'X-Admin-Bootstrap': BOOTSTRAP_SECRET });
  const keys = [admin];
  while (keys.length < KEYS)
    keys.push(await post({ name: 'fuzz', is_admin: keys.length % 2 === 1 }, { Authorization: `Bearer ${admin}` }));
  return keys;
};

/** Resolves with the status code, or with an error message if there is no response. */
const send = (agent: Agent, url: string, { method, path, headers, body }: HostileRequest): Promise<string> =>
  new Promise((resolve) => {
    try {
      const sent = request(`${url}/`, { agent, method, path, headers, timeout: PATIENCE_MS });
      sent.on('response', (reply) => {
        reply.resume().on('close', () => resolve(String(reply.statusCode)));
      });
      sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
      sent.on('error', (error) => resolve(error.message));
      sent.end(body ?? undefined);
    } catch {
      // Node refuses the request as invalid HTTP, and so would any proxy.
      resolve('not sent');
    }
  });

const shorten = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}… (${text.length})` : text);

const describeRequest = ({ method, path, headers, body }: HostileRequest): string =>
  `${method} ${shorten(path)} ${shorten(JSON.stringify(headers))} ${shorten(JSON.stringify(String(body ?? '')))}`;

/** Errors that are acceptable for a request with a body: the server may close the connection without reading the body. */
const HUNG_UP = /^(write EPIPE|read ECONNRESET|socket hang up)$/;

export const fuzz = async (
  { requests, seed }: { readonly requests: number; readonly seed: number },
  onProgress: (sent: number) => void = () => undefined,
): Promise<FuzzResult> => {
  const server = await startServer();
  const pid = server.child.pid as number;
  const agent = new Agent({ keepAlive: true });
  const [random, findings, statuses] = [randomBy(seed), [] as Finding[], {} as Record<string, number>];
  let sent = 0;
  let slowest: FuzzResult['slowest'] = [];
  try {
    const keys = await makeKeys(server.url);
    const description = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      paths: Parameters<typeof operationsIn>[0];
    };
    const operations = [...operationsIn(description.paths), ...pageOperations()];
    const before = residentMb(pid);
    let most = before;
    for (; sent < requests; sent += 1) {
      const made = requestFor(random, operations[sent % operations.length] as Operation);
      const from = `10.${random.below(256)}.${random.below(256)}.${random.below(256)}`;
      const headers = {
        'X-Forwarded-For': from,
        ...(random.isLucky(0.8) && { Authorization: `Bearer ${random.oneOf(keys)}` }),
        ...made.headers,
      };
      const hostile = { ...made, headers };
      const note = (what: string): void => void findings.push({ at: sent, what, request: describeRequest(hostile) });
      const startedAt = secondsOf(pid);
      const status = await send(agent, server.url, hostile);
      if (server.child.exitCode !== null || server.child.signalCode !== null) {
        note(`the server ended (${server.child.exitCode ?? server.child.signalCode})`);
        break;
      }
      const seconds = secondsOf(pid) - startedAt;
      if (seconds > (slowest.at(-1)?.seconds ?? 0))
        slowest = [...slowest.slice(0, SLOWEST - 1), { seconds, request: describeRequest(hostile) }].sort(
          (a, b) => b.seconds - a.seconds,
        );
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (seconds > MOST_SECONDS) note(`took ${seconds.toFixed(1)} s of processor time`);
      if (/^5\d\d$/.test(status)) note(`was answered ${status}`);
      else if (!/^\d{3}$/.test(status) && status !== 'not sent' && !(made.body && HUNG_UP.test(status))) note(status);
      if (sent % LOOK_EVERY === 0) {
        most = Math.max(most, residentMb(pid));
        onProgress(sent);
      }
      if (most - before > MOST_ADDED_MB) {
        note(`memory grew by ${Math.round(most - before)} MB`);
        break;
      }
    }
    return { sent, operations: operations.length, statuses, slowest, addedMb: most - before, findings };
  } finally {
    agent.destroy();
    await server.stop();
  }
};
