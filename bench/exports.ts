/**
 * Measures the time and memory of an export of the whole base at 14,000 and at 140,000 sources: the starter's sources are
 * repeated under unassigned PMIDs, which no index contains.
 * Usage: node --expose-gc bench/exports.ts
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boot } from '#core/boot.ts';
import { createLog } from '#core/log.ts';
import { serve } from '#core/serve.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { keysPlugin } from '#plugins/keys/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';

const FORMATS = ['csv', 'bibtex', 'ris', 'nbib', 'csljson', 'jsonl'];
const SIZES = [14_000, 140_000];
const SECRET = 'only-for-the-benchmark';

/** Copies have revision 0, which the index treats as already indexed. */
const COPY = `insert into evidence_source select made.* from
  (select *, (row_number() over (order by source_id))::int as at from evidence_source where pmid not like '9000%'
    and source_id not like 'pmid-9%') numbered join evidence_source s using (source_id),
  generate_series(?::int, ?::int) as n, jsonb_populate_record(s, jsonb_build_object(
    'source_id', 'pmid-' || 900000000 + n * 1000 + at, 'pmid', (900000000 + n * 1000 + at)::text,
    'doi', case when s.doi = '' then '' else s.doi || '.' || n end, 'nct_id', '', 'revision', 0)) as made
  on conflict do nothing`;

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);

/** Reads a response and discards it; returns its bytes, the seconds, and the peak memory meanwhile. */
const take = async (url: string, key: string) => {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  const startedAt = performance.now();
  let bytes = 0;
  const reply = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
  for await (const chunk of reply.body ?? []) bytes += (chunk as Uint8Array).length;
  clearInterval(watch);
  return { bytes, seconds: (performance.now() - startedAt) / 1000, before, most };
};

const dataDir = await mkdtemp(join(tmpdir(), 'ekb-bench-'));
const runtime = await boot({
  plugins: [keysPlugin, vocabularyPlugin, evidencePlugin],
  role: 'serve',
  dotEnvPath: null,
  log: createLog('silent'),
  environment: { DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', ADMIN_BOOTSTRAP_SECRET: SECRET },
});
try {
  const serving = await serve(runtime);
  const made = await fetch(`${serving.url}/api/keys`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Admin-Bootstrap': SECRET },
    body: '{"name":"bench","is_admin":true}',
  });
  const { key } = (await made.json()) as { key: string };
  const count = async (): Promise<number> => {
    const rows = await runtime.db.read((em) => em.execute('select count(*)::int as n from evidence_source'));
    return (rows as unknown as { n: number }[])[0]?.n ?? 0;
  };
  const own = await count();
  let copies = 0;
  for (const size of SIZES) {
    while ((await count()) < size) {
      const to = Math.min(copies + 20, Math.ceil(size / own));
      await runtime.db.write((em) => em.execute(COPY, [copies + 1, to]));
      copies = to;
    }
    console.log(
      `\n${await count()} sources\n\n| format | s | MB | resident before, MB | most, MB |\n|---|---|---|---|---|`,
    );
    for (const format of FORMATS) {
      const { bytes, seconds, before, most } = await take(`${serving.url}/api/export/${format}`, key);
      console.log(
        `| ${format} | ${seconds.toFixed(1)} | ${megabytes(bytes)} | ${megabytes(before)} | ${megabytes(most)} |`,
      );
    }
  }
  await serving.close();
} finally {
  await runtime.stop();
  await rm(dataDir, { recursive: true, force: true });
}
