/**
 * Runs a service at half of its maximum throughput for minutes: requests are sent at a constant rate, whether or not earlier ones
 * have been answered, and each latency counts from the scheduled time. Exits 1 on any response other than 200, and when memory
 * grows.
 * Usage: node bench/scale/soak.ts [minutes, default 10; may be a fraction]
 * Memory is flat when the least-squares line over the last two thirds of the time rises by less than 2 % of the mean (heap,
 * immediately after a collection) or 5 % (resident memory), or by less than twice its standard error. Runs under five minutes
 * report memory without a verdict.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { printTable, shown } from './figures.ts';
import { MANY, SECRET } from './made.ts';
import { mixOf } from './mix.ts';
import { startOpenLoop } from './open-loop.ts';
import { freePort, startService } from './program.ts';
import { countOf, createTally, peakOf, type Target } from './ramp.ts';
import { bootstrap, untilFilled } from './ready.ts';
import { growthOf, lateness, type Memory, MOST, memoryOf } from './soak-watch.ts';

const minutes = Number(process.argv[2] ?? 10);
const JUDGED_FROM_MINUTES = 5;
const SAMPLE_SECONDS = Math.max(1, Math.min(30, (minutes * 60) / 20));
/** Interval at which the event loop delay of the service is read, in seconds. */
const LOOK_SECONDS = 2;
const STEP_SECONDS = Math.min(3, minutes * 10);

interface Sample extends Memory {
  readonly minute: number;
}

const soak = async ({ url, privateUrl, mix }: Target, perSecond: number) => {
  const tally = createTally();
  const samples: Sample[] = [];
  const rows: string[][] = [];
  let worst = 0;
  const began = performance.now();
  const loop = startOpenLoop({ base: url, perSecond, call: mix.call, answered: tally.answered });
  const sample = async (): Promise<void> => {
    const minute = (performance.now() - began) / 60_000;
    const { count, p50, p99 } = tally.take();
    const memory = await memoryOf(url, privateUrl);
    samples.push({ minute, ...memory });
    const cells = [
      minute.toFixed(1),
      shown(count),
      String(countOf(tally.errors)),
      shown(p50),
      shown(p99),
      shown(worst * 1000),
      shown(memory.rssMb),
      shown(memory.heapMb),
      shown(loop.takeLateness()),
    ];
    rows.push(cells);
    console.log(cells.join('  '));
    worst = 0;
  };
  for (let next = SAMPLE_SECONDS; next <= minutes * 60 + 0.001; next += SAMPLE_SECONDS) {
    const until = began + next * 1000;
    while (performance.now() < until) {
      await sleep(Math.max(1, Math.min(LOOK_SECONDS * 1000, until - performance.now())));
      worst = Math.max(worst, await lateness(privateUrl));
    }
    await sample();
  }
  await loop.stop();
  return { samples, rows, errors: tally.errors, sent: loop.sent() };
};

const tell = ({ samples, rows, errors, sent }: Awaited<ReturnType<typeof soak>>): boolean => {
  console.log('');
  printTable(
    [
      'minute',
      'answered',
      'errors so far',
      'p50 ms',
      'p99 ms',
      'event loop late, p99 ms at worst',
      'resident MB',
      'heap MB after collection',
      'sender late at most, ms',
    ],
    rows,
  );
  console.log(`\n${sent.toLocaleString('en')} requests, errors: ${countOf(errors) ? JSON.stringify(errors) : 'none'}.`);
  let isFlat = true;
  for (const [name, of] of [
    ['resident memory', 'rssMb'],
    ['heap after collection', 'heapMb'],
  ] as const) {
    const growth = growthOf(
      samples.map((sample) => [sample.minute, sample[of]]),
      MOST[of],
    );
    isFlat &&= growth.isFlat;
    console.log(
      `${name}: ${growth.perMinuteMb.toFixed(2)} MB a minute (standard error ${growth.errorMb.toFixed(2)}), ${(100 * growth.share).toFixed(1)} % over the last two thirds: ${growth.isFlat ? 'flat' : 'it grows'}`,
    );
  }
  if (minutes < JUDGED_FROM_MINUTES) console.log('too short to be judged');
  return countOf(errors) === 0 && (isFlat || minutes < JUDGED_FROM_MINUTES);
};

const dataDir = await mkdtemp(join(tmpdir(), 'ekb-soak-'));
const settings = {
  DATA_DIR: dataDir,
  STARTER_PRODUCTS: 'core',
  STARTER_EVIDENCE: 'none',
  BASE_URL: 'http://evidence.test',
  LOG_LEVEL: 'warn',
};
const made = spawnSync(process.execPath, [join(import.meta.dirname, '../../core/main.ts'), 'generate'], {
  env: { ...process.env, ...settings },
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (made.status) throw new Error('The pages were not made');
const port = await freePort();
const service = await startService({
  ...settings,
  ADMIN_BOOTSTRAP_SECRET: SECRET,
  PRIVATE_PORT: String(port),
  ANON_RPM: MANY,
  ANON_DAILY: MANY,
});
try {
  const { key } = await bootstrap(service.url);
  await untilFilled(service.url, key);
  const mix = await mixOf(service.url, key);
  const target = { url: service.url, privateUrl: `http://127.0.0.1:${port}`, mix };
  console.log(
    `load average ${loadavg()[0]?.toFixed(1)}; ${mix.pages} published pages in the mix; steps of ${STEP_SECONDS} s:`,
  );
  const peak = await peakOf(target, STEP_SECONDS);
  console.log(`\npeak ${shown(peak)}/s, held: ${shown(peak / 2)}/s for ${minutes} minutes, every ${SAMPLE_SECONDS} s:`);
  const isWell = tell(await soak(target, peak / 2));
  console.log(`load average at the end: ${loadavg()[0]?.toFixed(1)}`);
  if (!isWell) process.exitCode = 1;
} finally {
  await service.end();
  await rm(dataDir, { recursive: true, force: true });
}
