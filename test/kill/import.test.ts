import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { madeArticle, madeFile, zincTrial } from '../plugins/evidence/support.ts';
import { discard, newDataDir, newPlace } from '../support/service.ts';
import { allRows, isConsistent, oneNumber, stateOf } from './corpus-state.ts';
import { KILLS, killProgram, moments, type Place, passLeases, runAgainOn, runOn, withDatabase } from './support.ts';

/** The number of records, which gives two batches. */
const RECORDS = 450;
const FIRST = 99500000;

/** Returns the same records with other titles in each version, so that every import must write all of them. */
const versionOf = (version: number): string =>
  madeFile(
    ...Array.from({ length: RECORDS }, (_, at) =>
      madeArticle(zincTrial(FIRST + at, { title: `Zinc lozenges for the common cold, version ${version}.` })),
    ),
  );

const MADE = `'pmid-${FIRST}' and 'pmid-${FIRST + RECORDS - 1}'`;

describe('killed import', function () {
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

  it('leaves only complete batches, and the next run ends as one without kills', async () => {
    let killed = 0;
    for (const [at, moment] of moments(runMs).entries()) {
      const file = files[at] ?? '';
      if (await killProgram(['import', 'pubmed', file], place!, moment)) killed += 1;
      await withDatabase(place!, async (em) => {
        await isConsistent(em);
        const written = await oneNumber(
          em,
          `select count(*) as n from evidence_record where source_id between ${MADE} and payload->>'title' like '%version ${at}.'`,
        );
        const position = await allRows<{ position: number }>(
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
