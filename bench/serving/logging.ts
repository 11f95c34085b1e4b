/**
 * Measures the cost of a log line per response: without logging, with the service's own writer, and with pino and its
 * asynchronous destination; first the lines alone, then published responses, with each server alone on core 0 and wrk on core 1,
 * the kinds in turn. Prints medians.
 * Usage: node bench/serving/logging.ts [seconds of each measurement, default 5] [rounds, default 5]
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makePages, publishPages } from './pages.ts';
import { type Figures, measure } from './wrk.ts';

const seconds = Number(process.argv[2] ?? 5);
const rounds = Number(process.argv[3] ?? 5);
const KINDS = ['none', 'ours', 'pino', 'pino, redacting'] as const;
const LINES = 300_000;

const missing = [
  ...['wrk', 'taskset'].filter((name) => spawnSync('which', [name]).status !== 0),
  ...(existsSync(join(import.meta.dirname, '../sites/node_modules/pino')) ? [] : ['pino (npm install in bench/sites)']),
];
if (missing.length) {
  console.log(`not measured; it needs ${missing.join(', ')}`);
  process.exit(0);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const root = await mkdtemp(join(tmpdir(), 'logging-'));
const SERVER = join(import.meta.dirname, 'log-server.ts');

/** Returns the processor time of one line in nanoseconds, with the log written to a file. */
const lineCost = async (kind: string): Promise<number> => {
  const program = `
    import { logs } from ${JSON.stringify(SERVER)};
    const log = logs[${JSON.stringify(kind)}]();
    const line = { id: 'req_01ABCDEFGHJKMNPQRSTVWXYZ00', method: 'GET', route: '/supplements/{slug}', status: 200 };
    const turn = async (count) => {
      for (let at = 0; at < count; at += 1) {
        log.request({ ...line, milliseconds: at % 97 });
        if (at % 20 === 0) await new Promise(setImmediate);
      }
    };
    await turn(100_000);
    const before = process.cpuUsage();
    await turn(${LINES});
    const { user, system } = process.cpuUsage(before);
    console.log((user + system) * 1000 / ${LINES});`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    stdio: ['ignore', 'pipe', openSync(join(root, 'lines.log'), 'w')],
  });
  let text = '';
  for await (const chunk of child.stdout ?? []) text += chunk;
  return Number(text);
};

const answers = async (kind: string): Promise<Figures> => {
  const log = openSync(join(root, `${kind}.log`), 'w');
  const command = ['-c', '0', process.execPath, SERVER, kind, join(root, 'site')];
  const child = spawn('taskset', command, { stdio: ['ignore', 'pipe', log] });
  try {
    for await (const url of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
      const target = { url: `${url}/4-kb.html`, pid: child.pid as number };
      await measure(target, { seconds: 1 });
      return await measure(target, { seconds });
    }
    throw new Error(`the server ended before it served: ${await readFile(join(root, `${kind}.log`), 'utf8')}`);
  } finally {
    const ended = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGTERM')) await ended;
  }
};

try {
  await publishPages(
    join(root, 'site'),
    makePages(await readFile(join(import.meta.dirname, '../../content/docs/deployment.md'), 'utf8')),
  );
  const table: Record<string, { lines: number[]; figures: Figures[] }> = {};
  for (const kind of KINDS) table[kind] = { lines: [], figures: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const kind of KINDS) {
      table[kind]?.lines.push(await lineCost(kind));
      table[kind]?.figures.push(await answers(kind));
    }
  const of = (kind: string, value: (figures: Figures) => number): number =>
    median(table[kind]?.figures.map(value) ?? []);
  const ratio = (kind: string, value: (figures: Figures) => number): string =>
    `${((100 * of(kind, value)) / of('ours', value)).toFixed(0)} %`;
  console.table(
    Object.fromEntries(
      KINDS.map((kind) => [
        kind,
        {
          'ns a line': Math.round(median(table[kind]?.lines ?? [])),
          'answers/s': Math.round(of(kind, ({ perSecond }) => perSecond)),
          'of ours': ratio(kind, ({ perSecond }) => perSecond),
          'per second of processor': Math.round(of(kind, ({ perCpuSecond }) => perCpuSecond)),
          'of ours ': ratio(kind, ({ perCpuSecond }) => perCpuSecond),
          'p99 ms': of(kind, ({ p99Ms }) => p99Ms),
          failed: table[kind]?.figures.reduce((sum, { failed }) => sum + failed, 0),
        },
      ]),
    ),
  );
} finally {
  await rm(root, { recursive: true, force: true });
}
