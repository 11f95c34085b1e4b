/**
 * Compares serving of published pages with nginx, koa-static and a bare Koa route: the same two pages, each server alone on one
 * core and wrk on the other; then measures latency while every page is regenerated.
 * Usage: node bench/serving/serving.ts [seconds of each measurement, default 10]
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePages, publishPages, writeFiles } from './pages.ts';
import { koa, nginx, ours, type Running } from './servers.ts';
import { CONNECTIONS, type Figures, measure } from './wrk.ts';

const seconds = Number(process.argv[2] ?? 10);
const WARM_UP = 2;
/** Maximum seconds until a server has finished its own background work. */
const SETTLING = 30;
const PAGES = ['4-kb', '40-kb'] as const;

const missing = [
  ...['nginx', 'wrk', 'taskset'].filter((name) => spawnSync('which', [name]).status !== 0),
  ...(existsSync(join(import.meta.dirname, '../sites/node_modules/koa-static'))
    ? []
    : ['koa-static (npm install in bench/sites)']),
  ...(cpus().length < 2 ? ['a second core'] : []),
  ...(process.platform === 'linux' ? [] : ['Linux']),
];
if (missing.length) {
  console.log(`not measured; it needs ${missing.join(', ')}`);
  process.exit(0);
}

const root = await mkdtemp(join(tmpdir(), 'serving-'));
// nginx's worker runs as another user.
await chmod(root, 0o755);
const folder = join(root, 'files');
const dataDir = join(root, 'data');

/** Returns whether a process uses more than 5 % of a processor over one second. */
const isBusy = async (pid: number): Promise<boolean> => {
  const ticks = async () => {
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
    return Number(fields[11]) + Number(fields[12]);
  };
  const before = await ticks();
  await sleep(1000);
  return (await ticks()) - before > 5;
};

const residentMb = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);

type Row = Figures & { readonly server: string; readonly page: string; readonly encoding: string };
const rows: Row[] = [];

/** Measures every page in every requested encoding on one server. */
const compare = async (server: string, start: (page: string) => Promise<Running>, encodings: readonly string[]) => {
  for (const page of PAGES) {
    const running = await start(`${page}.html`);
    try {
      for (let tries = 0; tries < SETTLING && (await isBusy(running.pid)); tries += 1);
      for (const encoding of encodings) {
        const target = { url: `${running.url}/${page}.html`, pid: running.pid };
        const acceptEncoding = encoding === 'plain' ? undefined : encoding;
        await measure(target, { seconds: WARM_UP, acceptEncoding });
        const before = residentMb(running.pid);
        rows.push({ server, page, encoding, ...(await measure(target, { seconds, acceptEncoding })) });
        console.log(
          `${server}, ${page}, ${encoding}: ${rows.at(-1)?.perSecond.toFixed(0)}/s, ${before} to ${residentMb(running.pid)} MB`,
        );
      }
    } finally {
      await running.stop();
    }
  }
};

const percent = (a: number | undefined, b: number | undefined): string =>
  a && b ? `${((100 * a) / b).toFixed(0)} %` : '';

const tell = (): void => {
  for (const page of PAGES)
    for (const encoding of ['plain', 'gzip', 'br']) {
      const these = rows.filter((row) => row.page === page && row.encoding === encoding);
      const peer = these.find(({ server }) => server === 'nginx');
      if (!these.length) continue;
      console.log(`\n${page}, ${encoding}, ${CONNECTIONS} connections, ${seconds} s`);
      console.table(
        Object.fromEntries(
          these.map((row) => [
            row.server,
            {
              'requests/s': Math.round(row.perSecond),
              'of nginx': percent(row.perSecond, peer?.perSecond),
              'p50 ms': row.p50Ms.toFixed(2),
              'p99 ms': row.p99Ms.toFixed(2),
              'per second of processor': Math.round(row.perCpuSecond),
              'of nginx’s': percent(row.perCpuSecond, peer?.perCpuSecond),
              failed: row.failed,
            },
          ]),
        ),
      );
    }
};

/** Runs `generate --full` on the starter content, at the priority that the publisher gives it. */
const generate = (data: string, core: 'full' | 'first') =>
  spawn(
    'nice',
    [
      '-n',
      '19',
      process.execPath,
      join(import.meta.dirname, '../../core/main.ts'),
      'generate',
      ...(core === 'full' ? ['--full'] : []),
    ],
    {
      env: { ...process.env, DATA_DIR: data, LOG_LEVEL: 'warn', STARTER_PRODUCTS: 'core', STARTER_EVIDENCE: 'none' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );

/** Measures the latency of a page, idle and while all pages are regenerated. */
const whileGenerating = async (): Promise<void> => {
  const data = join(root, 'starter');
  const first = generate(data, 'first');
  first.stdout.pipe(process.stdout);
  await once(first, 'close');
  const server = await ours(data, join(root, 'starter.log'), { level: 'info', core: null });
  try {
    for (let tries = 0; tries < SETTLING && (await isBusy(server.pid)); tries += 1);
    const target = { url: `${server.url}/supplements/magnesium`, pid: server.pid };
    const table: Record<string, object> = {};
    const note = async (name: string, connections: number): Promise<void> => {
      const { perSecond, p50Ms, p99Ms, failed } = await measure(target, {
        seconds,
        connections,
        acceptEncoding: 'br',
        core: null,
      });
      table[name] = {
        'requests/s': Math.round(perSecond),
        'p50 ms': p50Ms,
        'p99 ms': p99Ms,
        failed,
        'resident MB': residentMb(server.pid),
      };
    };
    await measure(target, { seconds: WARM_UP, acceptEncoding: 'br', core: null });
    await note('in peace, 8 connections', 8);
    await note(`in peace, ${CONNECTIONS} connections`, CONNECTIONS);
    const build = generate(data, 'full');
    const ended = once(build, 'close').then(() => false);
    build.stdout.pipe(process.stdout);
    // The program starts up and reads the data that it will generate.
    await sleep(8_000);
    await note('while generating, 8 connections', 8);
    await note(`while generating, ${CONNECTIONS} connections`, CONNECTIONS);
    const wasRunning = await Promise.race([ended, sleep(0, true)]);
    await ended;
    await note('afterwards, 8 connections', 8);
    console.log(
      `\n/supplements/magnesium, Brotli, server and wrk on any core, generate at nice 19${wasRunning ? '' : ' (it ended before the measurement did)'}`,
    );
    console.table(table);
  } finally {
    await server.stop();
  }
};

try {
  console.log(`load average at the start: ${loadavg()[0]?.toFixed(1)}`);
  const pages = makePages(await readFile(join(import.meta.dirname, '../../content/docs/deployment.md'), 'utf8'));
  await writeFiles(folder, pages);
  await publishPages(join(dataDir, 'site'), pages);
  const log = join(root, 'server.log');
  await compare('nginx', () => nginx(folder, join(root, 'nginx'), false), ['plain', 'gzip']);
  await compare('ours', () => ours(dataDir, log, { level: 'info' }), ['plain', 'gzip', 'br']);
  await compare('ours, no request log', () => ours(dataDir, log, { level: 'warn' }), ['plain', 'gzip']);
  await compare('nginx, access log', () => nginx(folder, join(root, 'nginx-log'), true), ['plain', 'gzip']);
  await compare('bare Koa route', (page) => koa('bare', folder, page, log), ['plain']);
  await compare('koa-static', (page) => koa('static', folder, page, log), ['plain', 'gzip', 'br']);
  tell();
  await whileGenerating();
  if (rows.some(({ failed }) => failed)) process.exitCode = 1;
  console.log(`load average at the end: ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await rm(root, { recursive: true, force: true });
}
