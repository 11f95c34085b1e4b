/**
 * Measures the latency of the checker on the starter content: the book, one pair, a stack of ten, the whole list, a page.
 * Usage: node bench/interactions.ts
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boot } from '#core/boot.ts';
import { createLog } from '#core/log.ts';
import { serve } from '#core/serve.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { type InteractionServices, interactionsPlugin } from '#plugins/interactions/index.ts';
import { keysPlugin } from '#plugins/keys/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';

const RUNS = 200;
const STACK = {
  supplements: ['Ginkgo', "St. John's Wort", 'magnesium', 'omega 3', 'vitamin K', 'curcumine'],
  drugs: ['Coumadin', 'sertraline', 'Zocor', 'metformin'],
  conditions: ['surgery'],
};

const round = (ms: number): string => ms.toFixed(ms < 1 ? 2 : 1);

/** Prints p50 and p99 of many runs, in milliseconds; warm-up runs do not count. */
const measure = async (name: string, work: () => Promise<unknown>): Promise<void> => {
  for (let warm = 0; warm < 20; warm += 1) await work();
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(RUNS - 1, Math.floor(RUNS * share))] ?? 0;
  console.log(`| ${name} | ${round(at(0.5))} | ${round(at(0.99))} |`);
};

const dataDir = await mkdtemp(join(tmpdir(), 'ekb-bench-'));
const runtime = await boot({
  plugins: [keysPlugin, vocabularyPlugin, evidencePlugin, interactionsPlugin],
  role: 'serve',
  dotEnvPath: null,
  log: createLog('silent'),
  environment: {
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    ANON_RPM: '1000000',
    ANON_DAILY: '1000000',
  },
});
try {
  const services = runtime.servicesOf(interactionsPlugin) as InteractionServices;
  const startedAt = performance.now();
  const book = await services.book();
  console.log(
    `${book.rules.length} rules, ${book.pairs.length} pairs; read and built in ${round(performance.now() - startedAt)} ms`,
  );
  const serving = await serve(runtime);
  const get = async (path: string): Promise<unknown> => (await fetch(`${serving.url}${path}`)).text();
  const post = async (body: object): Promise<unknown> => {
    const headers = { 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(`${serving.url}/api/interactions/check`, init)).text();
  };
  console.log('\n| over HTTP | p50 ms | p99 ms |\n|---|---|---|');
  await measure('one pair by name', () => get('/api/interactions/check?supplement=ginkgo&drug=warfarin'));
  await measure('one pair by misspelling', () => get('/api/interactions/check?supplement=gingko&drug=warfarine'));
  await measure('a stack of ten', () => post(STACK));
  await measure('every pair as a list', () => get('/api/interactions'));
  await measure('the page of a pair', () => get('/interactions/ginkgo-warfarin'));
  await serving.close();
} finally {
  await runtime.stop();
  await rm(dataDir, { recursive: true, force: true });
}
