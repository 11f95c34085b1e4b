import { strict as assert } from 'node:assert';
import { api, bearer } from '../../support/client.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

describe('request validation', () => {
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

  it('returns 422 with the type, location, message and input of every problem', async () => {
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

  it('reports a missing required parameter', async () => {
    const reply = await search({}).expect(422);
    assert.deepEqual(reply.body.detail, [{ type: 'missing', loc: ['query', 'q'], msg: 'Field required', input: null }]);
  });

  it('omits unknown parameters from the links of a list', async () => {
    const unknown = '-'.repeat(10_000);
    for (const path of ['/api/sources', '/api/supplements', '/api/findings']) {
      const { headers } = await api(service)
        .get(`${path}?page_size=1&${unknown}=${unknown.slice(0, 1_000)}`)
        .expect(200);
      assert.match(headers.link ?? '', /page_size=1/);
      assert.ok((headers.link ?? '').length < 1_000, path);
    }
  });

  it('treats an empty parameter as absent', async () => {
    const reply = await list('page=&page_size=&vertical=&format=').expect(200);
    assert.equal(reply.body.page, 1);
    assert.equal(reply.body.page_size, 50);
  });

  it('uses the last of repeated parameters', async () => {
    const reply = await list('page_size=nonsense&page_size=7&page_size=3').expect(200);
    assert.equal(reply.body.page_size, 3);
  });

  it('uses the last non-empty value of repeated parameters', async () => {
    const reply = await list('page_size=&page_size=3&page_size=').expect(200);
    assert.equal(reply.body.page_size, 3);
    await list('page_size=nonsense&page_size=').expect(422);
  });

  it('ignores unknown parameters and members', async () => {
    await list('nonsense=1&__proto__=2&constructor=3').expect(200);
    await createKey({ name: 'extra', nonsense: { a: [1] } }).expect(200);
  });

  it('repeats at most 200 characters of an input', async () => {
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

  it('does not repeat the input of a field that may contain an address or a secret', async () => {
    const reply = await createKey({ name: 'x', contact_email: 5 }).expect(422);
    assert.deepEqual(reply.body.detail, [
      { type: 'string_type', loc: ['body', 'contact_email'], msg: 'Input should be a valid string' },
    ]);
  });

  for (const number of ['2147483648', '-1', '0', '1.5', '99999999999999999999', '0x10', '1e3', ' 1', 'NaN']) {
    it(`rejects ${JSON.stringify(number)} as a page`, async () => {
      const reply = await list(`page=${encodeURIComponent(number)}`).expect(422);
      assert.deepEqual(
        reply.body.detail.map(({ loc }: { loc: string[] }) => loc),
        [['query', 'page']],
      );
    });
  }

  it('reports one problem per nullable field', async () => {
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

  it('rejects a NUL in a query, a path and a body', async () => {
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

  it('rejects a lone surrogate, which no database stores', async () => {
    const reply = await createKey({ name: 'x', scopes: ['\ud800'] }).expect(422);
    assert.deepEqual(reply.body.detail, [
      { type: 'value_error', loc: ['body', 'scopes', 0], msg: 'String should be valid Unicode' },
    ]);
  });

  it('accepts every other character unchanged', async () => {
    const name = 'Ω-3 “fish” 𝛼 \u202e \u0001 \\ \' " </script> %00 ; --';
    const reply = await createKey({ name }).expect(200);
    assert.equal(reply.body.name, name);
  });

  it('accepts broken percent-encoding literally', async () => {
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

  it('rejects a body nested deeper than any schema, with or without an Idempotency-Key', async () => {
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

  it('rejects a body of more than ten thousand values before parsing it', async () => {
    const bodies = [
      `{"scopes":[${Array(10_000).fill('1').join(',')}]}`,
      `{${Array.from({ length: 10_001 }, (_, at) => `"a${at}":0`).join(',')}}`,
      `[${Array(6_000).fill('{}').join(',')}]`,
      // This body is not JSON either, but it is rejected before parsing.
      ','.repeat(20_000),
    ];
    for (const body of bodies) {
      const reply = await sendText(body).expect(422);
      assert.equal(reply.body.code, 'body_too_complex', body.slice(0, 20));
      assert.equal(reply.body.max_values, 10_000);
    }
  });

  it('does not count punctuation inside strings', async () => {
    const marks = '[{,"\\'.repeat(5_000);
    const reply = await sendText(JSON.stringify({ name: 'x', [marks]: [marks, `${marks}\\`, '"'] })).expect(200);
    assert.equal(reply.body.name, 'x');
  });

  it('rejects a form with more fields than any form has', async () => {
    const reply = await api(service).post('/developers/sandbox').type('form').send('a=1&'.repeat(5_001)).expect(422);
    assert.match(reply.text, /Input has more than 5000 fields/);
  });

  it('reports at most a hundred problems per request', async () => {
    const reply = await createKey({ name: 'x', scopes: Array(1000).fill(1) }).expect(422);
    assert.equal(reply.body.detail.length, 100);
  });

  it('returns 422 in HTML for an invalid page path', async () => {
    const reply = await api(service)
      .get('/supplements/a%00b')
      .expect(422)
      .expect('Content-Type', /^text\/html/);
    assert.match(reply.text, /slug: String should not contain NUL characters/);
  });
});
