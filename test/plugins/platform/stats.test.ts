import { strict as assert } from 'node:assert';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { api } from '../../support/client.ts';
import { countOf, sql } from '../../support/database.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';
import { until } from '../../support/until.ts';

const content = join(import.meta.dirname, '../../../content');

describe('/api/stats', () => {
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });

  const read = async () => (await api(service).get('/api/stats').expect(200)).body;
  const isPair = ({ rxcui, drug }: { rxcui?: string; drug?: string }): boolean => rxcui !== undefined && drug !== '';
  const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((all, one) => all + one, 0);

  it('returns the counts of the database', async () => {
    const { sources, last_updated, index_version, ...rest } = await read();
    assert.deepEqual(rest, {
      supplements: (await readdir(join(content, 'supplements'))).length,
      conditions: (await readdir(join(content, 'conditions'))).length,
      interactions: (await api(service).get('/api/interactions').expect(200)).body.filter(isPair).length,
      products: {
        total: await countOf(service, 'product'),
        on_market: await countOf(service, '(select 1 from product where on_market) as one'),
      },
      brands: await countOf(service, "(select distinct brand_slug from product where brand_slug <> '') as one"),
      biomarkers: (await readdir(join(content, 'biomarkers'))).length,
      articles: (await readdir(join(content, 'articles'))).length,
      verticals: await countOf(service, '(select distinct vertical from evidence_vertical) as one'),
    });
    assert.equal(sources.total, await countOf(service, 'evidence_source'));
    assert.deepEqual(Object.keys(sources.by_tier), ['A', 'B', 'C', 'D']);
    assert.equal(sum(sources.by_tier), sources.total);
    assert.equal(sum(sources.by_class), sources.total);
    assert.equal(sum(sources.by_species), sources.total);
    assert.equal(sum(sources.by_year), sources.total);
    assert.match(last_updated, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(index_version.length > 0);
  });

  it('agrees with the list of sources', async () => {
    const { sources } = await read();
    const list = await api(service).get('/api/sources?page_size=1').expect(200);
    assert.equal(list.body.total, sources.total);
  });

  it('excludes retracted and removed sources', async () => {
    const before = await read();
    const [one, two] = await sql(service, 'select source_id, quality_tier from evidence_source order by 1 limit 2');
    await sql(service, "update evidence_source set retraction_status = 'retracted' where source_id = ?", [
      one?.source_id,
    ]);
    await sql(service, 'update evidence_source set removed_at = now() where source_id = ?', [two?.source_id]);
    const after = await read();
    await sql(service, "update evidence_source set retraction_status = 'none' where source_id = ?", [one?.source_id]);
    await sql(service, 'update evidence_source set removed_at = null where source_id = ?', [two?.source_id]);
    assert.equal(after.sources.total, before.sources.total - 2);
    assert.equal(sum(after.sources.by_tier), after.sources.total);
  });
});

describe('/api/pipeline/status', () => {
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });

  beforeEach(() => sql(service, 'delete from job_run'));
  after(() => sql(service, 'delete from job_run'));

  const read = async () => (await api(service).get('/api/pipeline/status').expect(200)).body;
  const ran = (job: string, status: string, hoursAgo: number) =>
    sql(
      service,
      `insert into job_run (job, status, started_at, finished_at, counts, error)
       values (?, ?, now() - make_interval(secs => ? * 3600 + 60), now() - make_interval(secs => ? * 3600), '{"added":3}', 'db.internal is away')`,
      [job, status, hoursAgo, hoursAgo],
    );
  const nothing = {
    status: 'stale',
    last_started_at: null,
    last_success_at: null,
    items: 0,
    error: null,
    next_run_at: null,
  };

  it('has one stage per job, including jobs that have never run', async () => {
    const jobs = service.runtime.plugins.flatMap((plugin) => plugin.jobs ?? []).map(({ id }) => id);
    // The starter data may still be loading in the background.
    const body = await until(async () => {
      const now = await read();
      return now.overall !== 'running' && now;
    }, 'the end of the loading');
    assert.deepEqual(
      body.stages.filter(({ name }: { name: string }) => jobs.includes(name)),
      jobs.map((name) => ({ name, ...nothing })),
    );
    assert.deepEqual([body.overall, body.lag_hours], ['ok', null]);
    assert.ok(jobs.includes('ingest_pubmed'));
  });

  it('reports the lag since the last success, and the status of a failure without its error message', async () => {
    await ran('ingest_pubmed', 'ok', 30);
    assert.deepEqual((({ overall, lag_hours }) => ({ overall, lag_hours }))(await read()), {
      overall: 'ok',
      lag_hours: 30,
    });
    await ran('ingest_pubmed', 'failed', 2);
    const body = await read();
    assert.equal(body.overall, 'failed');
    assert.equal(body.lag_hours, 30);
    const stage = body.stages.find(({ name }: { name: string }) => name === 'ingest_pubmed');
    assert.equal(stage.status, 'failed');
    assert.ok(Date.parse(stage.last_started_at) > Date.parse(stage.last_success_at));
    assert.ok(!JSON.stringify(stage).includes('db.internal'));
  });
});
