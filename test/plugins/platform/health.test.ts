import { strict as assert } from 'node:assert';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { api } from '../../support/client.ts';
import { discard, newPlace, startService } from '../../support/service.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

describe('/api/health', () => {
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });

  it('returns ok for each check, with the versions of API, index and retrieval', async () => {
    const reply = await api(service)
      .get('/api/health')
      .expect(200)
      .expect('Content-Type', /^application\/json/);
    const { time, uptime_s, index_version, retrieval_version, ...rest } = reply.body;
    assert.deepEqual(rest, { status: 'ok', version: '1.0.0', checks: { database: 'ok', search_index: 'ok' } });
    assert.ok(Math.abs(Date.now() - Date.parse(time)) < 60_000);
    assert.match(time, /Z$/);
    assert.ok(Number.isInteger(uptime_s) && uptime_s >= 0);
    assert.ok(index_version.length > 0 && retrieval_version.length > 0);
    assert.equal(reply.get('Cache-Control'), 'no-store');
  });

  it('returns the same versions as the statistics and the methodology', async () => {
    const [health, stats, methodology] = await Promise.all(
      ['/api/health', '/api/stats', '/api/methodology'].map((path) => api(service).get(path).expect(200)),
    );
    assert.equal(stats?.body.index_version, health?.body.index_version);
    assert.equal(methodology?.body.retrieval_version, health?.body.retrieval_version);
  });

  it('returns 200 with status degraded while the search index is empty', async () => {
    const contentDir = await mkdtemp(join(tmpdir(), 'ekb-empty-'));
    const empty = await startService({ contentDir });
    const { body } = await api(empty).get('/api/health').expect(200);
    assert.equal(body.status, 'degraded');
    assert.deepEqual(body.checks, { database: 'ok', search_index: 'degraded' });
    await empty.stop();
    await rm(contentDir, { recursive: true });
  });

  it('returns 503 when the database is unavailable', async function () {
    // The embedded database cannot fail independently of the server.
    if (!process.env.TEST_DATABASE_URL) return this.skip();
    const place = await newPlace();
    const left = await startService({}, place);
    await discard(place);
    const { body } = await api(left).get('/api/health').expect(503);
    assert.equal(body.status, 'down');
    assert.equal(body.checks.database, 'down');
    await left.stop();
  });
});
