import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import { madeArticle, madeFile, zincTrial } from '../plugins/evidence/support.ts';
import { discard, newDataDir, newPlace } from '../support/service.ts';
import { KILLS, killProgram, moments, type Place, passLeases, runAgainOn, runOn, withDatabase } from './support.ts';

/** Two batches. */
const RECORDS = 450;
const FIRST = 99500000;

/** The same records in every version, each version with other titles: every import has all of them to write. */
const versionOf = (version: number): string =>
  madeFile(
    ...Array.from({ length: RECORDS }, (_, at) =>
      madeArticle(zincTrial(FIRST + at, { title: `Zinc lozenges for the common cold, version ${version}.` })),
    ),
  );

const all = async <T>(em: EntityManager, sql: string): Promise<T[]> => (await em.execute(sql)) as unknown as T[];
const one = async (em: EntityManager, sql: string): Promise<number> =>
  Number((await all<{ n: number }>(em, sql))[0]?.n ?? Number.NaN);

/** Everything that an import writes, without times and revisions. */
const stateOf = async (em: EntityManager) => ({
  sources: await all(
    em,
    'select source_id, digest, projection, verticals, removed_at is null as live from evidence_source order by source_id',
  ),
  records: await all(
    em,
    'select origin, origin_key, source_id, digest from evidence_record order by origin, origin_key',
  ),
  verticals: await all(em, 'select source_id, vertical from evidence_vertical order by source_id, vertical'),
  changes: await all(
    em,
    'select kind, subject_id, count(*)::int as n from change_log group by kind, subject_id order by kind, subject_id',
  ),
  published: await all(
    em,
    "select data - 'resumedAfter' as counts from change_log where kind = 'index.published' order by id",
  ),
  // A run that was killed when it was done and only had to end is done again, to no effect.
  imports: await all(em, 'select distinct path, status from import_run order by 1, 2'),
});

const MADE = `'pmid-${FIRST}' and 'pmid-${FIRST + RECORDS - 1}'`;

/** What holds at any moment, whatever was killed. */
const isConsistent = async (em: EntityManager): Promise<void> => {
  const doubts = {
    'records without a source': `select count(*) as n from evidence_record r left join evidence_source s using (source_id) where s.source_id is null`,
    'sources without a record': `select count(*) as n from evidence_source s where removed_at is null
      and not exists (select 1 from evidence_record r where r.source_id = s.source_id)`,
    'sources whose verticals are not their rows': `select count(*) as n from evidence_source s
      where jsonb_array_length(case when removed_at is null then verticals else '[]' end)
        <> (select count(*) from evidence_vertical v where v.source_id = s.source_id)`,
    'two sources with one revision': `select count(*) - count(distinct revision) as n from evidence_source`,
  };
  for (const [what, sql] of Object.entries(doubts)) assert.equal(await one(em, sql), 0, what);
};

describe('an import that is killed', function () {
  this.timeout(0);
  let [place, clean]: (Place | null)[] = [null, null];
  let folder = '';
  let [runMs, files]: [number, string[]] = [0, []];

  before(async () => {
    [place, clean, folder] = [await newPlace(), await newPlace(), await newDataDir()];
    files = Array.from({ length: KILLS }, (_, at) => join(folder, `version-${at}.xml`));
    for (const [at, file] of files.entries()) await writeFile(file, versionOf(at));
    const startedAt = performance.now();
    const [first = '', ...others] = files;
    assert.equal((await runOn(clean, 'import', 'pubmed', first)).status, 0);
    runMs = performance.now() - startedAt;
    if (others.length) assert.equal((await runAgainOn(clean, 'import', 'pubmed', ...others)).status, 0);
  });
  after(async () => {
    for (const each of [place, clean]) if (each) await discard(each);
    await rm(folder, { recursive: true, force: true });
  });

  it('leaves whole batches only, and the next run ends where a run without kills does', async () => {
    let killed = 0;
    for (const [at, moment] of moments(runMs).entries()) {
      const file = files[at] ?? '';
      if (await killProgram(['import', 'pubmed', file], place!, moment)) killed += 1;
      await withDatabase(place!, async (em) => {
        await isConsistent(em);
        const written = await one(
          em,
          `select count(*) as n from evidence_record where source_id between ${MADE} and payload->>'title' like '%version ${at}.'`,
        );
        const position = await all<{ position: number }>(
          em,
          `select position from import_run where path like '%version-${at}.xml'`,
        );
        assert.equal(written, position[0]?.position ?? 0, `killed after ${moment} ms`);
        await passLeases(em);
      });
      const { status, stdout, stderr } = await runAgainOn(place!, 'import', 'pubmed', file);
      assert.deepEqual([status, stderr], [0, ''], `killed after ${moment} ms`);
      assert.match(stdout, new RegExp(`: ${RECORDS} read, .* 0 skipped`));
    }
    assert.ok(killed > 0, 'at least one run was still at work');
    await withDatabase(place!, isConsistent);
    assert.deepEqual(await withDatabase(place!, stateOf), await withDatabase(clean!, stateOf));
  });
});
