import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLease, releaseLease } from '#core/db/lease.ts';
import {
  changesAfter,
  ingest,
  lastChange,
  MADE_TOPICS,
  madeArticle,
  madeFile,
  madeSupplement,
  query,
  revisionsOf,
  servicesOf,
  temporaryFolder,
  useService,
  zincTrial,
} from './support.ts';

/** Maximum number of events in a batch. */
const BATCH = 400;

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from + at);
const fileOf = (pmids: readonly number[]): string => madeFile(...pmids.map((pmid) => madeArticle(zincTrial(pmid))));

describe('an import', () => {
  const content = temporaryFolder();
  const files = temporaryFolder();
  before(async () => {
    await content.put('topics.yaml', MADE_TOPICS);
    await content.put('supplements/zinc.md', madeSupplement('Zinc'));
  });
  const base = useService(() => ({ contentDir: content.path() }));

  const run = (path: string, options = {}) => ingest(base.service, 'pubmed', path, options);
  /** Runs until the given number of batches is stored, then aborts, as SIGINT does. */
  const interrupt = async (kind: string, path: string, batches: number): Promise<void> => {
    const stop = new AbortController();
    let written = 0;
    const onProgress = (): void => {
      written += 1;
      if (written === batches) stop.abort(new Error('interrupted'));
    };
    await assert.rejects(ingest(base.service, kind, path, { signal: stop.signal, onProgress }), /interrupted/);
  };
  const has = async (pmids: readonly number[]): Promise<number> => {
    const rows = await query<{ n: number }>(
      base.service,
      `select count(*)::int as n from evidence_source where removed_at is null and pmid in (select jsonb_array_elements_text(?::jsonb))`,
      [JSON.stringify(pmids.map(String))],
    );
    return rows[0]?.n ?? 0;
  };

  it('stores every record, and publishes one index.published event with its counts', async () => {
    const pmids = range(99100000, 450);
    const last = await lastChange(base.service);
    const path = await files.put('all.xml', fileOf(pmids));
    const report = await run(path);
    const counts = { read: 450, added: 450, changed: 0, unchanged: 0, removed: 0, skipped: 0, resumedAfter: 0 };
    assert.deepEqual(report, { ...counts, problems: [] });
    assert.deepEqual(await changesAfter(base.service, last), [
      { kind: 'index.published', subject_id: 'pubmed', data: counts },
    ]);
    assert.equal(await has(pmids), 450);
    const { body } = await base.client.sources({ vertical: 'zinc-colds', page_size: 1 });
    assert.equal(body.total, 450);
  });

  it('changes nothing when the same file is imported again', async () => {
    const pmids = range(99110000, 60);
    const path = await files.put('again.xml', fileOf(pmids));
    await run(path);
    const [before, last] = [await revisionsOf(base.service), await lastChange(base.service)];
    const report = await run(path);
    assert.deepEqual([report.added, report.changed, report.unchanged, report.resumedAfter], [0, 0, 60, 0]);
    assert.deepEqual(await revisionsOf(base.service), before);
    assert.equal(await lastChange(base.service), last);
  });

  it('changes only the records that differ', async () => {
    const pmids = range(99120000, 12);
    await run(await files.put('some.xml', fileOf(pmids)));
    const before = await revisionsOf(base.service);
    const [first = 0, second = 0, ...rest] = pmids;
    const changed = [zincTrial(first, { year: 1999 }), zincTrial(second, { title: 'Zinc, renamed.' })];
    const path = await files.put(
      'changed.xml',
      madeFile(...[...changed, ...rest.map((pmid) => zincTrial(pmid))].map(madeArticle)),
    );
    const report = await run(path);
    assert.deepEqual([report.added, report.changed, report.unchanged], [0, 2, 10]);
    const after = await revisionsOf(base.service);
    const touched = [...after].filter(([id, state]) => before.get(id) !== state).map(([id]) => id);
    assert.deepEqual(touched.sort(), [`pmid-${first}`, `pmid-${second}`]);
  });

  it('resumes after its last complete batch when interrupted, and then publishes the total counts', async () => {
    const pmids = range(99130000, 450);
    const last = await lastChange(base.service);
    const path = await files.put('interrupted.xml', fileOf(pmids));
    await interrupt('pubmed', path, 1);
    assert.equal(await has(pmids), BATCH);
    assert.deepEqual(await changesAfter(base.service, last), []);
    const before = await revisionsOf(base.service);
    const report = await run(path);
    assert.deepEqual([report.resumedAfter, report.read, report.added, report.unchanged], [BATCH, 450, 450, 0]);
    assert.equal(await has(pmids), 450);
    const after = await revisionsOf(base.service);
    for (const [id, state] of before) assert.equal(after.get(id), state);
    const changes = await changesAfter(base.service, last);
    assert.deepEqual(
      changes.map(({ kind, data }) => [kind, data.added]),
      [['index.published', 450]],
    );
    const again = await run(path);
    assert.deepEqual([again.resumedAfter, again.unchanged], [0, 450]);
  });

  it('publishes its event even when all records were stored before the interruption', async () => {
    const pmids = range(99140000, BATCH);
    const last = await lastChange(base.service);
    const path = await files.put('late.xml', fileOf(pmids));
    await interrupt('pubmed', path, 1);
    const report = await run(path);
    assert.deepEqual([report.resumedAfter, report.added], [BATCH, BATCH]);
    const changes = await changesAfter(base.service, last);
    assert.deepEqual(
      changes.map(({ kind, data }) => [kind, data.added]),
      [['index.published', BATCH]],
    );
  });

  it('restarts from the beginning when the file has changed since the interruption', async () => {
    const pmids = range(99150000, 410);
    const path = await files.put('rewritten.xml', fileOf(pmids));
    await interrupt('pubmed', path, 1);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('trial number 99150000.', 'trial number 99150000, corrected.'));
    const report = await run(path);
    assert.deepEqual([report.resumedAfter, report.changed, report.added], [0, 1, 10]);
    assert.equal(await has(pmids), 410);
  });

  it('restarts from the beginning when a file of its folder has changed since the interruption', async () => {
    const pmids = range(99160000, 410);
    await files.put('folder/1.xml', fileOf(pmids.slice(0, 405)));
    await files.put('folder/2.xml', fileOf(pmids.slice(405)));
    await interrupt('pubmed', files.path('folder'), 1);
    const text = await readFile(files.path('folder/1.xml'), 'utf8');
    await writeFile(
      files.path('folder/1.xml'),
      text.replace('trial number 99160000.', 'trial number 99160000, corrected.'),
    );
    const report = await run(files.path('folder'));
    assert.deepEqual([report.resumedAfter, report.changed, report.added], [0, 1, 10]);
  });

  it('counts unreadable records, reports their positions, and stores the others', async () => {
    const [first = 0, second = 0, third = 0] = range(99170000, 3);
    const broken = madeArticle(zincTrial(second)).replace('</ArticleTitle>', '');
    const path = await files.put(
      'broken.xml',
      madeFile(madeArticle(zincTrial(first)), broken, madeArticle(zincTrial(third))),
    );
    const report = await run(path);
    assert.deepEqual([report.read, report.added, report.skipped], [2, 2, 1]);
    assert.equal(report.problems[0]?.at, 'broken.xml › record 2');
    assert.match(report.problems[0]?.message ?? '', /PMID 99170001.*malformed XML/);
  });

  it('runs concurrently with another import of the same records without losing or duplicating any', async () => {
    const [left, right] = [range(99180000, 250), range(99180150, 250)];
    const last = await lastChange(base.service);
    const paths = [await files.put('left.xml', fileOf(left)), await files.put('right.xml', fileOf(right))];
    const reports = await Promise.all(paths.map((path) => run(path)));
    const sum = (name: 'added' | 'unchanged' | 'changed'): number =>
      reports.reduce((total, report) => total + report[name], 0);
    assert.deepEqual([sum('added'), sum('unchanged'), sum('changed')], [400, 100, 0]);
    assert.equal(await has(range(99180000, 400)), 400);
    assert.equal(servicesOf(base.service).index.state().documents, (await revisionsOf(base.service)).size);
    assert.deepEqual(
      (await changesAfter(base.service, last)).map(({ kind }) => kind),
      ['index.published', 'index.published'],
    );
  });

  it('waits while another process has the lease on the corpus', async () => {
    const { db } = base.service.runtime;
    const path = await files.put('waiting.xml', fileOf([99190000]));
    await acquireLease(db, 'corpus', 'another process', 60);
    const waiting = run(path);
    await sleep(500);
    assert.equal(await has([99190000]), 0);
    await releaseLease(db, 'corpus', 'another process');
    assert.equal((await waiting).added, 1);
  });

  it('accepts unusual text and numbers in a file', async () => {
    const study = (nct: string, count: unknown, title: string) => ({
      protocolSection: {
        identificationModule: { nctId: nct, briefTitle: title },
        designModule: { studyType: 'INTERVENTIONAL', enrollmentInfo: { count, type: 'ACTUAL' } },
      },
    });
    const studies = [
      study('NCT99170001', 5_000_000_000, 'More people than there are'),
      study('NCT99170002', 12.5, 'Half a person \u0000 and a NUL'),
      study('NCT99170003', -1, 'A lone surrogate \ud800 here'),
      study('NCT99170004', 1e300, `${'long '.repeat(20_000)}title`),
    ];
    // JSON.stringify escapes the surrogate, as it would be in a file.
    const path = await files.put('odd.json', JSON.stringify(studies));
    const report = await ingest(base.service, 'ctgov', path);
    assert.deepEqual([report.read, report.added, report.skipped], [4, 4, 0]);
  });
});
