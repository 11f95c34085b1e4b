import { strict as assert } from 'node:assert';
import { api, bearer, bootstrapAdmin } from './support/client.ts';
import { startService, type TestService } from './support/service.ts';

describe('a fresh service', () => {
  let service: TestService;
  before(async function () {
    this.timeout(180_000);
    service = await startService();
  });
  after(() => service.stop());

  it('returns search results from the starter content for an API key', async () => {
    const admin = await bootstrapAdmin(service);
    const reply = await api(service)
      .get('/v1/evidence/search')
      .query({ q: 'magnesium leg cramps in pregnancy' })
      .set(...bearer(admin.key))
      .expect(200);
    assert.ok(reply.body.results.length > 0);
    assert.match(reply.body.results[0].title, /magnesium/i);
  });
});
