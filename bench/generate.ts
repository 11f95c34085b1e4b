/**
 * Builds the real product pages at two sizes of the catalogue through `generate`: everything, one product in a hundred changed,
 * nothing changed; reports pages per second and memory. Each build is a separate process. The larger size comes first, because
 * products beyond the size are deleted.
 * Usage: node bench/generate.ts [products …, default 20000 95000]; DATABASE_URL for PostgreSQL.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { boot } from '#core/boot.ts';
import { createLog } from '#core/log.ts';
import type { Database } from '#core/plugin.ts';
import { plugins } from '#plugins/index.ts';
import { productsPlugin } from '#plugins/products/index.ts';
import type { ProductServices } from '#plugins/products/services.ts';
import { timedProcess } from './generators/peers.ts';

const sizes = process.argv.slice(2).map(Number).filter(Boolean);
const folder = await mkdtemp(join(tmpdir(), 'ekb-bench-'));
const environment = {
  ...process.env,
  DATA_DIR: join(folder, 'data'),
  BASE_URL: 'http://bench.test',
  STARTER_PRODUCTS: 'all',
  GENERATE_PAGES: 'off',
};

/** Runs `work` with a started runtime and stops it afterwards. */
const withDatabase = async (
  role: 'serve' | 'command',
  work: (db: Database, services: ProductServices) => Promise<unknown>,
) => {
  const runtime = await boot({ plugins, role, environment, dotEnvPath: null, log: createLog('silent') });
  try {
    await work(runtime.db, runtime.servicesOf(productsPlugin) as ProductServices);
  } finally {
    await runtime.stop();
  }
};

/** Loads the whole catalogue, as a server does in the background. */
const loadAll = () =>
  withDatabase('serve', async (_, services) => {
    productsPlugin.background?.(services);
    const isLoading = (): boolean =>
      (productsPlugin.stages?.(services) ?? []).some(({ status }) => status === 'running');
    do await sleep(1000);
    while (isLoading());
  });

const CHANGED = "change_number = nextval('product_change'), updated_at = now()";
const BEYOND = 'not in (select dsld_id from product order by md5(dsld_id::text) limit ?)';
const keep = (count: number) =>
  withDatabase('command', (db) =>
    db.write(async (em) => {
      await em.execute(`delete from product_status where dsld_id ${BEYOND}`, [count]);
      await em.execute(`delete from product where dsld_id ${BEYOND}`, [count]);
    }),
  );
const touch = (count: number) =>
  withDatabase('command', (db) =>
    db.write((em) =>
      em.execute(
        `update product set net_contents = net_contents || ' (checked)', ${CHANGED}
          where dsld_id in (select dsld_id from product where removed_at is null order by md5(dsld_id::text || '1') limit ?)`,
        [count],
      ),
    ),
  );

const generate = (name: string, args: readonly string[]): number => {
  const main = join(import.meta.dirname, '../core/main.ts');
  const { words, processSeconds, residentMb } = timedProcess(process.execPath, [main, 'generate', ...args], {
    env: environment,
  });
  const [, planned = '', rendered = '', seconds = ''] =
    /(\d+) pages: (\d+) rendered .* in ([\d.]+) s/.exec(words) ?? [];
  console.log(
    `| ${name} | ${planned} | ${rendered} | ${seconds} | ${Math.round(Number(rendered) / Number(seconds))} | ${processSeconds.toFixed(1)} | ${residentMb} |`,
  );
  return Number(seconds);
};

try {
  await loadAll();
  for (const count of (sizes.length ? sizes : [20_000, 95_000]).toSorted((a, b) => b - a)) {
    await keep(count);
    console.log(`\n${count} products, beside all other pages of the starter content`);
    console.log('| | pages | rendered | build, s | rendered/s | whole process, s | resident, MB |');
    console.log('|---|---|---|---|---|---|---|');
    const full = generate('everything, with twins', ['--full']);
    await touch(Math.round(count / 100));
    const share = generate('one product in a hundred changed', []);
    const nothing = generate('nothing changed', []);
    generate('everything, without twins', ['--full', '--no-twins']);
    const percent = (part: number): string => `${((part / full) * 100).toFixed(1)} %`;
    console.log(`one in a hundred changed: ${percent(share)} of the full time; nothing changed: ${percent(nothing)}`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
