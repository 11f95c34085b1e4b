import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PubmedServer } from '../../bench/pubmed-server.ts';
import { madeArticle, zincTrial } from '../plugins/evidence/support.ts';
import { runCommand } from '../support/command.ts';
import { startProgram } from '../support/program.ts';
import { discard, newDataDir, newPlace } from '../support/service.ts';
import { allRows, isConsistent, oneNumber, stateOf } from './corpus-state.ts';
import { environmentOf, KILLS, killAfter, moments, type Place, passLeases, withDatabase } from './support.ts';

/** Five result pages, each of which is one batch. */
const RECORDS = 900;
const FIRST = 99800000;
const PMIDS = Array.from({ length: RECORDS }, (_, at) => FIRST + at);

describe('killed PubMed search', function () {
  this.timeout(0);
  /** Each version has other titles, so that every run must write all records. */
  let version = 0;
  const pubmed = new PubmedServer({
    article: (pmid) => madeArticle(zincTrial(pmid, { title: `Zinc lozenges for colds, version ${version}.` })),
    find: () => [],
  });
  let [place, clean]: (Place | null)[] = [null, null];
  let [folder, address, list] = ['', '', ''];
  let runMs = 0;

  const settingsFor = (at: Place): Record<string, string> => ({
    ...environmentOf(at),
    NCBI_BASE_URL: address,
    NCBI_EMAIL: 'tests@example.org',
    NCBI_API_KEY: 'made-for-tests',
  });
  const command = (): string[] => ['import', 'pubmed-search', '--pmids', list];

  before(async () => {
    [place, clean, folder] = [await newPlace(), await newPlace(), await newDataDir()];
    address = await pubmed.listen();
    list = join(folder, 'list.txt');
    await writeFile(list, PMIDS.join('\n'));
    const startedAt = performance.now();
    const first = await startProgram(command(), settingsFor(clean)).finished;
    assert.equal(first.status, 0, first.stdout + first.stderr);
    runMs = performance.now() - startedAt;
    for (version = 1; version < KILLS; version += 1)
      assert.equal((await runCommand(command(), settingsFor(clean))).status, 0);
  });
  after(async () => {
    pubmed.close();
    for (const each of [place, clean]) if (each) await discard(each);
    await rm(folder, { recursive: true, force: true });
  });

  it('stores exactly the records in its checkpoint, and the next run ends as one without kills', async () => {
    let killed = 0;
    for (const [round, moment] of moments(runMs).entries()) {
      version = round;
      if (await killAfter(startProgram(command(), settingsFor(place!)), moment)) killed += 1;
      let continued = 0;
      await withDatabase(place!, async (em) => {
        await isConsistent(em);
        const written = await oneNumber(
          em,
          `select count(*) as n from evidence_record where payload->>'title' like '%version ${round}.'`,
        );
        const settled = await oneNumber(em, "select count(*) as n from evidence_pubmed_queue where state <> 'waiting'");
        const [last] = await allRows<{ position: number; status: string }>(
          em,
          'select position, status from import_run order by started_at desc limit 1',
        );
        if (last?.status === 'running') assert.equal(last.position, written, `killed after ${moment} ms`);
        const queued = await oneNumber(em, 'select count(*) as n from evidence_pubmed_queue');
        if (queued) assert.equal(settled, written, `killed after ${moment} ms`);
        continued = queued ? RECORDS - settled : RECORDS;
        await passLeases(em);
      });
      const { status, stdout, stderr } = await runCommand(command(), settingsFor(place!));
      assert.deepEqual([status, stderr], [0, ''], `killed after ${moment} ms`);
      assert.match(stdout, new RegExp(`: ${RECORDS} records found, ${continued} to fetch|^${RECORDS} records found`));
      assert.match(stdout, new RegExp(`^1 search: ${RECORDS} found, .* 0 skipped`, 'm'));
    }
    assert.ok(killed > 0, 'at least one run was still at work');
    await withDatabase(place!, isConsistent);
    assert.deepEqual(await withDatabase(place!, stateOf), await withDatabase(clean!, stateOf));
  });
});
