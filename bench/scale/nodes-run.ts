/**
 * Runs two nodes on one PostgreSQL and one Redis behind a balancer under constant load, while one node is killed and restarted
 * and the other is stopped. Returns the data that nodes-judge.ts checks; nodes.ts prints the result.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { type Balancer, type Node, startBalancer } from './balancer.ts';
import { ask, get } from './calls.ts';
import { SECRET } from './made.ts';
import { type Counted, countsOf, type KeyTally, makeKey, note } from './nodes-keys.ts';
import { type OpenLoop, startOpenLoop } from './open-loop.ts';
import { freePort, type Program, startService } from './program.ts';
import { bootstrap, type Key } from './ready.ts';
import type { Server } from './servers.ts';

export interface Plan {
  /** Seconds from the first request until the killed node is restarted; the run continues for half as long after that. */
  readonly seconds: number;
  /** Reader requests per second. */
  readonly perSecond: number;
  /** Requests per second with a key that exceeds its daily quota. */
  readonly quotaPerSecond: number;
}

/** Times of the events from performance.now(); `killedOn` is a wall-clock time. */
export interface Moments {
  killedAt: number;
  killedOn: number;
  underWayAtKill: number;
  /** By key id: calls that were answered before the kill but were in no report after it. */
  unreportedAtKill: ReadonlyMap<string, number>;
  statusOfEnded: number | null;
}

export interface Outcome {
  readonly tallies: readonly KeyTally[];
  readonly moments: Moments;
  readonly balancer: Pick<Balancer, 'lost' | 'answersOf'>;
  /** By key id. */
  readonly counted: ReadonlyMap<string, Counted>;
  /** Start times of the job with the short schedule, in milliseconds since 1970. */
  readonly jobRuns: readonly number[];
  readonly times: readonly number[];
}

/** Requests of all kinds: keyword and semantic searches, names, a set of interaction rules, lists. */
const READS = [
  '/v1/evidence/search?q=magnesium+sleep&top_k=5',
  '/api/supplements/magnesium',
  '/api/suggest?q=mag',
  '/api/interactions/check?supplement=ginkgo&drug=warfarin',
  '/api/resolve?name=turmeric',
  '/v1/evidence/search?q=does+creatine+improve+strength',
  '/api/conditions/insomnia',
  '/api/outcomes?supplement=magnesium',
  '/api/sources?vertical=magnesium-sleep&page_size=3',
  '/api/drugs/Coumadin',
];
const READERS = 4;
export const KILLED = 'node 2';
const ENDED = 'node 1';

/** Starts the nodes; each gets a new address on every start. */
const nodeStarter = (settings: Readonly<Record<string, string>>, balancer: Balancer) => {
  const programs = new Map<string, Program>();
  return {
    programs,
    start: async (name: string): Promise<Node> => {
      const port = await freePort();
      const program = await startService({ ...settings, PRIVATE_PORT: String(port) });
      programs.set(name, program);
      const node = { name, url: program.url, privateUrl: `http://127.0.0.1:${port}` };
      balancer.put(node);
      while (!balancer.isReady(name)) await sleep(50);
      return node;
    },
    endAll: () => Promise.all([...programs.values()].map((program) => program.end('SIGKILL'))),
  };
};

/** Waits for the index, which a node loads or builds while it is already running. */
const untilSearchable = async ({ url }: Node, { key }: Key): Promise<void> => {
  const call = get(READS[0] as string, { Authorization: `Bearer ${key}` });
  for (let tries = 0; tries < 600; tries += 1) {
    const found = await ask<{ results: readonly unknown[] }>(url, call).catch(() => null);
    if (found?.results.length) return;
    await sleep(200);
  }
  throw new Error('A node finds nothing after two minutes');
};

interface Cast {
  readonly plan: Plan;
  readonly balancer: Balancer;
  readonly nodes: ReturnType<typeof nodeStarter>;
  readonly admin: Key;
  readonly db: Client;
  readonly tallies: KeyTally[];
  readonly times: number[];
}

const REPORTED = 'select key_id as id, sum(calls)::int as calls from key_usage group by key_id';

/** Returns for each key the number of answered calls that are in no report yet. */
const unreported = async ({ db, tallies }: Cast): Promise<ReadonlyMap<string, number>> => {
  const answered = tallies.map((tally) => [tally.id, tally.answered + tally.refused] as const);
  const { rows } = await db.query<{ id: string; calls: number }>(REPORTED);
  const reported = new Map(rows.map(({ id, calls }) => [id, calls]));
  return new Map(answered.map(([id, calls]) => [id, Math.max(0, calls - (reported.get(id) ?? 0))]));
};

/** Waits for the usage report of a key that is no longer used; the report is written every two seconds. */
const untilReported = async (cast: Cast, name: string): Promise<void> => {
  const tally = cast.tallies.find((each) => each.name === name) as KeyTally;
  for (let tries = 0; tries < 600; tries += 1) {
    if ((await unreported(cast)).get(tally.id) === 0) return;
    await sleep(100);
  }
  throw new Error(`The report of ${name} is not written after a minute`);
};

const streamOf = async (cast: Cast, perSecond: number, names: readonly string[], limit: number | null) => {
  const { balancer, tallies, times } = cast;
  const keys = await Promise.all(names.map((name) => makeKey(balancer.url, cast.admin, { name, limit })));
  tallies.push(...keys.map(({ tally }) => tally));
  const of = (nth: number) => keys[nth % keys.length] as (typeof keys)[number];
  return startOpenLoop({
    base: balancer.url,
    perSecond,
    call: (nth) => {
      const { key, tally } = of(nth);
      tally.sent += 1;
      return get(READS[nth % READS.length] as string, { Authorization: `Bearer ${key}` });
    },
    answered: (nth, answered, milliseconds) => {
      note(of(nth).tally, answered);
      times.push(milliseconds);
    },
  });
};

/** Uses a separate key a third more often than its daily quota allows while `work` runs. */
const overrun = async (cast: Cast, name: string, seconds: number, work: () => Promise<unknown>): Promise<void> => {
  const { quotaPerSecond } = cast.plan;
  const limit = Math.floor(0.75 * quotaPerSecond * seconds);
  const stream: OpenLoop = await streamOf(cast, quotaPerSecond, [name], limit);
  const began = performance.now();
  await work();
  await sleep(Math.max(0, began + 1000 * seconds - performance.now()));
  await stream.stop();
};

const kill = async (cast: Cast, moments: Moments): Promise<void> => {
  const { nodes, balancer } = cast;
  moments.killedAt = performance.now();
  moments.killedOn = Date.now();
  const ended = nodes.programs.get(KILLED)?.end('SIGKILL');
  moments.underWayAtKill = balancer.underWay(KILLED);
  await ended;
  moments.unreportedAtKill = await unreported(cast);
};

const play = async (cast: Cast): Promise<Moments> => {
  const { plan, nodes } = cast;
  const third = plan.seconds / 3;
  const moments: Moments = {
    ...{ killedAt: 0, killedOn: 0, underWayAtKill: 0, statusOfEnded: null },
    unreportedAtKill: new Map(),
  };
  const names = Array.from({ length: READERS }, (_, at) => `reader ${at + 1}`);
  const readers = await streamOf(cast, plan.perSecond, names, null);
  const both = 'quota, both nodes';
  await overrun(cast, both, third, async () => undefined);
  await overrun(cast, 'quota, one is killed', third, async () => {
    await sleep(300 * third);
    await untilReported(cast, both);
    await kill(cast, moments);
  });
  await nodes.start(KILLED);
  await overrun(cast, 'quota, one is asked to end', third, async () => {
    await sleep(300 * third);
    moments.statusOfEnded = (await nodes.programs.get(ENDED)?.end('SIGTERM')) ?? null;
  });
  await readers.stop();
  return moments;
};

const RUNS = 'select extract(epoch from started_at)::float8 * 1000 as began from job_run where job = $1 order by id';

/** Waits until the run cannot cross midnight (UTC), when daily quotas reset. */
const untilClearOfMidnight = async (seconds: number): Promise<void> => {
  const left = 86_400 - ((Date.now() / 1000) % 86_400);
  if (left < seconds) await sleep(1000 * (left + 1));
};

/**
 * Runs the scenario, and stops everything it started, whatever happens.
 * @param job id of the job whose runs are returned
 */
export const runNodes = async (
  plan: Plan,
  { postgres, redis, job }: { postgres: Server; redis: Server; job: string },
) => {
  await untilClearOfMidnight(4 * plan.seconds + 120);
  const dataDir = await mkdtemp(join(tmpdir(), 'ekb-nodes-'));
  const balancer = await startBalancer();
  const counters = new Redis(redis.url);
  const db = new Client({ connectionString: postgres.url });
  // The setup of deploy/compose.yaml: one folder, one secret, one database, one Redis. No node generates pages here.
  const settings = {
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    APP_SECRET: randomBytes(32).toString('base64'),
    TRUSTED_PROXIES: '127.0.0.1',
    DRAIN_SECONDS: '3',
    STARTER_PRODUCTS: 'none',
    STARTER_EVIDENCE: 'none',
    ADMIN_BOOTSTRAP_SECRET: SECRET,
    // A node that is too busy refuses requests, which is correct but not under test here.
    MAX_EVENT_LOOP_DELAY: '60000',
  };
  const nodes = nodeStarter(settings, balancer);
  try {
    await db.connect();
    const first = await nodes.start(ENDED);
    const admin = await bootstrap(first.url);
    await untilSearchable(first, admin);
    await untilSearchable(await nodes.start(KILLED), admin);
    const cast: Cast = { plan, balancer, nodes, admin, db, tallies: [], times: [] };
    const moments = await play(cast);
    // The usage report is written every two seconds, and when a node stops.
    await nodes.programs.get(KILLED)?.end('SIGTERM');
    const counted = new Map<string, Counted>();
    for (const tally of cast.tallies) counted.set(tally.id, await countsOf(counters, db, tally));
    const { rows } = await db.query<{ began: number }>(RUNS, [job]);
    const { tallies, times } = cast;
    return { tallies, times, moments, balancer, counted, jobRuns: rows.map(({ began }) => began) } as Outcome;
  } finally {
    await nodes.endAll();
    await balancer.stop();
    counters.disconnect();
    await db.end().catch(() => undefined);
    await rm(dataDir, { recursive: true, force: true });
  }
};
