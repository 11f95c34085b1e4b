import { strict as assert } from 'node:assert';
import { SCOPES, scopeNames, scopeOf } from '#core/http/scopes.ts';
import type { Route } from '#core/plugin.ts';
import { plugins } from '#plugins/index.ts';
import { api, bearer, type IssuedKey, issueKey } from '../../support/client.ts';
import { runCommand } from '../../support/command.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

/** Routes by the scope that they require, callable with an ordinary key. */
const READS: readonly (readonly [string, string])[] = [
  ['search', '/v1/evidence/search?q=zinc'],
  ['search', '/api/suggest?q=zin'],
  ['sources', '/api/sources?page_size=1'],
  ['sources', '/api/gaps'],
  ['sources', '/api/findings?page_size=1'],
  ['sources', '/api/outcomes?page_size=1'],
  ['supplements', '/api/supplements'],
  ['supplements', '/api/conditions'],
  ['interactions', '/api/interactions/check?supplement=ginkgo&drug=warfarin'],
  ['interactions', '/api/drugs/suggest?q=war'],
  ['products', '/api/products?page_size=1'],
  ['export', '/api/export/csv?vertical=none'],
  ['images', '/api/label-image/stats'],
];

describe('the scopes of a key', () => {
  let service: SharedService;
  let admin: IssuedKey;
  before(async () => {
    service = await sharedService();
    admin = service.admin;
  });

  const call = (key: IssuedKey, path: string) =>
    api(service)
      .get(path)
      .set(...bearer(key.key));

  for (const scope of new Set(READS.map(([name]) => name))) {
    it(`open the routes of scope “${scope}”, and close all others with insufficient_scope`, async () => {
      const key = await issueKey(service, admin, { scopes: [scope] });
      for (const [needed, path] of READS) {
        const reply = await call(key, path);
        if (needed === scope) {
          assert.equal(reply.status, 200, path);
          continue;
        }
        const { detail, code, required_scope } = reply.body;
        assert.deepEqual(
          { status: reply.status, detail, code, required_scope },
          {
            status: 403,
            detail: `Scope '${needed}' required`,
            code: 'insufficient_scope',
            required_scope: needed,
          },
        );
        assert.equal(
          reply.get('WWW-Authenticate'),
          `Bearer realm="api", error="insufficient_scope", scope="${needed}"`,
        );
      }
    });
  }

  it('are checked on writes too, and a refused call counts against the quota', async () => {
    const key = await issueKey(service, admin, { scopes: ['search'] });
    for (const [path, needed] of [
      ['/api/ask', 'ask'],
      ['/api/feedback', 'feedback'],
      ['/api/interactions/check', 'interactions'],
    ] as const) {
      const reply = await api(service)
        .post(path)
        .set(...bearer(key.key))
        .send({})
        .expect(403);
      assert.equal(reply.body.required_scope, needed);
      assert.ok(reply.get('RateLimit'));
    }
    assert.equal((await call(key, '/api/keys/me').expect(200)).body.usage.minute.used, 4);
  });

  it('may be several, and a key without scopes opens everything', async () => {
    const [two, all] = [
      await issueKey(service, admin, { scopes: ['ask', 'products'] }),
      await issueKey(service, admin),
    ];
    await call(two, '/api/products?page_size=1').expect(200);
    await call(two, '/api/sources').expect(403);
    for (const [, path] of READS) await call(all, path).expect(200);
  });

  it('are listed by /api/keys/me, which requires none', async () => {
    const key = await issueKey(service, admin, { scopes: ['export', 'ask'] });
    assert.deepEqual((await call(key, '/api/keys/me').expect(200)).body.scopes, ['export', 'ask']);
  });

  it('apply to admin keys: an admin key without the admin scope opens no admin route', async () => {
    const [without, withIt] = await Promise.all(
      [['search'], ['admin']].map((scopes) => issueKey(service, admin, { is_admin: true, scopes })),
    );
    const reply = await call(without as IssuedKey, '/api/feedback/stats').expect(403);
    assert.equal(reply.body.required_scope, 'admin');
    await call(withIt as IssuedKey, '/api/feedback/stats').expect(200);
    const plain = await issueKey(service, admin, { scopes: ['admin'] });
    assert.equal((await call(plain, '/api/feedback/stats').expect(403)).body.code, 'admin_required');
  });

  it('are rejected with the list of valid scopes when one is unknown', async () => {
    const reply = await api(service)
      .post('/api/keys')
      .set(...bearer(admin.key))
      .send({ name: 'x', scopes: ['everything'] })
      .expect(422);
    const [{ type, loc, msg }] = reply.body.detail;
    assert.deepEqual([type, loc], ['literal_error', ['body', 'scopes', 0]]);
    for (const name of scopeNames) assert.ok(msg.includes(`'${name}'`), name);
  });

  it('are documented in the API description, with the requirement of each route', async () => {
    const { body } = await api(service).get('/openapi.json').expect(200);
    const text = body.components.securitySchemes.bearerAuth.description as string;
    for (const name of scopeNames) assert.ok(text.includes(`\`${name}\``), name);
    assert.equal(body.paths['/api/ask'].post['x-required-scope'], 'ask');
    assert.equal(body.paths['/api/export/csv'].get['x-required-scope'], 'export');
    assert.equal(body.paths['/api/keys'].post['x-required-scope'], 'admin');
    assert.equal(body.paths['/api/keys/me'].get['x-required-scope'], undefined);
    assert.match(body.paths['/api/ask'].post.responses['403'].description, /insufficient_scope/);
  });

  it('are defined for every route that accepts a key', () => {
    const routes = plugins.flatMap((plugin) => (plugin.routes ?? []) as readonly Route[]);
    const unknown = routes.filter((route) => {
      const scope = scopeOf(route);
      return scope !== null && !(scope in SCOPES);
    });
    assert.deepEqual(
      unknown.map(({ id }) => id),
      [],
    );
  });

  it('are set by the command on the host, which rejects an unknown scope', async () => {
    const keys = (...args: string[]) => runCommand(['keys', ...args], service.environment);
    const [made, wrong] = await Promise.all([
      keys('create', '--name', 'narrow', '--scopes', 'search,export'),
      keys('create', '--name', 'narrow', '--scopes', 'search,all'),
    ]);
    const [raw = ''] = made.stdout.split('\n');
    assert.deepEqual((await call({ id: '', key: raw }, '/api/keys/me').expect(200)).body.scopes, ['search', 'export']);
    assert.deepEqual([wrong.status, wrong.stdout], [2, `There is no scope "all": ${scopeNames.join(', ')}.\n`]);
  });
});
