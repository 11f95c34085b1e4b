/**
 * Every benchmark in turn; each prints its own table. `npm run bench -- <name>` runs one; numbers behind the name go to
 * it: `npm run bench -- load 10`.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const benches: Readonly<Record<string, readonly string[]>> = {
  pipeline: ['pipeline.ts'],
  'pipeline-140k': ['pipeline.ts', '140000'],
  retrieval: ['search/retrieval.ts'],
  reranking: ['search/rerank.ts'],
  peers: ['search/peers.ts'],
  words: ['search/words.ts'],
  failures: ['search/failures.ts'],
  'index-scale': ['search/index-scale.ts'],
  ask: ['ask/ask.ts'],
  grading: ['grading/agreement.ts'],
  extraction: ['extraction/extraction.ts'],
  drugs: ['drugs.ts'],
  products: ['products.ts'],
  'product-pages': ['product-pages.ts'],
  interactions: ['interactions.ts'],
  exports: ['exports.ts'],
  load: ['load.ts'],
};

const given = process.argv.slice(2);
const wanted = given.filter((word) => !/^\d+$/.test(word));
const numbers = wanted.length === 1 ? given.filter((word) => /^\d+$/.test(word)) : [];
const unknown = wanted.filter((name) => !benches[name]);
if (unknown.length) {
  console.log(`no benchmark is called ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`);
  process.exit(2);
}
for (const [name, [file = '', ...args]] of Object.entries(benches)) {
  if (wanted.length && !wanted.includes(name)) continue;
  console.log(`\n## ${name}`);
  const run = spawnSync(process.execPath, ['--expose-gc', join(import.meta.dirname, file), ...args, ...numbers], {
    stdio: 'inherit',
  });
  if (run.status) process.exit(run.status);
}
