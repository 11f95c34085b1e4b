import { strict as assert } from 'node:assert';
import { api, bearer } from '../../support/client.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

describe('the validation of requests', () => {
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });

  const list = (query: string) => api(service).get(`/api/sources?${query}`);
  const createKey = (body: object) =>
    api(service)
      .post('/api/keys')
      .set(...bearer(service.admin.key))
      .send(body);
  const search = (query: object) =>
    api(service)
      .get('/v1/evidence/search')
      .query(query)
      .set(...bearer(service.admin.key));

  it('answers 422 with every problem at once: type, place, message and input', async () => {
    const reply = await list('page=two&min_score=101&format=xml').expect(422);
    assert.deepEqual(reply.body, {
      detail: [
        {
          type: 'less_than_equal',
          loc: ['query', 'min_score'],
          msg: 'Input should be less than or equal to 100',
          input: 101,
        },
        {
          type: 'int_parsing',
          loc: ['query', 'page'],
          msg: 'Input should be a valid integer, unable to parse string as an integer',
          input: 'two',
        },
        {
          type: 'literal_error',
          loc: ['query', 'format'],
          msg: "Input should be 'json', 'csv', 'jsonl', 'bibtex', 'ris', 'nbib' or 'csljson'",
          input: 'xml',
        },
      ],
      type: 'http://evidence.test/developers/errors#validation-failed',
      title: 'Unprocessable Content',
      status: 422,
      code: 'validation_failed',
      request_id: reply.get('X-Request-Id'),
    });
  });

  it('says which required parameter is missing', async () => {
    const reply = await search({}).expect(422);
    assert.deepEqual(reply.body.detail, [{ type: 'missing', loc: ['query', 'q'], msg: 'Field required', input: null }]);
  });

  it('does not repeat parameters that it does not know in the links of a list', async () => {
    const unknown = '-'.repeat(10_000);
    for (const path of ['/api/sources', '/api/supplements', '/api/findings']) {
      const { headers } = await api(service)
        .get(`${path}?page_size=1&${unknown}=${unknown.slice(0, 1_000)}`)
        .expect(200);
      assert.match(headers.link ?? '', /page_size=1/);
      assert.ok((headers.link ?? '').length < 1_000, path);
    }
  });

  it('takes an empty parameter as not given', async () => {
    const reply = await list('page=&page_size=&vertical=&format=').expect(200);
    assert.equal(reply.body.page, 1);
    assert.equal(reply.body.page_size, 50);
  });

  it('takes the last of repeated parameters', async () => {
    const reply = await list('page_size=nonsense&page_size=7&page_size=3').expect(200);
    assert.equal(reply.body.page_size, 3);
  });

  it('takes the last that is given, where an empty one is among them', async () => {
    const reply = await list('page_size=&page_size=3&page_size=').expect(200);
    assert.equal(reply.body.page_size, 3);
    await list('page_size=nonsense&page_size=').expect(422);
  });

  it('ignores parameters and members that it does not know', async () => {
    await list('nonsense=1&__proto__=2&constructor=3').expect(200);
    await createKey({ name: 'extra', nonsense: { a: [1] } }).expect(200);
  });

  it('repeats no more than 200 characters of what was sent', async () => {
    const reply = await search({ q: 'x'.repeat(501) }).expect(422);
    assert.deepEqual(reply.body.detail, [
      {
        type: 'string_too_long',
        loc: ['query', 'q'],
        msg: 'String should have at most 500 characters',
        input: 'x'.repeat(200),
      },
    ]);
  });

  it('repeats nothing of a field that may hold an address or a secret', async () => {
    const reply = await createKey({ name: 'x', contact_email: 5 }).expect(422);
    assert.deepEqual(reply.body.detail, [
      { type: 'string_type', loc: ['body', 'contact_email'], msg: 'Input should be a valid string' },
    ]);
  });

  for (const number of ['2147483648', '-1', '0', '1.5', '99999999999999999999', '0x10', '1e3', ' 1', 'NaN']) {
    it(`refuses ${JSON.stringify(number)} as a page`, async () => {
      const reply = await list(`page=${encodeURIComponent(number)}`).expect(422);
      assert.deepEqual(
        reply.body.detail.map(({ loc }: { loc: string[] }) => loc),
        [['query', 'page']],
      );
    });
  }

  it('tells one problem for a field that may also be null', async () => {
    const reply = await createKey({ name: 'x', rpm_limit: 0, expires_at: 'soon' }).expect(422);
    assert.deepEqual(
      reply.body.detail.map(({ type, loc }: { type: string; loc: string[] }) => [type, ...loc]),
      [
        ['greater_than_equal', 'body', 'rpm_limit'],
        ['value_error', 'body', 'expires_at'],
      ],
    );
    await createKey({ name: 'x', rpm_limit: null, daily_limit: null, expires_at: null }).expect(200);
  });

  it('refuses a NUL in a query, a path and a body', async () => {
    const nul = { type: 'value_error', msg: 'String should not contain NUL characters' };
    const query = await list('vertical=a%00b').expect(422);
    assert.deepEqual(query.body.detail, [{ ...nul, loc: ['query', 'vertical'] }]);
    const path = await api(service)
      .post('/api/keys/a%00b/deactivate')
      .set(...bearer(service.admin.key))
      .expect(422);
    assert.deepEqual(path.body.detail, [{ ...nul, loc: ['path', 'id'] }]);
    const body = await createKey({ name: 'x', scopes: ['good', 'a\0b'] }).expect(422);
    assert.deepEqual(body.body.detail, [{ ...nul, loc: ['body', 'scopes', 1] }]);
  });

  it('refuses half a surrogate pair, which no database stores', async () => {
    const reply = await createKey({ name: 'x', scopes: ['\ud800'] }).expect(422);
    assert.deepEqual(reply.body.detail, [
      { type: 'value_error', loc: ['body', 'scopes', 0], msg: 'String should be valid Unicode' },
    ]);
  });

  it('takes every other character as it comes', async () => {
    const name = 'Ω-3 “fish” 𝛼 \u202e \u0001 \\ \' " </script> %00 ; --';
    const reply = await createKey({ name }).expect(200);
    assert.equal(reply.body.name, name);
  });

  it('reads broken percent-encoding as it stands', async () => {
    await list('vertical=%FF%zz&%=%').expect(200);
    const reply = await api(service)
      .post('/api/keys/%E0%A4%A/deactivate')
      .set(...bearer(service.admin.key))
      .expect(404);
    assert.equal(reply.body.id, '%E0%A4%A');
  });

  const sendText = (text: string, headers: Readonly<Record<string, string>> = {}) =>
    api(service)
      .post('/api/keys')
      .set(...bearer(service.admin.key))
      .set({ 'Content-Type': 'application/json', ...headers })
      .send(text);
  const nested = (depth: number, extra = '') => `{"name":"x","extra":${'['.repeat(depth)}${extra}${']'.repeat(depth)}}`;

  it('refuses a body nested deeper than any schema, with an Idempotency-Key and without', async () => {
    for (const headers of [undefined, { 'Idempotency-Key': 'nested' }])
      for (const body of [nested(32), nested(100_000), '['.repeat(500_000), `{"a":${'{"a":'.repeat(100_000)}`]) {
        const reply = await sendText(body, headers).expect(422);
        assert.equal(reply.body.code, 'body_too_complex');
        assert.deepEqual(reply.body.detail, [
          { type: 'too_complex', loc: ['body'], msg: 'Input is nested deeper than 32 levels' },
        ]);
      }
    await sendText(nested(30)).expect(200);
  });

  it('refuses a body of more than ten thousand values before it is parsed', async () => {
    const bodies = [
      `{"scopes":[${Array(10_000).fill('1').join(',')}]}`,
      `{${Array.from({ length: 10_001 }, (_, at) => `"a${at}":0`).join(',')}}`,
      `[${Array(6_000).fill('{}').join(',')}]`,
      // It is not JSON either, and nobody has to find out.
      ','.repeat(20_000),
    ];
    for (const body of bodies) {
      const reply = await sendText(body).expect(422);
      assert.equal(reply.body.code, 'body_too_complex', body.slice(0, 20));
      assert.equal(reply.body.max_values, 10_000);
    }
  });

  it('does not count what stands in a text', async () => {
    const marks = '[{,"\\'.repeat(5_000);
    const reply = await sendText(JSON.stringify({ name: 'x', [marks]: [marks, `${marks}\\`, '"'] })).expect(200);
    assert.equal(reply.body.name, 'x');
  });

  it('refuses a form of more fields than any form here has', async () => {
    const reply = await api(service).post('/developers/sandbox').type('form').send('a=1&'.repeat(5_001)).expect(422);
    assert.match(reply.text, /Input has more than 5000 fields/);
  });

  it('tells no more than a hundred problems of one request', async () => {
    const reply = await createKey({ name: 'x', scopes: Array(1000).fill(1) }).expect(422);
    assert.equal(reply.body.detail.length, 100);
  });

  it('answers a page address that breaks a rule with 422 in HTML', async () => {
    const reply = await api(service)
      .get('/supplements/a%00b')
      .expect(422)
      .expect('Content-Type', /^text\/html/);
    assert.match(reply.text, /slug: String should not contain NUL characters/);
  });
});
