import { strict as assert } from 'node:assert';
import { api, bearer, type IssuedKey, issueKey } from '../../support/client.ts';
import { sql } from '../../support/database.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

const PLAIN = 'Bearer realm="api"';
const INVALID = 'Bearer realm="api", error="invalid_token"';

describe('authentication with an API key', () => {
  let service: SharedService;
  let admin: IssuedKey;
  let live: IssuedKey;
  let off: IssuedKey;
  let expired: IssuedKey;
  let both: IssuedKey;
  before(async () => {
    service = await sharedService();
    admin = service.admin;
    live = await issueKey(service, admin, { name: 'live' });
    off = await issueKey(service, admin, { name: 'off' });
    expired = await issueKey(service, admin, { name: 'expired' });
    both = await issueKey(service, admin, { name: 'both' });
    const past = "update api_key set expires_at = now() - interval '1 second' where id in (?, ?)";
    await sql(service, past, [expired.id, both.id]);
    for (const { id } of [off, both]) {
      await api(service)
        .post(`/api/keys/${id}/deactivate`)
        .set(...bearer(admin.key))
        .expect(200);
    }
  });

  const cases: readonly (readonly [string, () => string | null, string, string, string])[] = [
    ['no key', () => null, 'missing_api_key', 'Missing API key', PLAIN],
    ['an empty header', () => ' ', 'missing_api_key', 'Missing API key', PLAIN],
    ['an unknown key', () => `Bearer ${live.key.slice(0, -1)}!`, 'invalid_api_key', 'Invalid API key', INVALID],
    ['another scheme', () => `Basic ${live.key}`, 'invalid_api_key', 'Invalid API key', INVALID],
    ['the bare key', () => live.key, 'invalid_api_key', 'Invalid API key', INVALID],
    ['two keys', () => `Bearer ${live.key} ${live.key}`, 'invalid_api_key', 'Invalid API key', INVALID],
    ['a very long key', () => `Bearer ${'x'.repeat(10_000)}`, 'invalid_api_key', 'Invalid API key', INVALID],
    ['a deactivated key', () => `Bearer ${off.key}`, 'key_deactivated', 'API key deactivated', INVALID],
    ['an expired key', () => `Bearer ${expired.key}`, 'key_expired', 'API key expired', INVALID],
    [
      'a key both deactivated and expired',
      () => `Bearer ${both.key}`,
      'key_deactivated',
      'API key deactivated',
      INVALID,
    ],
  ];
  const routes = [
    ['get', '/api/keys/me'],
    ['get', '/v1/evidence/search?q=zinc'],
    ['post', '/api/keys'],
    ['post', '/api/keys/anything/deactivate'],
  ] as const;

  for (const [name, header, code, detail, challenge] of cases) {
    it(`returns 401 ${code} for ${name}, on key routes and admin routes`, async () => {
      for (const [method, path] of routes) {
        // Wrong keys are limited per address; a separate address keeps the attempts of other tests out of this count.
        const asked = api(service)[method](path).set('X-Forwarded-For', '203.0.113.201');
        const authorization = header();
        const reply = await (authorization === null ? asked : asked.set('Authorization', authorization)).expect(401);
        assert.deepEqual(reply.body, {
          detail,
          type: `http://evidence.test/developers/errors#${code.replaceAll('_', '-')}`,
          title: 'Unauthorized',
          status: 401,
          code,
          request_id: reply.get('X-Request-Id'),
        });
        assert.equal(reply.get('WWW-Authenticate'), challenge);
      }
    });
  }

  it('returns 401 for an invalid key on a limited route, instead of treating the caller as anonymous', async () => {
    for (const [key, code] of [
      ['unknown', 'invalid_api_key'],
      [off.key, 'key_deactivated'],
      [expired.key, 'key_expired'],
    ] as const) {
      const reply = await api(service)
        .get('/api/sources')
        .set(...bearer(key))
        .expect(401);
      assert.equal(reply.body.code, code);
    }
  });

  it('ignores keys on public routes', async () => {
    const reply = await api(service)
      .get('/api/stats')
      .set(...bearer('unknown'))
      .expect(200);
    assert.equal(reply.get('RateLimit'), undefined);
  });

  it('accepts the scheme in any case', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  ']) {
      const reply = await api(service).get('/api/keys/me').set('Authorization', `${scheme} ${live.key}`).expect(200);
      assert.equal(reply.body.id, live.id);
    }
  });

  it('returns 403 admin_required for an ordinary key on an admin route', async () => {
    for (const [method, path] of routes.slice(2)) {
      const reply = await api(service)
        [method](path)
        .set(...bearer(live.key))
        .send({ name: 'mine', is_admin: true })
        .expect(403);
      assert.deepEqual(reply.body, {
        detail: 'Admin key required',
        type: 'http://evidence.test/developers/errors#admin-required',
        title: 'Forbidden',
        status: 403,
        code: 'admin_required',
        request_id: reply.get('X-Request-Id'),
      });
      assert.equal(reply.get('WWW-Authenticate'), undefined);
    }
  });

  it('accepts a key until it expires', async () => {
    const key = await issueKey(service, admin, { expires_at: new Date(Date.now() + 86_400_000).toISOString() });
    await api(service)
      .get('/api/keys/me')
      .set(...bearer(key.key))
      .expect(200);
    await sql(service, 'update api_key set expires_at = now() where id = ?', [key.id]);
    const reply = await api(service)
      .get('/api/keys/me')
      .set(...bearer(key.key))
      .expect(401);
    assert.equal(reply.body.detail, 'API key expired');
  });
});
