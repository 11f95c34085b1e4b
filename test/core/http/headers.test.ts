import { strict as assert } from 'node:assert';
import { api, bearer, issueKey } from '../../support/client.ts';
import { sql } from '../../support/database.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

const EXPOSED = 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Link';

describe('response headers', () => {
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });

  for (const path of ['/api/health', '/api/keys/me', '/disclaimer', '/nope', '/api/nope', '/favicon.ico']) {
    it(`restrict what a browser may do with ${path}`, async () => {
      const reply = await api(service).get(path);
      const policy = reply.get('Content-Security-Policy') ?? '';
      assert.match(policy, /^default-src 'none';/);
      assert.match(policy, /script-src 'self'(;|$)/);
      assert.match(policy, /style-src 'self'(;|$)/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.match(policy, /base-uri 'none'/);
      assert.match(policy, /form-action 'self'/);
      assert.equal(reply.get('X-Content-Type-Options'), 'nosniff');
      assert.equal(reply.get('Referrer-Policy'), 'strict-origin-when-cross-origin');
      assert.equal(reply.get('Cross-Origin-Opener-Policy'), 'same-origin');
      assert.match(reply.get('Permissions-Policy') ?? '', /camera=\(\)/);
      assert.match(reply.get('X-Request-Id') ?? '', /^req_/);
      assert.equal(reply.get('X-Powered-By'), undefined);
      assert.equal(reply.get('Set-Cookie'), undefined);
    });
  }

  it('allow any origin for public and limited reads, and expose the headers that a client needs', async () => {
    for (const path of ['/api/health', '/api/stats', '/api/sources?page_size=1', '/openapi.json']) {
      const reply = await api(service).get(path).set('Origin', 'https://elsewhere.test').expect(200);
      assert.equal(reply.get('Access-Control-Allow-Origin'), '*', path);
      assert.equal(reply.get('Access-Control-Expose-Headers'), EXPOSED, path);
      assert.equal(reply.get('Access-Control-Allow-Credentials'), undefined, path);
    }
  });

  it('allow any origin for rejected reads too, so that another site can show the reason', async () => {
    const invalid = await api(service).get('/api/sources?page=x').expect(422);
    assert.equal(invalid.get('Access-Control-Allow-Origin'), '*');
    const { id, key } = await issueKey(service, service.admin, { daily_limit: 1 });
    await sql(service, "insert into quota_window values (?, 'day', now() + interval '1 day', 1)", [`key:${id}`]);
    const limited = await api(service)
      .get('/api/sources')
      .set(...bearer(key))
      .expect(429);
    assert.equal(limited.get('Access-Control-Allow-Origin'), '*');
    assert.equal(limited.get('Access-Control-Expose-Headers'), EXPOSED);
  });

  it('answer the CORS preflight of such a read', async () => {
    const reply = await api(service)
      .options('/api/sources')
      .set('Origin', 'https://elsewhere.test')
      .set('Access-Control-Request-Method', 'GET')
      .set('Access-Control-Request-Headers', 'authorization')
      .expect(204);
    assert.equal(reply.get('Access-Control-Allow-Origin'), '*');
    assert.equal(reply.get('Access-Control-Allow-Methods'), 'GET, HEAD');
    assert.match(reply.get('Access-Control-Allow-Headers') ?? '', /Authorization/);
    assert.equal(reply.get('Access-Control-Max-Age'), '86400');
  });

  it('do not allow other origins for routes that need a key, for writes or for pages', async () => {
    for (const path of ['/api/keys/me', '/v1/evidence/search', '/api/nope', '/', '/search']) {
      const reply = await api(service).get(path).set('Origin', 'https://elsewhere.test');
      assert.equal(reply.get('Access-Control-Allow-Origin'), undefined, path);
    }
    const write = await api(service).options('/api/keys').set('Access-Control-Request-Method', 'POST').expect(405);
    assert.equal(write.get('Access-Control-Allow-Origin'), undefined);
  });

  it('keep responses to a request with a key out of shared caches', async () => {
    const { key } = service.admin;
    for (const path of ['/v1/evidence/search?q=zinc', '/api/sources', '/api/keys/me']) {
      const reply = await api(service)
        .get(path)
        .set(...bearer(key))
        .expect(200);
      assert.match(reply.get('Cache-Control') ?? '', /no-store/, path);
    }
  });

  it('are the same for HEAD as for GET, without a body', async () => {
    const reply = await api(service)
      .head('/api/health')
      .expect(200)
      .expect('Content-Type', /^application\/json/);
    assert.equal(reply.text, undefined);
    assert.ok(Number(reply.get('Content-Length')) > 0);
  });
});
