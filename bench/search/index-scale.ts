/**
 * Measures the in-process index at scale: build rate, search latency by kind of query, memory, updates, startup.
 * Usage: node --expose-gc bench/search/index-scale.ts [documents …, default 14000 140000; also 1000000]
 * One process builds and persists the index; another opens it, as a starting server does, and is measured. Searches run on one
 * core. The documents are synthetic: made-up.ts.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openInProcessIndex } from '#core/search/in-process.ts';
import { DATA, FIELDS, readBeir, readJats, readPubMedQa } from './datasets.ts';
import { askedOf, madeUpFrom, WORDS } from './made-up.ts';
import { percentile, timesOf } from './rankings.ts';

const BATCH = 5_000;
const EACH = 300;
const UPDATES = 40;
const sets = async () =>
  [
    readBeir(join(DATA, 'nfcorpus'), 'dev'),
    readPubMedQa(join(DATA, 'pubmedqa/pqal-dev.json')),
    await readJats(join(DATA, 'jats')),
  ].filter((dataset) => dataset !== null);

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

/** Measures the longest pause of the event loop. */
function watchPauses(): { forget(): void; stop(): number } {
  let longest = 0;
  let tickedAt = performance.now();
  const ticker = setInterval(() => {
    longest = Math.max(longest, performance.now() - tickedAt);
    tickedAt = performance.now();
  }, 5);
  return {
    forget: () => {
      tickedAt = performance.now();
    },
    stop: () => {
      clearInterval(ticker);
      return longest;
    },
  };
}

async function build(folder: string, size: number): Promise<void> {
  const madeUp = madeUpFrom(await sets())!;
  const index = await openInProcessIndex({ folder, fields: FIELDS });
  const pauses = watchPauses();
  let building = 0;
  for (let at = 0; at < size; at += BATCH) {
    const upsert = Array.from({ length: Math.min(BATCH, size - at) }, (_, i) => madeUp(at + i));
    // The time for generating a batch is not part of the index's work or pauses.
    pauses.forget();
    building += await seconds(() => index.apply({ upsert, revision: at + 1 }));
  }
  const training = await seconds(() => index.settled());
  const persisting = await seconds(() => index.persist());
  const pause = pauses.stop();
  await index.close();
  console.table({
    'build without the rest of the training, s': building.toFixed(1),
    'documents per second': Math.round(size / building),
    'training still to do after it, s': training.toFixed(1),
    'persist with the last training, s': persisting.toFixed(1),
    'longest pause of the event loop, ms': Math.round(pause),
  });
}

const memory = () => {
  (globalThis as { gc?: () => void }).gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, heapUsed, external };
};

async function bytesOf(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = files.filter((file) => file.isFile()).map((file) => stat(join(file.parentPath, file.name)));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
}

async function serve(folder: string, size: number): Promise<void> {
  const before = memory();
  const startedAt = performance.now();
  const index = await openInProcessIndex({ folder, fields: FIELDS });
  const opening = (performance.now() - startedAt) / 1000;
  const { documents } = index.state();
  if (documents !== size)
    throw new Error(`opened with ${documents} of ${size} documents: were the settings changed meanwhile?`);
  const after = memory();
  const each = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB, ${(bytes / size / 1024).toFixed(2)} KB a source`;
  const onDisk = await bytesOf(folder);
  const datasets = await sets();
  const asked = askedOf(datasets, EACH);
  const search = (text: string) => index.search({ text, limit: 20, facets: ['type', 'year'] });
  for (const { text } of asked.slice(0, EACH)) await search(text);
  const kinds: Record<string, string> = {};
  for (const kind of new Set(asked.map((query) => query.kind))) {
    const texts = asked.filter((query) => query.kind === kind).map(({ text }) => text);
    const times = await timesOf(texts, search);
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)].map((ms) => ms.toFixed(1));
    kinds[`${kind}: p50 / p99, ms`] = `${p50} / ${p99}`;
  }
  const madeUp = madeUpFrom(datasets)!;
  const updates: number[] = [];
  for (let i = 1; i <= UPDATES; i++) {
    const upsert = [madeUp(((size >> 1) + 7 * i) % size)];
    updates.push(1000 * (await seconds(() => index.apply({ upsert, revision: size + i }))));
  }
  const again = await seconds(() => index.persist());
  console.table({
    'open, s': opening.toFixed(2),
    ...kinds,
    'resident memory for it': each(after.rss - before.rss),
    'of it numbers in arrays': each(after.external - before.external),
    'of it strings and the like': each(after.heapUsed - before.heapUsed),
    'on disk': each(onDisk),
    // The longest update merges segments of half the index's size.
    'update of one document: p50 / longest of 40, ms': [percentile(updates, 0.5), Math.max(...updates)]
      .map((ms) => ms.toFixed(0))
      .join(' / '),
    'persist after them, s': again.toFixed(2),
  });
  await index.close();
}

async function measure(size: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'index-scale-'));
  console.log(`\n${size} made-up documents of about ${WORDS} words; load average ${loadavg()[0]!.toFixed(1)}`);
  for (const part of ['build', 'serve']) {
    const words = ['--expose-gc', '--max-old-space-size=8192', import.meta.filename, part, folder, String(size)];
    const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
  await rm(folder, { recursive: true });
}

const [part, ...rest] = process.argv.slice(2);
if (part === 'build') await build(rest[0]!, Number(rest[1]));
else if (part === 'serve') await serve(rest[0]!, Number(rest[1]));
else if ((await sets()).length < 3) console.log(`${DATA} has not all three: nfcorpus, pubmedqa, jats.`);
else for (const size of part ? [part, ...rest] : [14_000, 140_000]) await measure(Number(size));
