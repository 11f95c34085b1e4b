import assert from 'node:assert/strict';
import { loadConfig } from '#core/config.ts';
import { runJob } from '#core/jobs/scheduler.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { pubmedUpdate } from '#plugins/evidence/jobs.ts';
import { PubmedServer } from '../../../bench/pubmed-server.ts';
import {
  changesAfter,
  idsOf,
  lastChange,
  levelIndex,
  MADE_TOPICS,
  madeArticle,
  madeSupplement,
  query,
  revisionsOf,
  temporaryFolder,
  useService,
  zincTrial,
} from './support.ts';

const KEY = 'made-for-tests-0123456789';
const DAY_MS = 86_400_000;

const dayOf = (params: URLSearchParams | undefined, name: string): number =>
  Date.parse((params?.get(name) ?? '').replaceAll('/', '-')) / DAY_MS;

describe('the scheduled update from PubMed', () => {
  const content = temporaryFolder();
  /** Maps a word of the search to PMIDs. */
  const held = new Map<string, readonly number[]>();
  const pubmed = new PubmedServer({
    article: (pmid) => madeArticle(zincTrial(pmid)),
    find: (term) => [...held].find(([word]) => term.includes(word))?.[1] ?? [],
  });
  const log: string[] = [];
  let address = '';
  before(async () => {
    await content.put('topics.yaml', MADE_TOPICS);
    await content.put('supplements/zinc.md', madeSupplement('Zinc'));
    await content.put('supplements/creatine.md', madeSupplement('Creatine'));
    address = await pubmed.listen();
  });
  const base = useService(() => ({
    contentDir: content.path(),
    settings: { NCBI_BASE_URL: address, NCBI_EMAIL: 'tests@example.org', NCBI_API_KEY: KEY },
    onLog: (line) => log.push(line),
  }));
  after(() => pubmed.close());
  beforeEach(() => pubmed.reset());

  const run = () => runJob(base.service.runtime, evidencePlugin, pubmedUpdate);
  /** Moves all previous runs into the past. */
  const daysPass = (days: number) =>
    base.service.runtime.db.write((em) =>
      em.execute('update job_run set started_at = started_at - make_interval(days => ?)', [days]),
    );
  const listed = async (): Promise<string[]> => {
    await levelIndex(base.service);
    return idsOf((await base.client.sources({ page_size: 200 })).body.sources).sort();
  };
  const stage = async () => {
    const { body } = await base.client.get('/api/pipeline/status');
    return body.stages.find((one: { name: string }) => one.name === 'ingest_pubmed');
  };

  it('has the status "stale" before its first run', async () => {
    const { status, last_started_at: at, items } = await stage();
    assert.deepEqual([status, at, items], ['stale', null, 0]);
  });

  it("searches for each supplement's records of the last thirty days, and stores them", async () => {
    held.set('Zinc', [99300001, 99300002]);
    const last = await lastChange(base.service);
    const counts = { added: 2, changed: 0, unchanged: 0, removed: 0, skipped: 0 };
    assert.deepEqual(await run(), { status: 'ok', counts });
    const searches = pubmed.to('esearch').map(({ params }) => params);
    const DESIGNS =
      '(randomized controlled trial[pt] OR meta-analysis[pt] OR systematic review[pt] OR practice guideline[pt])';
    assert.deepEqual(
      searches.map((params) => params.get('term')),
      ['Creatine', 'Zinc'].map((name) => `("${name}"[tiab]) AND ${DESIGNS} AND dietary supplements[mh]`),
    );
    for (const params of searches) {
      assert.deepEqual(
        ['db', 'datetype', 'tool', 'email', 'api_key'].map((name) => params.get(name)),
        ['pubmed', 'mdat', 'supplement-evidence-base', 'tests@example.org', KEY],
      );
      assert.equal(dayOf(params, 'maxdate') - dayOf(params, 'mindate'), 30);
    }
    assert.deepEqual(await listed(), ['pmid-99300001', 'pmid-99300002']);
    const news = (pmid: number) => ({
      kind: 'evidence.created',
      subject_id: `pmid-${pmid}`,
      data: {
        pmid: String(pmid),
        doi: `10.5555/made.${pmid}`,
        new: { quality_tier: 'B', retraction_status: 'none' },
      },
    });
    assert.deepEqual(await changesAfter(base.service, last), [
      news(99300002),
      news(99300001),
      { kind: 'index.published', subject_id: 'pubmed', data: counts },
    ]);
    const { status, items, error } = await stage();
    assert.deepEqual([status, items, error], ['ok', 2, null]);
  });

  it('searches from the day before its last successful run, and does not change stored records', async () => {
    await daysPass(5);
    const [before, last] = [await revisionsOf(base.service), await lastChange(base.service)];
    const counts = { added: 0, changed: 0, unchanged: 2, removed: 0, skipped: 0 };
    assert.deepEqual(await run(), { status: 'ok', counts });
    const params = pubmed.to('esearch')[0]?.params;
    assert.equal(dayOf(params, 'maxdate') - dayOf(params, 'mindate'), 6);
    assert.deepEqual(await revisionsOf(base.service), before);
    assert.equal(await lastChange(base.service), last);
  });

  it('searches the same period again after a run that could not fetch some records', async () => {
    await daysPass(10);
    pubmed.faultFor = ({ utility }) => (utility === 'efetch' ? { status: 400 } : undefined);
    const outcome = await run();
    assert.equal(outcome.status === 'ok' && outcome.counts.skipped, 2);
    await daysPass(2);
    pubmed.reset();
    await run();
    const params = pubmed.to('esearch')[0]?.params;
    assert.equal(
      dayOf(params, 'maxdate') - dayOf(params, 'mindate'),
      13,
      'the day before the last run that missed nothing',
    );
    await daysPass(1);
    pubmed.reset();
    await run();
    const next = pubmed.to('esearch')[0]?.params;
    assert.equal(dayOf(next, 'maxdate') - dayOf(next, 'mindate'), 2);
  });

  it('fails with the reason when NCBI refuses a search, and publishes the records stored before', async () => {
    held.set('Creatine', [99300011]);
    pubmed.faultFor = ({ params }) => (params.get('term')?.includes('Zinc') ? { status: 400 } : undefined);
    const last = await lastChange(base.service);
    assert.deepEqual(await run(), {
      status: 'failed',
      error: 'zinc: NCBI refused the search: it answered 400',
    });
    assert.ok((await listed()).includes('pmid-99300011'));
    assert.deepEqual(
      (await changesAfter(base.service, last)).map(({ kind, subject_id: id }) => `${kind} ${id}`),
      ['evidence.created pmid-99300011', 'index.published pubmed', 'pipeline.failed ingest_pubmed'],
    );
    const { status, error } = await stage();
    assert.deepEqual([status, error], ['failed', 'The last run failed; the operator’s log says why.']);
    const { body } = await base.client.get('/api/pipeline/status');
    assert.equal(body.overall, 'failed');
  });

  it('publishes the records stored before NCBI stopped responding, and resumes after them on the same day', async () => {
    const pmids = Array.from({ length: 500 }, (_, at) => 99310000 + at);
    held.set('Zinc', pmids);
    pubmed.faultFor = ({ utility }) =>
      utility === 'efetch' && pubmed.to('efetch').length > 1
        ? { status: 503, headers: { 'retry-after': '0' } }
        : undefined;
    const last = await lastChange(base.service);
    const outcome = await run();
    assert.match(
      outcome.status === 'failed' ? outcome.error : '',
      /^NCBI answered 503\. What came in so far is stored\. Run the same command again when NCBI answers/,
    );
    const published = (await changesAfter(base.service, last)).filter(({ kind }) => kind === 'index.published');
    assert.deepEqual(
      published.map(({ data }) => [data.added, data.skipped]),
      [[200, 0]],
    );
    pubmed.reset();
    const counts = { added: 500, changed: 0, unchanged: 1, removed: 0, skipped: 0 };
    assert.deepEqual(await run(), { status: 'ok', counts });
    assert.deepEqual(
      pubmed.asked.map(({ utility, params }) => `${utility} ${params.get('id')?.split(',').length ?? ''}`),
      ['epost 301', 'efetch ', 'efetch '],
    );
  });

  it('does not run concurrently with itself', async () => {
    let open = (): void => undefined;
    pubmed.gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const first = run();
    while (!pubmed.asked.length) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(await run(), { status: 'busy' });
    assert.equal((await stage()).status, 'running');
    open();
    assert.equal((await first).status, 'ok');
    assert.equal((await stage()).status, 'ok');
  });

  it('is scheduled only when NCBI_EMAIL is set', () => {
    const settings = evidencePlugin.settings ?? [];
    const enabled = (environment: Record<string, string>) =>
      pubmedUpdate.enabled?.(loadConfig(settings, environment, null));
    assert.equal(enabled({}), false);
    assert.equal(enabled({ NCBI_EMAIL: 'tests@example.org' }), true);
  });

  it('never writes the key to URLs, the log or the database', async () => {
    await run();
    assert.ok(pubmed.asked.length && pubmed.asked.every(({ url }) => !url.includes(KEY)));
    assert.ok(!log.join('').includes(KEY));
    const runs = await query(base.service, 'select * from job_run');
    assert.ok(!JSON.stringify(runs).includes(KEY));
  });
});
