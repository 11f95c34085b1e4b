/** Tests the usage page of a key, and pages whose URL may contain a key. */
import assert from 'node:assert/strict';
import { api, bearer, type IssuedKey, issueKey } from '../../support/client.ts';
import { sql } from '../../support/database.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

const PATH = '/developers/dashboard';

const asSecret = ({ headers }: { readonly headers: Readonly<Record<string, string>> }): void => {
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['x-robots-tag'], 'noindex');
};

const textOf = (html: string): string => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

describe('/developers/dashboard', () => {
  let service: SharedService;
  let key: IssuedKey;
  before(async () => {
    service = await sharedService();
    key = await issueKey(service, service.admin, { name: 'shop' });
    for (const path of ['/api/brands', '/api/brands', '/api/keys/me'])
      await api(service)
        .get(path)
        .set(...bearer(key.key))
        .expect(200);
    await sql(
      service,
      `insert into key_usage values ('${key.id}', (now() at time zone 'utc')::date - 3, 'evidence.search', 7)`,
    );
  });

  it('accepts the key by header, query or form, shows the figures of /api/keys/me, and never shows the key', async () => {
    const replies = [
      await api(service)
        .get(PATH)
        .set(...bearer(key.key))
        .expect(200),
      await api(service).get(`${PATH}?key=${key.key}`).expect(200),
      await api(service)
        .post(PATH)
        .type('form')
        .send({ key: ` ${key.key} ` })
        .expect(200),
    ];
    const { usage } = (
      await api(service)
        .get('/api/keys/me')
        .set(...bearer(key.key))
        .expect(200)
    ).body;
    for (const reply of replies) {
      asSecret(reply);
      assert.ok(!reply.text.includes(key.key));
      const text = textOf(reply.text);
      assert.match(text, /This minute \d+ 120/);
      // Requests to this page are not counted.
      assert.ok(text.includes(`This day ${usage.day.used - 1} 5,000`), text.slice(0, 2_000));
      assert.match(text, /10 calls/);
    }
  });

  it('shows charts by day and by operation, and the same figures as tables', async () => {
    const { text } = await api(service)
      .get(PATH)
      .set(...bearer(key.key))
      .expect(200);
    assert.match(text, /<svg[^>]*aria-labelledby="by-day-t by-day-d"/);
    assert.match(text, /<svg[^>]*aria-labelledby="by-operation-t by-operation-d"/);
    const words = textOf(text);
    assert.match(words, /GET \/v1\/evidence\/search 7/);
    assert.match(words, /GET \/api\/brands 2/);
  });

  it('explains why a key is rejected: unknown, expired or deactivated', async () => {
    const unknown = await api(service)
      .get(PATH)
      .set(...bearer('ekb_live_nonsense'))
      .expect(401);
    assert.match(unknown.text, /This key is unknown here/);
    assert.ok(!unknown.text.includes('ekb_live_nonsense'));
    asSecret(unknown);
    const old = await issueKey(service, service.admin);
    await sql(service, `update api_key set expires_at = now() - interval '1 hour' where id = '${old.id}'`);
    const expired = await api(service).post(PATH).type('form').send({ key: old.key }).expect(401);
    assert.match(expired.text, /This key has expired/);
    assert.match(expired.text, /\/developers\/errors#key-expired/);
    const off = await issueKey(service, service.admin);
    await api(service)
      .post(`/api/keys/${off.id}/deactivate`)
      .set(...bearer(service.admin.key))
      .expect(200);
    const switchedOff = await api(service).get(`${PATH}?key=${off.key}`).expect(401);
    assert.match(switchedOff.text, /switched off/);
  });

  it('shows a form when no key is given', async () => {
    const reply = await api(service).get(PATH).expect(200);
    asSecret(reply);
    assert.match(reply.text, /<form[^>]*action="\/developers\/dashboard" method="post"/);
  });

  it('logs no key', async () => {
    service.lines.length = 0;
    await api(service).get(`${PATH}?key=${key.key}`).expect(200);
    await api(service).get(`/developers/playground?key=${key.key}`).expect(200);
    const log = service.lines.join('\n');
    assert.ok(log.includes(PATH) && log.includes('/developers/playground'));
    assert.ok(!log.includes(key.key));
  });
});

describe('/developers/playground', () => {
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });

  it('never shows a key from the URL, and is neither cached nor indexed', async () => {
    const reply = await api(service)
      .get('/developers/playground?key=ekb_live_secret&operation=drugs.suggest')
      .expect(200);
    asSecret(reply);
    assert.ok(!reply.text.includes('ekb_live_secret'));
    assert.match(reply.text, /<h2 id="call">/);
    assert.match(reply.text, /data-path="\/api\/drugs\/suggest"/);
  });

  it('shows the first operation for an unknown one', async () => {
    const { text } = await api(service).get('/developers/playground?operation=nosuch').expect(200);
    assert.match(text, /data-path="\/v1\/evidence\/search"/);
  });
});
