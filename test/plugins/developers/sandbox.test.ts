/** Tests sandbox keys: creation by JSON and by form, abuse limits, and expiry. */
import assert from 'node:assert/strict';
import { runJob } from '#core/jobs/scheduler.ts';
import { developersPlugin } from '#plugins/developers/index.ts';
import { forgetSandboxKeys } from '#plugins/developers/sandbox/jobs.ts';
import { api, bearer } from '../../support/client.ts';
import { countOf, sql } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';

const BODY = { app_name: 'my app', accept_terms: true };
const PATH = '/developers/sandbox';

describe('sandbox keys', () => {
  let service: TestService;
  const lines: string[] = [];
  let caller = 0;
  /** Returns a new client address for each call, because an address may create only three keys a day. */
  const newAddress = (): string => {
    caller += 1;
    return `10.8.${Math.floor(caller / 250)}.${caller % 250}`;
  };
  const post = (from = newAddress()) => api(service).post(PATH).set('X-Forwarded-For', from);
  before(async function () {
    this.timeout(180_000);
    service = await startService({
      settings: { TRUSTED_PROXIES: '127.0.0.1' },
      onLog: (line) => lines.push(line),
    });
  });
  after(() => service.stop());

  it('are created from JSON for seven days, with the limits of the sandbox plan and a working example', async () => {
    const reply = await post().send(BODY).expect(200);
    assert.deepEqual(Object.keys(reply.body), [
      'key',
      'api_key',
      'owner_secret',
      'key_prefix',
      'plan',
      'rpm_limit',
      'daily_limit',
      'expires_at',
      'docs_url',
      'example',
    ]);
    const { key, api_key, key_prefix, plan, rpm_limit, daily_limit, expires_at, docs_url, example } = reply.body;
    assert.match(key, /^ekb_test_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/);
    assert.equal(api_key, key);
    assert.ok(key.startsWith(key_prefix));
    assert.deepEqual(
      { plan, rpm_limit, daily_limit, docs_url },
      { plan: 'sandbox', rpm_limit: 30, daily_limit: 200, docs_url: '/developers/docs' },
    );
    const days = (Date.parse(expires_at) - Date.now()) / 86_400_000;
    assert.ok(days > 6.99 && days <= 7, String(days));
    assert.ok(example.startsWith('curl ') && example.includes(key));
    assert.equal(reply.headers['cache-control'], 'no-store');
    assert.equal(reply.headers['referrer-policy'], 'no-referrer');
    const me = await api(service)
      .get('/api/keys/me')
      .set(...bearer(key))
      .expect(200);
    assert.equal(me.body.plan, 'sandbox');
    assert.equal(me.body.name, 'my app');
    assert.match(me.headers['ratelimit-policy'] ?? '', /"minute";q=30;w=60, "day";q=200;w=86400/);
    await api(service)
      .get('/v1/evidence/search?q=zinc')
      .set(...bearer(key))
      .expect(200);
  });

  it('are shown once after a form submission, on a page with no-store, no-referrer and noindex', async () => {
    const reply = await post()
      .type('form')
      .send({ app_name: '<b>shop</b>', email: '', accept_terms: 'true' })
      .expect(200);
    const [, key = ''] = /(ekb_test_\w+)/.exec(reply.text) ?? [];
    await api(service)
      .get('/api/keys/me')
      .set(...bearer(key))
      .expect(200);
    assert.match(reply.headers['content-type'] ?? '', /^text\/html/);
    assert.equal(reply.headers['cache-control'], 'no-store');
    assert.equal(reply.headers['referrer-policy'], 'no-referrer');
    assert.equal(reply.headers['x-robots-tag'], 'noindex');
    assert.ok(reply.text.includes('&lt;b&gt;shop&lt;/b&gt;') && !reply.text.includes('<b>shop'));
  });

  it('are rejected with 422 without accepted terms, or with an invalid name, e-mail address or use case', async () => {
    const from = newAddress();
    const wrong = [
      [{ app_name: 'x' }, 'accept_terms'],
      [{ ...BODY, accept_terms: false }, 'accept_terms'],
      [{ accept_terms: true }, 'app_name'],
      [{ ...BODY, app_name: '  ' }, 'app_name'],
      [{ ...BODY, app_name: 'x'.repeat(101) }, 'app_name'],
    ] as const;
    for (const [body, field] of wrong) {
      const reply = await post(from).send(body).expect(422);
      assert.ok(
        reply.body.detail.some(({ loc }: { loc: string[] }) => loc.includes(field)),
        JSON.stringify(reply.body.detail),
      );
    }
    const other = newAddress();
    for (const more of [{ email: 'nobody' }, { email: 'a@b' }, { use_case: 'x'.repeat(501) }])
      await post(other)
        .send({ ...BODY, ...more })
        .expect(422);
    await post(other)
      .send({ ...BODY, email: '', use_case: null })
      .expect(200);
  });

  it('are limited to three a day per address, even for concurrent requests', async () => {
    const from = newAddress();
    const replies = await Promise.all(Array.from({ length: 5 }, () => post(from).send(BODY)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 200, 200, 429, 429]);
    const refused = replies.find(({ status }) => status === 429);
    assert.equal(refused?.body.detail, 'Quota exceeded (sandbox): 4/3');
    assert.equal(refused?.body.code, 'quota_exceeded');
    assert.equal(refused?.headers['retry-after'], String(refused?.body.retry_after));
  });

  it('are limited to one live key per e-mail address, with the same error as the other limit', async () => {
    const email = 'Writer@Example.org';
    await post()
      .send({ ...BODY, email })
      .expect(200);
    const refused = await post()
      .send({ ...BODY, email: ' writer@example.org'.trim() })
      .expect(429);
    const { request_id: _, retry_after: __, ...told } = refused.body;
    assert.deepEqual(told, {
      detail: 'Quota exceeded (sandbox): 4/3',
      type: 'http://evidence.test/developers/errors#quota-exceeded',
      title: 'Too Many Requests',
      status: 429,
      code: 'quota_exceeded',
      'violated-policies': ['sandbox'],
      hint: 'At most 3 sandbox keys a day for one network address, and one live key for one e-mail address.',
    });
    await sql(service, "update sandbox_key set expires_at = now() - interval '1 minute' where email_hash <> ''");
    await post()
      .send({ ...BODY, email })
      .expect(200);
  });

  it('store neither e-mail nor network address in the database, and no key in the log', async () => {
    const from = newAddress();
    const { key } = (
      await post(from)
        .send({ ...BODY, email: 'hidden@example.org' })
        .expect(200)
    ).body;
    const rows = JSON.stringify([
      await sql(service, 'select * from sandbox_key'),
      await sql(service, 'select * from api_key'),
    ]);
    assert.ok(rows.length > 500 && !rows.includes('hidden@') && !rows.includes(from) && !rows.includes(key));
    const log = lines.join('\n');
    assert.ok(log.includes(PATH) && !log.includes(key) && !log.includes('hidden@'));
  });

  it('are not created for cross-site requests', async () => {
    const reply = await post()
      .set('Sec-Fetch-Site', 'cross-site')
      .type('form')
      .send({ app_name: 'x', accept_terms: 'true' });
    assert.equal(reply.status, 403);
    await post().set('Origin', 'https://elsewhere.test').send(BODY).expect(403);
  });

  it('return 401 after expiry, and are deleted a month later with the data for their limits', async () => {
    const { key } = (await post().send(BODY).expect(200)).body;
    await sql(service, "update api_key set expires_at = now() - interval '1 day' where plan = 'sandbox'");
    await sql(service, "update sandbox_key set expires_at = now() - interval '1 day'");
    const expired = await api(service)
      .get('/api/keys/me')
      .set(...bearer(key))
      .expect(401);
    assert.equal(expired.body.detail, 'API key expired');
    await runJob(service.runtime, developersPlugin, forgetSandboxKeys);
    assert.equal(await countOf(service, 'sandbox_key'), 0);
    assert.ok((await countOf(service, "api_key where plan = 'sandbox'")) > 0);
    await sql(service, "update api_key set expires_at = now() - interval '31 days' where plan = 'sandbox'");
    await runJob(service.runtime, developersPlugin, forgetSandboxKeys);
    assert.equal(await countOf(service, "api_key where plan = 'sandbox'"), 0);
  });
});
