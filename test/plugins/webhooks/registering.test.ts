import { strict as assert } from 'node:assert';
import { createAjv } from '#core/http/validate.ts';
import { EVENT_TYPES } from '#plugins/webhooks/events/event-types.ts';
import { api, bearer, bootstrapAdmin, issueKey } from '../../support/client.ts';
import { countOf, sql } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';
import { adminOf } from './support.ts';

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const URL_ = 'https://hooks.example.org/in?token=abc';
const base64 = (bytes: number): string => Buffer.alloc(bytes, 7).toString('base64');

describe('webhook registration', () => {
  let service: TestService;
  let admin: ReturnType<typeof adminOf>;
  let adminKey: string;
  let plainKey: string;
  before(async () => {
    service = await startService();
    const root = await bootstrapAdmin(service);
    adminKey = root.key;
    admin = adminOf(service, adminKey);
    plainKey = (await issueKey(service, root)).key;
  });
  after(() => service.stop());
  afterEach(() => sql(service, 'delete from webhook_endpoint'));

  const problemsOf = async (body: unknown, path = '/api/webhooks', method: 'post' | 'patch' = 'post') => {
    const reply = await api(service)
      [method](path)
      .set(...bearer(adminKey))
      .send(body as object)
      .expect(422);
    return reply.body.detail as { loc: unknown; msg: string; input?: unknown }[];
  };

  it('uses defaults, and returns a secret that is shown once and stored sealed', async () => {
    const reply = await admin.post('/api/webhooks', { url: URL_ }).expect(200);
    assert.equal(reply.get('Cache-Control'), 'no-store');
    const { id, secret, created_at, public_key, ...rest } = reply.body;
    assert.deepEqual(rest, { url: URL_, events: ['*'], description: null, active: true });
    assert.match(id, /^wh_[0-9a-z]{20,}$/);
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.match(public_key, /^whpk_[A-Za-z0-9+/]{43}=$/);
    assert.match(created_at, DATE);
    const state = { last_delivery_at: null, last_status_code: null, consecutive_failures: 0, disabled_reason: null };
    const shown = { id, created_at, public_key, ...rest, ...state };
    assert.deepEqual((await admin.get('/api/webhooks').expect(200)).body, [shown]);
    assert.deepEqual(await admin.show(id), shown);
    const bytes = Buffer.from(secret.slice(6), 'base64');
    const [row] = await sql(service, 'select sealed, row_to_json(e)::text as text from webhook_endpoint e');
    assert.equal(Buffer.from(row?.sealed as Uint8Array).includes(bytes), false);
    assert.equal(String(row?.text).includes(secret.slice(6)), false);
  });

  it('accepts a custom port, secret, description, events and inactive state', async () => {
    const secret = `whsec_${base64(24)}`;
    const given = { url: 'https://hooks.example.org:8443/', description: 'Ours', active: false };
    const events = ['evidence.retracted', 'key.created', 'evidence.retracted'];
    const { body } = await admin.post('/api/webhooks', { ...given, events, secret }).expect(200);
    assert.equal(body.secret, secret);
    assert.deepEqual(body.events, ['evidence.retracted', 'key.created']);
    assert.deepEqual([body.url, body.description, body.active], [given.url, 'Ours', false]);
  });

  for (const [url, msg] of [
    ['http://hooks.example.org/', 'The URL must begin with https://'],
    ['ftp://hooks.example.org/', 'The URL must begin with https://'],
    ['file:///etc/passwd', 'The URL must begin with https://'],
    ['javascript:alert(1)', 'The URL must begin with https://'],
    ['hooks.example.org', 'Value is not a valid URL'],
    ['https://', 'Value is not a valid URL'],
    ['https://user:word@hooks.example.org/', 'The URL must not hold a user name or password'],
    ['https://hooks.example.org/#part', 'The URL must not have a fragment'],
    ['https://hooks.example.org:22/', 'The port must be 443, or 1024 or higher'],
    ['https://localhost/', 'The host must be a full public name'],
    ['https://db.localhost./', 'The host must be a full public name'],
    ['https://metadata.google.internal/', 'The host must be a full public name'],
    ['https://intranet/', 'The host must be a full public name'],
    ['https://127.0.0.1/', 'The address must not lie in a private or special network'],
    ['https://2130706433/', 'The address must not lie in a private or special network'],
    ['https://0x7f.1/', 'The address must not lie in a private or special network'],
    ['https://10.0.0.8/', 'The address must not lie in a private or special network'],
    ['https://169.254.169.254/', 'The address must not lie in a private or special network'],
    ['https://[::1]/', 'The address must not lie in a private or special network'],
    ['https://[::ffff:10.0.0.8]/', 'The address must not lie in a private or special network'],
  ] as const) {
    it(`rejects the URL ${url}`, async () => {
      const [problem] = await problemsOf({ url });
      assert.deepEqual([problem?.loc, problem?.msg], [['body', 'url'], msg]);
    });
  }

  const secrets: readonly (readonly [string, string])[] = [
    ['too short', `whsec_${base64(23)}`],
    ['too long', `whsec_${base64(65)}`],
    ['without its prefix', base64(32)],
    ['that is no base64', `whsec_${'?'.repeat(44)}`],
  ];
  for (const [name, secret] of secrets) {
    it(`rejects a secret ${name}, and does not repeat it in the error`, async () => {
      const reply = await admin.post('/api/webhooks', { url: URL_, secret }).expect(422);
      assert.equal(reply.body.detail[0].msg, 'The secret must be whsec_ and the base64 of 24 to 64 bytes');
      assert.equal(reply.text.includes(secret), false);
    });
  }

  it('rejects an invalid body with the path of the field', async () => {
    const url = URL_;
    for (const [body, loc] of [
      [{}, ['body', 'url']],
      [{ url: 7 }, ['body', 'url']],
      [{ url: `https://a.example/${'x'.repeat(2000)}` }, ['body', 'url']],
      [{ url, events: [] }, ['body', 'events']],
      [{ url, events: ['evidence.nothing'] }, ['body', 'events', 0]],
      [{ url, events: 'evidence.created' }, ['body', 'events']],
      [{ url, description: 'x'.repeat(201) }, ['body', 'description']],
      [{ url, active: 'yes please' }, ['body', 'active']],
    ] as const)
      assert.deepEqual((await problemsOf(body))[0]?.loc, loc, JSON.stringify(body));
    const broken = await api(service)
      .post('/api/webhooks')
      .set(...bearer(adminKey))
      .set('Content-Type', 'application/json')
      .send('{"url":')
      .expect(422);
    assert.equal(broken.body.code, 'malformed_json');
    assert.equal(await countOf(service, 'webhook_endpoint'), 0);
  });

  it('is limited to one hundred webhooks', async () => {
    const { id } = await admin.register(URL_);
    await sql(
      service,
      `insert into webhook_endpoint (id, url, events, active, sealed, public_key, created_at)
       select id || n, url, events, false, sealed, public_key, created_at from webhook_endpoint, generate_series(1, 99) n
       where id = ?`,
      [id],
    );
    const [problem] = await problemsOf({ url: URL_ });
    assert.equal(problem?.msg, 'There are 100 webhooks already: delete one first');
  });

  it('can be changed, and keeps the values of omitted fields', async () => {
    const { id } = await admin.register(URL_, { events: ['key.created'], description: 'One' });
    const path = `/api/webhooks/${id}`;
    const changed = (await admin.patch(path, { active: false, description: '' }).expect(200)).body;
    assert.deepEqual([changed.active, changed.description, changed.events], [false, null, ['key.created']]);
    const url = 'https://other.example.org/';
    const again = (await admin.patch(path, { url, events: ['*'], active: true }).expect(200)).body;
    assert.deepEqual([again.url, again.events, again.active], [url, ['*'], true]);
    assert.deepEqual(await admin.show(id), again);
    const [problem] = await problemsOf({ url: 'https://10.1.2.3/' }, path, 'patch');
    assert.deepEqual(problem?.loc, ['body', 'url']);
    assert.deepEqual((await problemsOf({ events: ['nothing'] }, path, 'patch'))[0]?.loc, ['body', 'events', 0]);
    assert.deepEqual(await admin.show(id), again);
  });

  it('can be deleted', async () => {
    const { id } = await admin.register(URL_);
    assert.deepEqual((await admin.delete(`/api/webhooks/${id}`).expect(200)).body, { id, deleted: true });
    assert.deepEqual((await admin.get('/api/webhooks').expect(200)).body, []);
  });

  const everyRoute = [
    ['get', '/api/webhooks'],
    ['post', '/api/webhooks'],
    ['get', '/api/webhooks/event-types'],
    ['get', '/api/webhooks/wh_nothing'],
    ['patch', '/api/webhooks/wh_nothing'],
    ['delete', '/api/webhooks/wh_nothing'],
    ['post', '/api/webhooks/wh_nothing/test'],
    ['post', '/api/webhooks/wh_nothing/rotate-secret'],
    ['get', '/api/webhooks/wh_nothing/deliveries'],
    ['post', '/api/webhooks/wh_nothing/deliveries/dlv_nothing/replay'],
    ['post', '/api/webhooks/wh_nothing/replay'],
  ] as const;

  for (const [method, path] of everyRoute) {
    it(`requires an admin key: ${method.toUpperCase()} ${path} returns 401 without a key and 403 with an ordinary one`, async () => {
      assert.equal((await api(service)[method](path).expect(401)).body.code, 'missing_api_key');
      const reply = await api(service)
        [method](path)
        .set(...bearer(plainKey))
        .send({ url: URL_ })
        .expect(403);
      assert.equal(reply.body.code, 'admin_required');
    });
  }

  for (const [method, path] of everyRoute.slice(3)) {
    it(`returns 404 for an unknown webhook: ${method.toUpperCase()} ${path}`, async () => {
      const body = { since: new Date(Date.now() - 1000).toISOString() };
      const reply = await api(service)
        [method](path)
        .set(...bearer(adminKey))
        .send(method === 'get' ? undefined : body)
        .expect(404);
      assert.deepEqual([reply.body.code, reply.body.resource, reply.body.id], ['not_found', 'webhook', 'wh_nothing']);
    });
  }

  it('returns 404 for an unknown delivery, and 422 for invalid queries and time ranges', async () => {
    const { id } = await admin.register(URL_);
    const path = `/api/webhooks/${id}`;
    const reply = await admin.post(`${path}/deliveries/dlv_nothing/replay`).expect(404);
    assert.deepEqual([reply.body.resource, reply.body.id], ['delivery', 'dlv_nothing']);
    for (const query of ['page_size=0', 'page_size=201', 'status=lost', 'type=nothing', 'cursor=x'])
      await admin.get(`${path}/deliveries?${query}`).expect(422);
    const long = new Date(Date.now() - 31 * 86_400_000).toISOString();
    const now = new Date().toISOString();
    for (const body of [
      {},
      { since: 'yesterday' },
      { since: long },
      { since: now, until: long },
      { since: now, cursor: 'x' },
    ])
      await problemsOf(body, `${path}/replay`);
  });

  it('lists each event type with a valid example at GET /api/webhooks/event-types', async () => {
    const { body } = await admin.get('/api/webhooks/event-types').expect(200);
    const types = body as { type: string; description: string; schema: object; example: { data: object } }[];
    assert.deepEqual(
      types.map(({ type }) => type),
      [...EVENT_TYPES],
    );
    const ajv = createAjv();
    for (const { type, description, schema, example } of types) {
      const validate = ajv.compile(schema);
      assert.ok(validate(example), `${type}: ${JSON.stringify(validate.errors?.[0]?.message)}`);
      assert.ok(description.length > 10);
      assert.ok(Buffer.byteLength(JSON.stringify(example)) < 20_480);
      assert.equal(validate({ ...example, data: {} }), false, `${type} says what its data holds`);
    }
  });

  it('documents each event type in /openapi.json under webhooks', async () => {
    const { body } = await api(service).get('/openapi.json').expect(200);
    assert.deepEqual(Object.keys(body.webhooks), [...EVENT_TYPES]);
    const { post } = body.webhooks['evidence.retracted'];
    assert.deepEqual(
      post.parameters.map(({ name }: { name: string }) => name),
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
    );
    const { schema, example } = post.requestBody.content['application/json'];
    assert.deepEqual(schema.properties.type.enum, ['evidence.retracted']);
    assert.ok(createAjv().compile(schema)(example));
  });
});
