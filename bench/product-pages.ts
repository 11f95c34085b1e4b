/**
 * Measures product and brand pages in one process: list, batch load, validation of the view, rendering; nothing is written.
 * Usage: node bench/product-pages.ts [data folder of an instance; else a fresh one with the starter's core]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boot } from '#core/boot.ts';
import { createLog } from '#core/log.ts';
import type { Page, PageInstance } from '#core/plugin.ts';
import { systemContext } from '#core/system-context.ts';
import { productsPlugin } from '#plugins/products/index.ts';
import { plugins } from '../plugins/index.ts';

const BATCH = 200;
const given = process.argv[2];
const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'ekb-bench-')));
const runtime = await boot({
  plugins,
  role: 'command',
  environment: { DATA_DIR: dataDir, LOG_LEVEL: 'silent', STARTER_PRODUCTS: 'core', STARTER_EVIDENCE: 'none' },
  dotEnvPath: null,
  log: createLog('silent'),
});
const context = systemContext(runtime, productsPlugin, AbortSignal.timeout(3_600_000)) as never;

const pathOf = (page: Page, { params }: PageInstance): string =>
  page.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');

const measure = async (page: Page): Promise<void> => {
  let [startedAt, loading, rendering, bytes, largest] = [performance.now(), 0, 0, 0, 0];
  const all: PageInstance[] = [];
  for await (const instance of page.list?.(context) ?? []) all.push(instance);
  const listing = performance.now() - startedAt;
  const before = process.cpuUsage();
  for (let from = 0; from < all.length; from += BATCH) {
    const batch = all.slice(from, from + BATCH);
    startedAt = performance.now();
    const answers = (await page.loadMany?.(context, batch.map(({ params }) => params) as never)) ?? [];
    loading += performance.now() - startedAt;
    startedAt = performance.now();
    for (const [at, answer] of answers.entries()) {
      const instance = batch[at];
      if (!instance || !('view' in answer)) throw new Error(`${page.id} ${at} did not load`);
      const html = runtime.pages.render(page, pathOf(page, instance), answer.head, answer.view);
      bytes += html.length;
      largest = Math.max(largest, html.length);
    }
    rendering += performance.now() - startedAt;
  }
  const { user, system } = process.cpuUsage(before);
  const rate = Math.round(all.length / ((loading + rendering) / 1000));
  console.log(
    `${page.path}: ${all.length} pages, list ${Math.round(listing)} ms, load ${Math.round(loading)} ms, check and render ${Math.round(rendering)} ms: ${rate} pages/s; processor ${((user + system) / 1e6).toFixed(1)} s; mean ${(bytes / all.length / 1024).toFixed(1)} KiB, largest ${Math.round(largest / 1024)} KiB; resident ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB`,
  );
};

// Runs twice: the first run warms up the compiler and the cached facts of supplements.
for (const page of (productsPlugin.pages ?? []) as readonly Page[]) if (page.loadMany) await measure(page);
for (const page of (productsPlugin.pages ?? []) as readonly Page[]) if (page.loadMany) await measure(page);
await runtime.stop();
if (!given) await rm(dataDir, { recursive: true, force: true });
process.exit(0);
