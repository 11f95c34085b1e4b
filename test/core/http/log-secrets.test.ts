/** Tests that no log line contains what a caller sends, stores or reads, whatever error occurs. */
import { strict as assert } from 'node:assert';
import { runJob } from '#core/jobs/scheduler.ts';
import { createLog } from '#core/log.ts';
import { definePlugin, defineRoute, type Job } from '#core/plugin.ts';
import { BOOTSTRAP_SECRET, startService, type TestService } from '../../support/service.ts';

const SECRET = 'my-illness-7391';

/** Statements that fail on a value in different ways; PostgreSQL quotes the value in each message. */
const STATEMENTS: Readonly<Record<string, string>> = {
  'no number': 'select cast(? as int)',
  'no date': 'select cast(? as date)',
  'no json': 'select cast(? as jsonb)',
  'twice the same': `insert into fact (name, value) select ?, 'x' from generate_series(1, 2)`,
  'no such function': 'select nothing_of_the_kind(?)',
  'a null': 'insert into fact (name, value) values (?, null)',
  'raised by a function': 'select 1 / (length(cast(? as text)) - 15)',
  'too long': 'select cast(? as text)::varchar(3)::char(1)::bit(2)',
};

const ERRORS: Readonly<Record<string, () => Error>> = {
  'in a second line': () => new Error(`refused\nKey (email)=(${SECRET})`),
  'in a line like a frame': () => new Error(`refused\n    at ${SECRET} (file.ts:1:1)`),
  'in what the driver adds': () =>
    Object.assign(new Error('duplicate key value'), {
      code: '23505',
      detail: `Key (email)=(${SECRET})`,
      where: SECRET,
      parameters: [SECRET],
    }),
  'in its cause': () => new Error('refused', { cause: new Error(SECRET) }),
  'in quotes': () => Object.assign(new Error(`invalid input syntax for type integer: "${SECRET}"`), { code: '22P02' }),
  'in quotes of the other kind': () =>
    Object.assign(new Error(`unterminated quoted string at or near '${SECRET}'`), { code: '42601' }),
};

const failing: Job = {
  id: 'test_failing',
  summary: 'fails on a value',
  schedule: null,
  timeoutSeconds: 10,
  run: ({ db }) => db.read((em) => em.execute('select cast(? as int)', [SECRET])) as never,
};

const plugin = definePlugin({
  name: 'test-secrets',
  summary: 'For a test',
  dependencies: [],
  jobs: [failing],
  routes: [
    defineRoute({
      id: 'test.secrets',
      method: 'POST',
      path: '/api/test-secrets/{name}',
      summary: 'For a test',
      tag: 'Test',
      access: 'public',
      request: {},
      replies: [],
      raises: [],
      handle: async ({ db }, { params }) => {
        const name = decodeURIComponent(String((params as { name?: string }).name));
        const statement = STATEMENTS[name];
        if (statement) await db.write((em) => em.execute(statement, [SECRET]));
        throw ERRORS[name]?.() ?? new Error('nothing failed');
      },
    }),
  ],
  start: () => undefined,
});

/** Requests with a secret in every part that a caller controls: path, query, headers and body. */
const REQUESTS: readonly (readonly [string, string, Readonly<Record<string, string>>?, string?])[] = [
  ['GET', `/search?q=${SECRET}`],
  ['GET', `/api/sources?page=${SECRET}`],
  ['GET', `/v1/evidence/search?q=${SECRET}`, { Authorization: `Bearer ekb_live_${SECRET}` }],
  ['GET', `/developers/dashboard?key=${SECRET}`],
  ['GET', `/blood-test/reports/${SECRET}`],
  ['GET', `/blood-test/results/${SECRET}?report=${SECRET}`],
  ['GET', `/answers/${SECRET}`],
  ['GET', `/wearables/callback/oura?code=${SECRET}&state=${SECRET}`],
  ['GET', `/my-data?notice=${SECRET}`, { Cookie: `ekb_device=${SECRET.padEnd(43, 'A')}` }],
  [
    'GET',
    '/disclaimer',
    { Referer: `http://x.test/?q=${SECRET}`, 'User-Agent': SECRET, Cookie: `a=${SECRET}`, 'X-Forwarded-For': SECRET },
  ],
  [
    'GET',
    '/disclaimer',
    { 'X-Request-Id': SECRET, Traceparent: SECRET, 'If-None-Match': SECRET, 'Accept-Language': SECRET },
  ],
  ['POST', `/wearables/push/garmin/${SECRET}`, { 'Content-Type': 'application/json' }, '{}'],
  [
    'POST',
    '/api/keys',
    { 'X-Admin-Bootstrap': `${BOOTSTRAP_SECRET}${SECRET}`, 'Content-Type': 'application/json' },
    `{"name":"${SECRET}"}`,
  ],
  ['POST', '/api/feedback', { 'Content-Type': 'application/json' }, `{"category":"${SECRET}","message":"${SECRET}"}`],
  ['POST', '/api/feedback', { 'Content-Type': 'application/json' }, `{"broken ${SECRET}`],
  ['POST', '/my-data/move', { 'Content-Type': 'application/x-www-form-urlencoded' }, `phrase=${SECRET}`],
  [
    'POST',
    '/blood-test/upload',
    { 'Content-Type': 'multipart/form-data; boundary=x' },
    `--x\r\nContent-Disposition: form-data; name="file"; filename="${SECRET}.pdf"\r\n\r\n${SECRET}\r\n--x--\r\n`,
  ],
  [
    'POST',
    '/mcp',
    { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${SECRET}","arguments":{}}}`,
  ],
  ['DELETE', `/api/${SECRET}`],
];

describe('log lines', () => {
  let service: TestService;
  const lines: string[] = [];
  before(async () => {
    service = await startService({ more: [plugin], onLog: (line) => lines.push(line) });
  });
  beforeEach(() => {
    lines.length = 0;
  });
  after(() => service.stop());

  for (const [method, address, headers, body] of REQUESTS)
    it(`contain no secret from ${method} ${address.split('?')[0]} with ${Object.keys(headers ?? {}).join(', ') || 'no header'}`, async () => {
      const reply = await fetch(`${service.url}${address}`, { method, headers, body, redirect: 'manual' });
      await reply.text();
      const text = lines.join('');
      assert.match(text, /"event":"request"/);
      assert.ok(!text.includes(SECRET), text);
      assert.ok(!text.includes(BOOTSTRAP_SECRET), text);
    });

  for (const name of [...Object.keys(STATEMENTS), ...Object.keys(ERRORS)])
    it(`contain no value of an error: ${name}`, async () => {
      const url = `${service.url}/api/test-secrets/${encodeURIComponent(name)}`;
      const reply = await fetch(url, { method: 'POST' });
      const answer = await reply.text();
      assert.ok(reply.status >= 500, String(reply.status));
      const told = lines.map((line) => JSON.parse(line));
      assert.ok(told.some(({ event }) => event === 'request_failed'));
      assert.ok(!told.some(({ error }) => error?.message === 'nothing failed'));
      assert.ok(!lines.join('').includes(SECRET), lines.join(''));
      assert.ok(!answer.includes(SECRET));
    });

  it('contain no value that a job failed on, and neither does its run record', async () => {
    const outcome = await runJob(service.runtime, plugin, failing);
    assert.equal(outcome.status, 'failed');
    assert.ok(!JSON.stringify(outcome).includes(SECRET));
    assert.ok(lines.some((line) => line.includes('test_failing')));
    assert.ok(!lines.join('').includes(SECRET));
  });

  it('describe an error by its name, its first line and its stack', () => {
    const told: string[] = [];
    createLog('info', (line) => told.push(line)).error('x', { error: new TypeError('a fault\nwith a second line') });
    const { error } = JSON.parse(told[0] ?? '');
    assert.deepEqual([error.name, error.message], ['TypeError', 'a fault']);
    assert.ok(error.stack.length >= 1 && error.stack.every((line: string) => /^\s+at /.test(line)));
  });
});
