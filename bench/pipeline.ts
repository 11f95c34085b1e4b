/**
 * Measures the whole pipeline of sources at scale: import, index, search, generate. Prints a row of bench/README.md.
 * Usage: node bench/pipeline.ts [sources, default 14000] [data folder]; DATABASE_URL for PostgreSQL.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boot } from '#core/boot.ts';
import { createLog } from '#core/log.ts';
import { build } from '#generate/build.ts';
import { pubmed } from '#plugins/evidence/importers/pubmed.ts';
import { importFile } from '#plugins/evidence/importing.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import type { EvidenceServices } from '#plugins/evidence/services.ts';
import { plugins } from '#plugins/index.ts';
import { readOriginals, writeMadeUp } from './corpus.ts';

const size = Number(process.argv[2] ?? 14_000);
const data = process.argv[3] ?? join(import.meta.dirname, '../../shared/data');
const QUERIES = 400;

const originals = await readOriginals(data);
if (!originals.length) {
  console.log(`No data at ${data}: nothing to measure.`);
  process.exit(0);
}

const timed = async <T>(work: () => Promise<T>): Promise<{ seconds: number; result: T }> => {
  const startedAt = performance.now();
  const result = await work();
  return { seconds: (performance.now() - startedAt) / 1000, result };
};
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const resident = (): number => Math.round(process.memoryUsage().rss / 1e6);

const folder = await mkdtemp(join(tmpdir(), 'ekb-bench-'));
try {
  const file = join(folder, 'made-up.xml');
  await writeMadeUp(file, originals, size);
  const environment = {
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: process.env.DATABASE_URL,
    BASE_URL: 'http://bench.test',
    STARTER_PRODUCTS: 'none',
    STARTER_EVIDENCE: 'none',
  };
  const runtime = await boot({ plugins, role: 'command', environment, dotEnvPath: null, log: createLog('warn') });
  const services = runtime.servicesOf(evidencePlugin) as EvidenceServices;
  const signal = AbortSignal.timeout(3_600_000);
  const grader = await services.grader();
  const megabytes = ((await stat(file)).size / 1e6).toFixed(0);
  console.log(
    `database ${runtime.db.kind}, ${size} made-up sources (${megabytes} MB of XML) beside the starter content`,
  );
  const rate = (count: number, seconds: number): string => `${seconds.toFixed(1)} s, ${Math.round(count / seconds)} /s`;
  const imported = await timed(() => importFile(runtime.db, pubmed, file, { signal, grader }));
  console.log(`import    ${rate(size, imported.seconds)}`);
  const again = await timed(() => importFile(runtime.db, pubmed, file, { signal, grader }));
  console.log(`again     ${rate(size, again.seconds)}; nothing changed`);
  const indexed = await timed(() => services.catchUp());
  console.log(
    `index     ${rate(size, indexed.seconds)}, with the training of the semantic leg; ${resident()} MB resident`,
  );
  const took: number[] = [];
  for (let at = 0; at < QUERIES; at += 1) {
    const { title } = originals[(at * 37) % originals.length] as { title: string };
    const text = title
      .split(' ')
      .slice(0, 3 + (at % 6))
      .join(' ');
    took.push((await timed(() => services.search({ text, limit: 15 }))).seconds * 1000);
  }
  const sorted = took.toSorted((a, b) => a - b);
  console.log(
    `search    p50 ${quantile(sorted, 0.5).toFixed(1)} ms, p99 ${quantile(sorted, 0.99).toFixed(1)} ms over ${QUERIES} queries of 3 to 8 words, 15 records each, read from the database`,
  );
  const generated = await timed(() => build(runtime, { full: true }));
  console.log(
    `generate  ${generated.result.planned} pages in ${rate(generated.result.planned, generated.seconds)}, with gzip and Brotli twins`,
  );
  const nothing = await timed(() => build(runtime));
  console.log(`again     ${nothing.seconds.toFixed(2)} s; nothing changed`);
  console.log(`memory    ${resident()} MB resident at the end`);
  await runtime.stop();
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
