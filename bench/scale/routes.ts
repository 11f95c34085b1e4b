/**
 * Compares every counted JSON route of the service with a bare Koa route that returns as many bytes. The service, the bare route
 * and the load generator each have their own process and take turns in each round; the table shows medians of the rounds. Any
 * response other than a 200 with content fails the run.
 * Usage: node bench/scale/routes.ts [seconds of each measurement, default 1] [rounds, default 3]
 * Limits of callers are set out of reach. A route with its own limit (feedback, asking) is called from a different address each
 * time, as by many users behind a trusted proxy, so that its limit is counted but never reached.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Call, get, send } from './calls.ts';
import { type Figures, hammer } from './closed-loop.ts';
import { countedExamples, type Example, wrongWith } from './examples.ts';
import { median, percent, printTable, shown } from './figures.ts';
import { BENCH_PATH, MANY, SECRET } from './made.ts';
import { startProgram, startService } from './program.ts';
import { bootstrap, untilFilled } from './ready.ts';

const CONNECTIONS = 16;
const seconds = Number(process.argv[2] ?? 1);
const rounds = Number(process.argv[3] ?? 3);
/** Warm-up of each route before the first round, in seconds. */
const WARM_UP = Math.min(0.5, seconds);

interface Measured {
  readonly example: Example;
  /** Size of the response. */
  readonly bytes: number;
  readonly ours: Figures[];
  readonly bare: Figures[];
}

/** Returns an address of 10.0.0.0/8 for each number. */
const addressOf = (nth: number): string => `10.${(nth >> 16) & 255}.${(nth >> 8) & 255}.${nth & 255}`;

let crowd = 0;
const callOf = ({ call, isThrottled }: Example): (() => Call) =>
  isThrottled ? () => ({ ...call, headers: { ...call.headers, 'X-Forwarded-For': addressOf(++crowd) } }) : () => call;

const benchExample = (name: string): Example => ({
  id: name,
  name: `GET ${BENCH_PATH}/${name}`,
  isRead: true,
  isThrottled: false,
  lists: [],
  call: get(`${BENCH_PATH}/${name}`),
});

const failures = ({ example, ours, bare }: Measured): string[] =>
  [...ours, ...bare].flatMap(({ wrong }) =>
    Object.entries(wrong).map(([why, count]) => `${example.name}: ${count} answers were ${why}`),
  );

const of = (runs: readonly Figures[], figure: 'perSecond' | 'p50Ms' | 'p99Ms'): number =>
  median(runs.map((run) => run[figure]));

/**
 * Prints the table. The column "own work" is the share of a request's time that the route itself and its response take, beyond
 * the cost of any counted request.
 */
const tell = (all: readonly Measured[], counted: number): void =>
  printTable(
    [
      'route',
      'KB',
      'requests/s',
      'p50 ms',
      'p99 ms',
      'bare/s',
      'bare p99 ms',
      'of bare',
      'p99, times bare',
      'own work',
    ],
    all.map(({ example, bytes, ours, bare }) => [
      `\`${example.name}\`${example.isThrottled ? ' ¹' : ''}`,
      (bytes / 1024).toFixed(1),
      shown(of(ours, 'perSecond')),
      shown(of(ours, 'p50Ms')),
      shown(of(ours, 'p99Ms')),
      shown(of(bare, 'perSecond')),
      shown(of(bare, 'p99Ms')),
      percent(of(ours, 'perSecond') / of(bare, 'perSecond')),
      shown(of(ours, 'p99Ms') / of(bare, 'p99Ms')),
      percent(Math.max(0, 1 - of(ours, 'perSecond') / counted)),
    ]),
  );

const dataDir = await mkdtemp(join(tmpdir(), 'ekb-routes-'));
const service = await startService({
  DATA_DIR: dataDir,
  STARTER_PRODUCTS: 'core',
  STARTER_EVIDENCE: 'none',
  ADMIN_BOOTSTRAP_SECRET: SECRET,
  TRUSTED_PROXIES: '127.0.0.1',
  ANON_RPM: MANY,
  ANON_DAILY: MANY,
  // A rejection because of overload would be a measurement error.
  MAX_EVENT_LOOP_DELAY: '60000',
});
const bare = await startProgram([join(import.meta.dirname, '../bare-route.ts')]);
const agent = new Agent({ keepAlive: true });
try {
  const { key } = await bootstrap(service.url);
  await untilFilled(service.url, key);
  const examples = [benchExample('nothing'), benchExample('counted'), ...(await countedExamples(service.url, key))];
  const all: Measured[] = [];
  const unusable: string[] = [];
  for (const example of examples) {
    const first = await send(service.url, callOf(example)(), agent, true);
    const wrong = wrongWith(example, first);
    if (wrong) unusable.push(wrong);
    all.push({ example, bytes: first.bytes, ours: [], bare: [] });
  }
  if (unusable.length) throw new Error(unusable.join('\n'));
  console.log(
    `${all.length - 2} routes, ${CONNECTIONS} connections, ${rounds} rounds of ${seconds} s each; load average ${loadavg()[0]?.toFixed(1)}\n`,
  );
  const load = { connections: CONNECTIONS, seconds };
  for (const { example } of all) await hammer(service.url, { ...load, call: callOf(example), seconds: WARM_UP });
  for (let round = 0; round < rounds; round += 1)
    for (const { example, bytes, ours, bare: beside } of all) {
      const call = get(`/search/${bytes}`);
      const measureOurs = async () => ours.push(await hammer(service.url, { ...load, call: callOf(example) }));
      const measureBare = async () => beside.push(await hammer(bare.url, { ...load, call: () => call }));
      for (const measure of round % 2 ? [measureBare, measureOurs] : [measureOurs, measureBare]) await measure();
    }
  const counted = of(all[1]?.ours ?? [], 'perSecond');
  tell(all, counted);
  console.log('\n¹ with a limit of its own: each call from another address.');
  console.log(`load average at the end: ${loadavg()[0]?.toFixed(1)}`);
  const failed = all.flatMap(failures);
  for (const line of failed) console.log(line);
  if (failed.length) process.exitCode = 1;
} finally {
  agent.destroy();
  await service.end();
  await bare.end();
  await rm(dataDir, { recursive: true, force: true });
}
