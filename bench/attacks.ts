/**
 * Measures the cost of load attacks: processor seconds, resident memory, and the latency for readers of a published page
 * meanwhile. The service runs in a separate process; this process sends the attacks, and a thread acts as the reader.
 * Usage: node bench/attacks.ts [pattern that matches the names of attacks]
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type Attack, attacks, type Outcome } from './attacks/attacks.ts';
import { processFigures } from './attacks/process-figures.ts';
import { printTable, quantile } from './scale/figures.ts';
import { type Program, startProgram } from './scale/program.ts';
import { makePages, publishPages } from './serving/pages.ts';

const PAGE = '/4-kb.html';
const EVERY_MS = 10;
const SAMPLE_MS = 50;

const wanted = process.argv[2] ?? '';

const startReader = (url: string) => {
  const worker = new Worker(join(import.meta.dirname, 'attacks/prober.ts'), {
    workerData: { url: `${url}${PAGE}`, everyMs: EVERY_MS },
  });
  const told = new Promise<{ times: number[]; failed: number }>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });
  return {
    end: () => {
      worker.postMessage('end');
      return told;
    },
  };
};

interface Row {
  readonly name: string;
  readonly outcome: Outcome;
  readonly seconds: number;
  readonly addedMb: number;
  readonly p99: number;
  readonly worst: number;
  readonly failed: number;
}

/**
 * Number of consecutive quiet samples required: on a busy machine, a program that waits for the processor or the disk looks idle
 * for a moment.
 */
const QUIET_LOOKS = 3;
const SAME_MB = 5;

/** Waits until the process uses less than a tenth of a processor and its memory is stable. */
const untilQuiet = async ({ pid }: Program): Promise<void> => {
  let [before, quiet] = [processFigures(pid), 0];
  for (let tries = 0; tries < 60 && quiet < QUIET_LOOKS; tries += 1) {
    await sleep(500);
    const now = processFigures(pid);
    const isQuiet = now.seconds - before.seconds < 0.05 && Math.abs(now.residentMb - before.residentMb) < SAME_MB;
    quiet = isQuiet ? quiet + 1 : 0;
    before = now;
  }
};

const measure = async (program: Program, { name, run }: Attack): Promise<Row> => {
  await untilQuiet(program);
  const before = processFigures(program.pid);
  let peak = before.residentMb;
  const sampler = setInterval(() => {
    peak = Math.max(peak, processFigures(program.pid).residentMb);
  }, SAMPLE_MS);
  const agent = new Agent({ keepAlive: true });
  const reader = startReader(program.url);
  await sleep(300);
  const outcome = await run({ url: program.url, agent });
  await sleep(300);
  const { times, failed } = await reader.end();
  await untilQuiet(program);
  clearInterval(sampler);
  agent.destroy();
  const sorted = Float64Array.from(times).sort();
  return {
    name,
    outcome,
    seconds: processFigures(program.pid).seconds - before.seconds,
    addedMb: peak - before.residentMb,
    p99: quantile(sorted, 0.99),
    worst: sorted.at(-1) ?? Number.NaN,
    failed,
  };
};

const wordsOf = (outcome: Outcome): string =>
  Object.entries(outcome)
    .filter(([, count]) => count)
    .map(([word, count]) => `${count} × ${word}`)
    .join(', ');

const dataDir = await mkdtemp(join(tmpdir(), 'attacks-'));

const start = (): Promise<Program> =>
  startProgram([join(import.meta.dirname, '../core/main.ts'), 'serve'], {
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    GENERATE_PAGES: 'off',
    STARTER_PRODUCTS: 'none',
    STARTER_EVIDENCE: 'none',
    LOG_LEVEL: 'silent',
    TRUSTED_PROXIES: '127.0.0.1',
    DRAIN_SECONDS: '0',
  });

console.log(`load average ${loadavg()[0]?.toFixed(1)}\n`);
const rows: Row[] = [];
try {
  await publishPages(
    join(dataDir, 'site'),
    makePages(await readFile(join(import.meta.dirname, '../content/docs/deployment.md'), 'utf8')),
  );
  const first = await start();
  await untilQuiet(first);
  await first.end();
  for (const attack of attacks.filter(({ name }) => new RegExp(wanted).test(name))) {
    // Each attack gets a fresh process, so that memory left by one does not count for the next.
    const program = await start();
    try {
      const row = await measure(program, attack);
      rows.push(row);
      console.error(
        `${row.name}: ${row.seconds.toFixed(2)} s, ${row.addedMb.toFixed(0)} MB, p99 ${row.p99.toFixed(0)} ms`,
      );
    } finally {
      await program.end();
    }
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
printTable(
  ['attack', 'answers', 'processor s', 'memory added, MB', 'page p99 ms', 'page worst ms', 'page failed'],
  rows.map(({ name, outcome, seconds, addedMb, p99, worst, failed }) => [
    name,
    wordsOf(outcome),
    seconds.toFixed(2),
    addedMb.toFixed(0),
    p99.toFixed(0),
    worst.toFixed(0),
    String(failed),
  ]),
);
