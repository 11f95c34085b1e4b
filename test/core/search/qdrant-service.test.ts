import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { api, bearer, bootstrapAdmin, type IssuedKey } from '../../support/client.ts';
import { QdrantStandIn } from '../../support/qdrant-stand-in.ts';
import { discard, newPlace, startService, type TestService } from '../../support/service.ts';

describe('service with QDRANT_URL', function () {
  this.timeout(300_000);
  const server = new QdrantStandIn();
  let place: Awaited<ReturnType<typeof newPlace>>;
  let service: TestService;
  let admin: IssuedKey;

  const start = () => startService({ settings: { QDRANT_URL: server.url } }, place);
  const search = (text: string) =>
    api(service)
      .get('/v1/evidence/search')
      .query({ q: text })
      .set(...bearer(admin.key));

  before(async () => {
    await server.start();
    place = await newPlace();
    service = await start();
    admin = await bootstrapAdmin(service);
  });

  after(async () => {
    server.fault = () => null;
    await service.stop();
    await discard(place);
    await server.stop();
  });

  it('answers searches from Qdrant, and names Qdrant in the index version', async () => {
    server.requests.length = 0;
    const { body } = await search('magnesium for migraine').expect(200);
    assert.ok(body.results.length > 0);
    assert.match(body.index_version, /^bm25f-ngram-qdrant-/);
    assert.ok(server.requests.some(({ path }) => path.endsWith('/points/query/batch')));
  });

  it('names the collection after its database', () => {
    assert.equal(server.aliases.size, 1);
    assert.match([...server.aliases.keys()][0] ?? '', /^evidence-[0-9a-f]{8}$/);
  });

  it('returns 503 reduced_capacity while the server is unavailable, and 200 afterwards', async () => {
    server.fault = () => 502;
    const { body, headers } = await search('omega-3 triglycerides').expect(503);
    assert.equal(body.code, 'reduced_capacity');
    assert.equal(headers['retry-after'], '5');
    server.fault = () => null;
    await search('omega-3 triglycerides').expect(200);
  });

  it('reuses the existing collection when a new node starts', async () => {
    await service.stop();
    await rm(join(place.dataDir, 'evidence/indexed-corpus'), { force: true });
    server.requests.length = 0;
    service = await start();
    const writes = server.requests.filter(({ method, path }) => method === 'PUT' && !path.includes('-meta/'));
    assert.deepEqual(writes, []);
    const { body } = await search('magnesium for migraine').expect(200);
    assert.ok(body.results.length > 0);
  });

  it('stops the start with one sentence when the server does not reply', async () => {
    await service.stop();
    server.fault = () => 502;
    await assert.rejects(start(), /^OperatorError: QDRANT_URL: no Qdrant server answers at \S+ \(502\)\.$/);
    server.fault = () => null;
    service = await start();
  });
});
