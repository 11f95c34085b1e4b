/**
 * Searches for known papers by words that occur only in their abstracts: with the abstract indexed as text, with its words in
 * alphabetical order (as the starter corpus ships it), and without it. Needs the real data beside the project.
 * Usage: node bench/search/known-items.ts [number of papers, default 8000]
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { analyse, analyseBoth } from '../../core/search/analyser.ts';
import { openInProcessIndex } from '../../core/search/in-process.ts';
import type { SearchDocument, SearchIndex } from '../../core/search/port.ts';
import { INDEX_FIELDS } from '../../plugins/evidence/index-feed.ts';
import type { SourceRecord } from '../../plugins/evidence/source-record.ts';
import { indexWords } from '../../plugins/evidence/starter/index-words.ts';
import { tableInputs } from '../../plugins/evidence/starter/inputs/bibliographic-tables.ts';

const papers = Number(process.argv[2] ?? 8_000);
const QUERIES = 500;
const WORDS = 4;
const file = join(import.meta.dirname, '../../../shared/data/pubmed-2025/abstracts.jsonl.gz');

const records: SourceRecord[] = [];
const abstracts = tableInputs.find(({ files }) => files.test('abstracts.jsonl.gz'));
for await (const event of abstracts?.read(file, new AbortController().signal) ?? [])
  if (event.type === 'record' && event.record.abstract.length > 400) records.push(event.record);
const hash = ({ pmid }: SourceRecord): string => createHash('sha256').update(`known:${pmid}`).digest('hex');
const sample = records.map((record) => [hash(record), record] as const).sort(([a], [b]) => (a < b ? -1 : 1));
const chosen = sample.slice(0, papers).map(([, record]) => record);

const documentOf = (record: SourceRecord, kind: 'text' | 'words' | 'none'): SearchDocument => ({
  id: record.pmid,
  text: {
    title: record.title,
    terms: record.meshTerms.join('; '),
    ...(kind === 'text' && { abstract: record.abstract }),
    ...(kind === 'words' && { abstract: indexWords(record.abstract) }),
  },
  filters: {},
});

const documents = new Map<string, number>();
for (const record of chosen)
  for (const term of new Set(analyse(record.abstract))) documents.set(term, (documents.get(term) ?? 0) + 1);

/**
 * Builds a query from words of the abstract that occur neither in the title nor in the MeSH terms and have medium frequency, as a
 * searcher might remember them.
 */
const queryOf = (record: SourceRecord): string | null => {
  const elsewhere = new Set(analyse(`${record.title} ${record.meshTerms.join(' ')}`));
  const words = [...new Set(analyseBoth(record.abstract).words)].filter((word) => {
    const [term] = analyse(word);
    const frequency = documents.get(term ?? '') ?? 0;
    return term && /^[a-z]{4,}$/.test(word) && !elsewhere.has(term) && frequency >= 5 && frequency <= papers / 20;
  });
  const byHash = words.map(
    (word) =>
      [
        createHash('sha256')
          .update(record.pmid + word)
          .digest('hex'),
        word,
      ] as const,
  );
  const picked = byHash.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, WORDS);
  return picked.length === WORDS ? picked.map(([, word]) => word).join(' ') : null;
};

const queries = chosen
  .flatMap((record) => {
    const query = queryOf(record);
    return query ? [{ pmid: record.pmid, query }] : [];
  })
  .slice(0, QUERIES);

const measure = async (kind: 'text' | 'words' | 'none'): Promise<string> => {
  const index: SearchIndex = await openInProcessIndex({ folder: null, fields: INDEX_FIELDS });
  const startedAt = performance.now();
  await index.apply({ upsert: chosen.map((record) => documentOf(record, kind)), revision: 1 });
  await index.persist();
  const built = (performance.now() - startedAt) / 1000;
  const times: number[] = [];
  let [first, ten, reciprocal] = [0, 0, 0];
  for (const { pmid, query } of queries) {
    const begun = performance.now();
    const { hits } = await index.search({ text: query, limit: 10 });
    times.push(performance.now() - begun);
    const rank = hits.findIndex(({ id }) => id === pmid) + 1;
    if (rank === 1) first += 1;
    if (rank) {
      ten += 1;
      reciprocal += 1 / rank;
    }
  }
  await index.close();
  times.sort((a, b) => a - b);
  const percent = (count: number): string => `${((100 * count) / queries.length).toFixed(1)} %`;
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  return `| ${kind} | ${percent(first)} | ${percent(ten)} | ${(reciprocal / queries.length).toFixed(3)} | ${at(0.5)} | ${at(0.99)} | ${built.toFixed(1)} |`;
};

console.log(`${chosen.length} papers, ${queries.length} queries of ${WORDS} words that stand only in the abstract\n`);
console.log(
  '| abstract as | first | in the first ten | MRR@10 | p50 ms | p99 ms | built in s |\n|---|---|---|---|---|---|---|',
);
for (const kind of ['text', 'words', 'none'] as const) console.log(await measure(kind));
