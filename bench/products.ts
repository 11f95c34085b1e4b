/**
 * Measures the catalogue at full size: import of every label file, search through the service compared with PostgreSQL's
 * full-text search on the same rows, and the pages of all products.
 * Usage: node bench/products.ts [data folder] [queries]; DATABASE_URL for PostgreSQL.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boot } from '#core/boot.ts';
import { createLog } from '#core/log.ts';
import { serve } from '#core/serve.ts';
import { systemContext } from '#core/system-context.ts';
import { build } from '#generate/build.ts';
import { plugins } from '#plugins/index.ts';
import { labelImporter } from '#plugins/products/commands.ts';
import { productsPlugin } from '#plugins/products/index.ts';
import type { ProductServices } from '#plugins/products/services.ts';

const data = process.argv[2] ?? join(import.meta.dirname, '../../shared/data');
const QUERIES = Number(process.argv[3] ?? 600);
const folderOfLabels = join(data, 'dsld');
if (!existsSync(folderOfLabels)) {
  console.log(`No data at ${folderOfLabels}: nothing to measure.`);
  process.exit(0);
}

const seconds = async <T>(work: () => Promise<T>): Promise<{ took: number; result: T }> => {
  const startedAt = performance.now();
  const result = await work();
  return { took: (performance.now() - startedAt) / 1000, result };
};
const quantile = (values: readonly number[], share: number): string => {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
};
const resident = (): number => Math.round(process.memoryUsage().rss / 1e6);

const folder = await mkdtemp(join(tmpdir(), 'ekb-bench-'));
const environment = {
  DATA_DIR: join(folder, 'data'),
  DATABASE_URL: process.env.DATABASE_URL,
  BASE_URL: 'http://bench.test',
  HOST: '127.0.0.1',
  PORT: '0',
  STARTER_PRODUCTS: 'none',
  STARTER_EVIDENCE: 'none',
  ANON_RPM: '1000000',
  ANON_DAILY: '1000000',
};
try {
  const runtime = await boot({ plugins, role: 'serve', environment, dotEnvPath: null, log: createLog('silent') });
  const services = runtime.servicesOf(productsPlugin) as ProductServices;
  const context = systemContext(runtime, productsPlugin, AbortSignal.timeout(3_600_000));
  const lines: string[] = [];
  const put = (line: string): void => void lines.push(line);
  const imported = await seconds(() => labelImporter.run(context as never, [folderOfLabels], put));
  await services.catchUp();
  const { total } = await services.stats();
  console.log(`database ${runtime.db.kind}, ${total} labels from ${lines.length} lines of report`);
  for (const line of lines) console.log(`  ${line}`);
  console.log(`import    ${imported.took.toFixed(1)} s in all, ${resident()} MB resident`);
  const again = await seconds(() => labelImporter.run(context as never, [folderOfLabels], () => undefined));
  console.log(`again     ${again.took.toFixed(1)} s; nothing changed`);

  const names = (await runtime.db.read((em) =>
    em.execute("select name from product where name <> '' order by md5(dsld_id::text) limit ?", [QUERIES]),
  )) as unknown as { name: string }[];
  // Queries are two to five words of real names; every fifth has swapped letters, and every seventh is truncated, as while
  // typing.
  const queries = names.map(({ name }, at) => {
    const words = name.split(' ').slice(0, 2 + (at % 4));
    const text = at % 7 === 0 ? words.join(' ').slice(0, -2) : words.join(' ');
    return at % 5 === 0 ? text.replace(/([a-z])([a-z])([a-z]{2})/, '$2$1$3') : text;
  });
  const serving = await serve(runtime);
  const throughHttp: number[] = [];
  let found = 0;
  for (const text of queries) {
    const { took, result } = await seconds(async () =>
      (await fetch(`${serving.url}/api/products?q=${encodeURIComponent(text)}&page_size=20&on_market=0`)).json(),
    );
    throughHttp.push(took * 1000);
    found += Number((result as { total: number }).total > 0);
  }
  const index = await services.index();
  const inMemory: number[] = [];
  for (const text of queries) {
    const startedAt = performance.now();
    index.search({ text, offset: 0, limit: 20 });
    inMemory.push(performance.now() - startedAt);
  }
  console.log(
    `search    p50 ${quantile(throughHttp, 0.5)} ms, p99 ${quantile(throughHttp, 0.99)} ms through the service (20 products each); p50 ${quantile(inMemory, 0.5)} ms, p99 ${quantile(inMemory, 0.99)} ms in the index; something found for ${found} of ${queries.length}, a fifth of them misspelt`,
  );
  const peer = await fullText(queries);
  console.log(
    `peer      PostgreSQL full text with a GIN index on the same rows: p50 ${quantile(peer.took, 0.5)} ms, p99 ${quantile(peer.took, 0.99)} ms; something found for ${peer.found}`,
  );
  await serving.close();
  const generated = await seconds(() => build(runtime, { full: true }));
  const { planned, rendered } = generated.result;
  console.log(
    `generate  ${planned} pages (${rendered} rendered) in ${generated.took.toFixed(1)} s, ${Math.round(planned / generated.took)} pages/s, with compressed twins; ${resident()} MB resident`,
  );
  const nothing = await seconds(() => build(runtime));
  console.log(
    `again     ${nothing.took.toFixed(1)} s; ${nothing.result.rendered} rendered, ${nothing.result.unchanged} unchanged`,
  );
  await runtime.stop();

  async function fullText(texts: readonly string[]): Promise<{ took: number[]; found: number }> {
    await runtime.db.write((em) =>
      em.execute("create index bench_product_text on product using gin (to_tsvector('english', name || ' ' || brand))"),
    );
    const took: number[] = [];
    let hits = 0;
    for (const text of texts) {
      const { took: one, result } = await seconds(() =>
        runtime.db.read((em) =>
          em.execute(
            `select dsld_id, count(*) over () as total from product
             where to_tsvector('english', name || ' ' || brand) @@ plainto_tsquery('english', ?)
             order by ts_rank(to_tsvector('english', name || ' ' || brand), plainto_tsquery('english', ?)) desc limit 20`,
            [text, text],
          ),
        ),
      );
      took.push(one * 1000);
      hits += Number((result as unknown[]).length > 0);
    }
    await runtime.db.write((em) => em.execute('drop index bench_product_text'));
    return { took, found: hits };
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
