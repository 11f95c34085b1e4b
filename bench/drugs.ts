/**
 * Measures the latency of autocomplete and look-up of medicine names, against a linear scan of all names in the same run.
 * Usage: node bench/drugs.ts [names, default 20000] [data folder]
 * The names are those of the Orange Book and of the list of approved drugs (used for measurement only, never shipped); if there
 * are too few, names are repeated with an artificial suffix.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildNameIndex, foldName } from '#core/search/name-index.ts';
import { displayName } from '#plugins/interactions/drugs/drug-words.ts';
import { buildSuggestionList } from '#plugins/interactions/drugs/suggestion-list.ts';

const size = Number(process.argv[2] ?? 20_000);
const data = process.argv[3] ?? join(import.meta.dirname, '../../shared/data');
const LIMIT = 8;

const read = (path: string): string => {
  try {
    return readFileSync(join(data, path), 'utf8');
  } catch {
    console.log(`${join(data, path)} is not there: nothing to measure with`);
    return process.exit(0);
  }
};

const approved = JSON.parse(read('drugs/approved_drugs.json')) as { name: string; aliases: string[] }[];
const orangeBook = read('drugs/orange-book-names.tsv')
  .split('\n')
  .slice(1)
  .flatMap((line) => line.split('\t').slice(0, 2));
const real = [
  ...new Set([...approved.flatMap(({ name, aliases }) => [name, ...aliases]), ...orangeBook].map(displayName)),
].filter((name) => name !== '');
const names = real.slice(0, size);
for (let at = 0; names.length < size; at += 1) names.push(`${real[at % real.length]} ${'Bdfkmn'[at % 6]}${at}`);

/** Prefixes of one, two, three, four and six letters of a sample of names, and substrings from their middle. */
const queries = names
  .filter((_, at) => at % 97 === 0)
  .flatMap((name) => [...[1, 2, 3, 4, 6].map((length) => name.slice(0, length)), name.slice(2, 6)]);

const keys = names.map((name) => ({ name, key: foldName(name) }));
const scan = (q: string): string[] => {
  const key = foldName(q);
  if (!key) return [];
  const tier = (entry: { key: string }): number => (entry.key.startsWith(key) ? 0 : 1);
  return keys
    .filter((entry) => entry.key.includes(key))
    .sort(
      (a, b) => tier(a) - tier(b) || a.name.length - b.name.length || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
    )
    .slice(0, LIMIT)
    .map(({ name }) => name);
};

const measure = (work: (q: string) => unknown): { p50: number; p99: number; all: number } => {
  for (const q of queries.slice(0, 200)) work(q);
  // Takes the minimum of three runs, which excludes the effects of other work on the machine.
  const times = queries.map((q) =>
    Math.min(
      ...[1, 2, 3].map(() => {
        const startedAt = performance.now();
        work(q);
        return performance.now() - startedAt;
      }),
    ),
  );
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { p50: at(0.5), p99: at(0.99), all: times.reduce((sum, time) => sum + time, 0) };
};

const startedAt = performance.now();
const list = buildSuggestionList(names.map((name) => ({ name })));
const listed = performance.now() - startedAt;
const index = buildNameIndex(names.map((name, at) => ({ id: String(at), name })));
const indexed = performance.now() - startedAt - listed;
const different = queries.filter(
  (q) =>
    list
      .suggest(q, LIMIT)
      .map(({ name }) => name)
      .join('\n') !== scan(q).join('\n'),
).length;

const rows = {
  'suggestion list': measure((q) => list.suggest(q, LIMIT)),
  'plain scan and sort': measure(scan),
  'look-up of a whole name': measure((q) => index.resolve(q, { typos: false })),
  'look-up with misspellings': measure((q) => index.resolve(`${q}x`)),
};
console.log(
  `${names.length} names (${real.length} real), ${queries.length} queries, ${different} answered otherwise than by the scan`,
);
console.log(`made in ${listed.toFixed(0)} ms (suggestions) and ${indexed.toFixed(0)} ms (look-up)`);
console.log('| | p50 ms | p99 ms |\n|---|---|---|');
for (const [name, { p50, p99 }] of Object.entries(rows))
  console.log(`| ${name} | ${p50.toFixed(3)} | ${p99.toFixed(3)} |`);
console.log(
  `the scan takes ${(rows['plain scan and sort'].all / rows['suggestion list'].all).toFixed(0)} times as long`,
);
