/**
 * Runs all benchmarks in turn; each prints its own table. `npm run bench -- <name>` runs one; numbers, folders and options after
 * the name are passed to it: `npm run bench -- load 10`, `npm run bench -- model <folder> --split dev`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const benches: Readonly<Record<string, readonly string[]>> = {
  pipeline: ['pipeline.ts'],
  'pipeline-140k': ['pipeline.ts', '140000'],
  fill: ['fill.ts'],
  retrieval: ['search/retrieval.ts'],
  reranking: ['search/rerank.ts'],
  peers: ['search/peers.ts'],
  words: ['search/words.ts'],
  'known-items': ['search/known-items.ts'],
  failures: ['search/failures.ts'],
  model: ['search/model.ts'],
  'index-scale': ['search/index-scale.ts'],
  ask: ['ask/ask.ts'],
  grading: ['grading/agreement.ts'],
  consensus: ['consensus/consensus.ts'],
  extraction: ['extraction/extraction.ts'],
  topics: ['topics/topics.ts'],
  reader: ['reader/reader.ts'],
  drugs: ['drugs.ts'],
  products: ['products.ts'],
  'product-pages': ['product-pages.ts'],
  interactions: ['interactions.ts'],
  'interaction-gate': ['interactions/gate.ts'],
  labs: ['labs/labs.ts'],
  exports: ['exports.ts'],
  load: ['load.ts'],
  limits: ['limits.ts'],
  attacks: ['attacks.ts'],
  routes: ['scale/routes.ts'],
  nodes: ['scale/nodes.ts'],
  soak: ['scale/soak.ts'],
  serving: ['serving/serving.ts'],
  logging: ['serving/logging.ts'],
  lighthouse: ['lighthouse/lighthouse.ts'],
  links: ['audit/all-links.ts'],
  generators: ['generators/compare.ts'],
  generate: ['generate.ts'],
  'lab-uploads': ['labs/uploads.ts'],
  'phone-export': ['wearables/export.ts'],
  'attacks-files': ['attacks-files.ts'],
  'fuzz-files': ['fuzz-files.ts'],
};

/**
 * Benchmarks that run only by name, because they take long or need resources that few machines have (a model, Chromium and the
 * packages of bench/sites, PostgreSQL).
 */
const onlyByName = new Set(['model', 'lighthouse', 'nodes', 'soak', 'attacks', 'attacks-files', 'fuzz-files']);

const given = process.argv.slice(2);
const isArgument = (word: string): boolean => !benches[word] && (/^(\d+(\.\d+)?$|-)|\//.test(word) || existsSync(word));
const end = given.findIndex(isArgument);
const wanted = end < 0 ? given : given.slice(0, end);
const passed = wanted.length === 1 && end >= 0 ? given.slice(end) : [];
const unknown = wanted.filter((name) => !benches[name]);
if (unknown.length) {
  console.log(`no benchmark is called ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`);
  process.exit(2);
}
for (const [name, [file = '', ...args]] of Object.entries(benches)) {
  if (wanted.length ? !wanted.includes(name) : onlyByName.has(name)) continue;
  console.log(`\n## ${name}`);
  const run = spawnSync(process.execPath, ['--expose-gc', join(import.meta.dirname, file), ...args, ...passed], {
    stdio: 'inherit',
  });
  if (run.status) process.exit(run.status);
}
