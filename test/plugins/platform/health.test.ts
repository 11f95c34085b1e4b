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

  it('says that all is well, part by part, with the versions of API, index and retrieval', async () => {
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

  it('names the versions that searches and statistics name', async () => {
    const [health, stats, methodology] = await Promise.all(
      ['/api/health', '/api/stats', '/api/methodology'].map((path) => api(service).get(path).expect(200)),
    );
    assert.equal(stats?.body.index_version, health?.body.index_version);
    assert.equal(methodology?.body.retrieval_version, health?.body.retrieval_version);
  });

  it('is degraded, and still 200, while there is nothing to search; 503 once the database is away', async () => {
    const contentDir = await mkdtemp(join(tmpdir(), 'ekb-empty-'));
    const place = await newPlace();
    const service = await startService({ contentDir }, place);
    const degraded = await api(service).get('/api/health').expect(200);
    assert.equal(degraded.body.status, 'degraded');
    assert.deepEqual(degraded.body.checks, { database: 'ok', search_index: 'degraded' });
    // A server takes the database away; the embedded one goes with its worker.
    if (!place.databaseUrl) await service.runtime.db.close();
    await discard(place);
    const down = await api(service).get('/api/health').expect(503);
    assert.equal(down.body.status, 'down');
    assert.equal(down.body.checks.database, 'down');
    await service.stop();
    await rm(contentDir, { recursive: true });
  });
});
