/** Tests uploads, devices, throttles and the cross-site rule on test routes. */
import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { createApp } from '../../../core/http/app.ts';
import { ByteBlocks } from '../../../core/http/read-bytes.ts';
import { definePlugin, defineRoute } from '../../../core/plugin.ts';
import { api } from '../../support/client.ts';
import { startService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const reply = { status: 200, mediaType: 'application/json', description: 'What came' };
const common = {
  method: 'POST',
  summary: 'For a test',
  tag: 'Test',
  access: 'public',
  replies: [reply],
  raises: [],
} as const;
let lastPath = '';
/** The part of the body that the streaming route received before its sender disconnected. */
const cut = Promise.withResolvers<string>();

/** Blocks the upload handler until the test opens it. */
let gate = Promise.withResolvers<void>();
let reached = 0;
const LARGE = 300_000;

const routes = [
  defineRoute({
    ...common,
    id: 'test.large',
    path: '/api/test/large',
    request: {},
    upload: { fields: ['file'], maxBytes: LARGE, maxFiles: 3 },
    handle: async (_context, { files }) => {
      reached += 1;
      await gate.promise;
      return { body: { files: files.length } };
    },
  }),
  defineRoute({
    ...common,
    id: 'test.upload',
    path: '/api/test/upload',
    request: { body: Type.Object({ kind: Type.String({ enum: ['a', 'b'] }), primary: Type.Optional(Type.Boolean()) }) },
    upload: { fields: ['file'], maxBytes: 1_000, maxFiles: 2 },
    handle: async (_context, { body, files }) => {
      lastPath = files[0]?.path ?? '';
      const texts = await Promise.all(files.map(({ path }) => readFile(path, 'utf8')));
      return { body: { ...body, texts, names: files.map(({ name }) => name) } };
    },
  }),
  defineRoute({
    ...common,
    id: 'test.stream',
    method: 'PATCH',
    path: '/test/stream/{mode}',
    request: { params: Type.Object({ mode: Type.String() }) },
    stream: { mediaType: 'application/offset+octet-stream' },
    isForPrograms: true,
    handle: async (_context, { params, stream }) => {
      let text = '';
      if (params.mode === 'ignore') return { status: 409, body: {} };
      try {
        for await (const piece of stream ?? []) text += piece;
      } catch (error) {
        cut.resolve(text);
        throw error;
      }
      return { body: { text } };
    },
  }),
  defineRoute({
    ...common,
    id: 'test.head',
    method: 'HEAD',
    path: '/test/stream/{mode}',
    request: {},
    handle: async () => ({ headers: { 'Upload-Offset': '7' }, type: 'text/plain', body: '' }),
  }),
  defineRoute({
    ...common,
    id: 'test.options',
    method: 'OPTIONS',
    path: '/test/stream/{mode}',
    request: {},
    handle: async () => ({ status: 204, headers: { 'Tus-Version': '1.0.0' } }),
  }),
  defineRoute({
    ...common,
    id: 'test.roomy',
    path: '/api/test/roomy',
    request: {},
    upload: { fields: ['file'], maxBytes: 1_000_000, maxFiles: 1 },
    handle: async (_context, { files }) => ({ body: { files: files.length } }),
  }),
  defineRoute({
    ...common,
    id: 'test.plain',
    path: '/api/test/plain',
    request: { body: Type.Object({ text: Type.String() }) },
    handle: async (_context, { body }) => ({ body: { length: body.text.length } }),
  }),
  defineRoute({
    ...common,
    id: 'test.secret',
    path: '/api/test/secret/{secret}',
    request: { params: Type.Object({ secret: Type.String() }), body: Type.Object({}) },
    admits: (_context, { secret }) => secret === 'right',
    handle: async () => ({ body: {} }),
  }),
  defineRoute({
    ...common,
    id: 'test.vote',
    path: '/api/test/vote',
    request: {},
    throttle: { bucket: 'vote', perMinute: 3 },
    handle: async () => ({ body: {} }),
  }),
  defineRoute({
    ...common,
    id: 'test.device',
    path: '/api/test/device',
    request: {},
    device: 'make',
    handle: async ({ device, secrets }) => ({ body: { device, name: secrets.pseudonym('test', 'x') } }),
  }),
];

const plugin = definePlugin({
  name: 'test-writes',
  summary: 'For a test',
  dependencies: [],
  routes,
  start: () => ({}),
});

/** Lists the uploaded files of requests in progress. */
const filesIn = async ({ dataDir }: Pick<TestService, 'dataDir'>): Promise<readonly string[]> =>
  (await readdir(join(dataDir, 'uploads'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.parentPath.endsWith('files'))
    .map(({ name }) => name);

describe('public writes', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ more: [plugin], settings: { TRUSTED_PROXIES: '127.0.0.1' } });
  });
  after(() => service.stop());

  it('pass files and fields to the handler, and delete the files afterwards', async () => {
    const answer = await api(service)
      .post('/api/test/upload')
      .field('kind', 'a')
      .field('primary', 'true')
      .attach('file', Buffer.from('one'), '../../one.txt')
      .attach('file', Buffer.from('two'), 'two.txt')
      .expect(200);
    // Files arrive in the order in which they were written to disk.
    const { texts, names, ...fields } = answer.body;
    assert.deepEqual(fields, { kind: 'a', primary: true });
    assert.deepEqual(
      [texts.toSorted(), names.toSorted()],
      [
        ['one', 'two'],
        ['one.txt', 'two.txt'],
      ],
    );
    assert.ok(lastPath.startsWith(join(service.dataDir, 'uploads')));
    assert.equal(existsSync(lastPath), false);
  });

  it('return 413 with the limit for a file that is too large, and store nothing', async () => {
    const answer = await api(service)
      .post('/api/test/upload')
      .field('kind', 'a')
      .attach('file', Buffer.alloc(1_001), 'big.bin')
      .expect(413);
    assert.deepEqual(
      { detail: answer.body.detail, code: answer.body.code, max: answer.body.max_bytes },
      { detail: 'File is larger than 1000 bytes', code: 'file_too_large', max: 1_000 },
    );
    await until(async () => !(await filesIn(service)).length);
  });

  it('return 413 for too many files', async () => {
    const request = api(service).post('/api/test/upload').field('kind', 'a');
    for (const name of ['1', '2', '3']) request.attach('file', Buffer.from(name), name);
    await request.expect(413);
  });

  it('return 415 for a body that is not an upload, and 422 for a malformed upload', async () => {
    const json = await api(service).post('/api/test/upload').send({ kind: 'a' }).expect(415);
    assert.deepEqual(json.body.accepted, ['multipart/form-data']);
    const broken = await api(service)
      .post('/api/test/upload')
      .set('Content-Type', 'multipart/form-data')
      .send('nothing')
      .expect(422);
    assert.equal(broken.body.detail[0].type, 'multipart_invalid');
  });

  it('reject truncated files or too many files, whatever their size, and store nothing', async () => {
    const send = async (names: readonly string[], bytes: number, end: string) => {
      const part = (name: string) =>
        `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${'['.repeat(bytes)}\r\n`;
      const answer = await api(service)
        .post('/api/test/roomy')
        .set('Content-Type', 'multipart/form-data; boundary=x')
        .send(names.map(part).join('') + end);
      return answer.status;
    };
    for (const bytes of [10, 100_000, 300_000]) {
      assert.equal(await send(['a'], bytes, '--x--\r\n'), 200);
      assert.equal(await send(['a'], bytes, ''), 422);
      assert.equal(await send(['a', 'b'], bytes, '--x--\r\n'), 413);
      assert.equal(await send(['a', 'b'], bytes, ''), 413);
    }
    await until(async () => !(await filesIn(service)).length);
  });

  it('reject more fields than a form has, and parse a part with a long header quickly', async () => {
    const send = (body: string) =>
      api(service).post('/api/test/roomy').set('Content-Type', 'multipart/form-data; boundary=x').send(body);
    const field = (name: string, extra = '') =>
      `--x\r\nContent-Disposition: form-data; name="${name}"${extra}\r\n\r\nv\r\n`;
    const startedAt = process.cpuUsage().user;
    // Each `filename="a"` inside the header made one form parser scan all of the remaining text again.
    const long = await send(`${field('a', `; ${'filename="a"'.repeat(50_000)}`)}--x--\r\n`);
    assert.ok(long.status < 500, String(long.status));
    assert.ok(process.cpuUsage().user - startedAt < 2_000_000);
    const many = await send(`${Array.from({ length: 101 }, (_, at) => field(`f${at}`)).join('')}--x--\r\n`);
    assert.equal(many.status, 422);
    assert.match(many.body.detail[0].msg, /at most 100 fields/);
  });

  it('validate the fields of an upload like those of any body', async () => {
    const answer = await api(service)
      .post('/api/test/upload')
      .field('kind', 'z')
      .attach('file', Buffer.from('x'), 'x')
      .expect(422);
    assert.deepEqual(answer.body.detail[0].loc, ['body', 'kind']);
  });

  it('are throttled per address in their own bucket', async () => {
    for (let n = 0; n < 3; n += 1) await api(service).post('/api/test/vote').expect(200);
    const answer = await api(service).post('/api/test/vote').expect(429);
    assert.equal(answer.body.detail, 'Quota exceeded (vote): 4/3');
    assert.deepEqual(answer.body['violated-policies'], ['vote']);
    // The value is rounded up, so that a retry at that time is accepted.
    assert.equal(answer.headers['retry-after'], '60');
    assert.equal(answer.body.retry_after, 60);
  });

  it('are rejected when a browser sends them from another site, and accepted from other clients', async () => {
    const from = (headers: Record<string, string>) => api(service).post('/api/test/device').set(headers);
    await from({ 'Sec-Fetch-Site': 'same-origin', Origin: 'http://evidence.test' }).expect(200);
    await from({}).expect(200);
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'http://elsewhere.test' },
      { Origin: 'null' },
    ]) {
      const answer = await from(headers as unknown as Record<string, string>).expect(403);
      assert.equal(answer.body.code, 'cross_site_request');
    }
  });

  it('are accepted at each name of this machine when BASE_URL is one of them, but not at another port', async () => {
    const local = await startService({
      more: [plugin],
      settings: { BASE_URL: 'http://127.0.0.1:3000' },
    });
    try {
      const from = (Origin: string) => api(local).post('/api/test/device').set({ Origin });
      for (const host of ['127.0.0.1', 'localhost', '[::1]']) await from(`http://${host}:3000`).expect(200);
      for (const origin of ['http://localhost:3001', 'https://localhost:3000', 'http://localhost.evil.test:3000'])
        await from(origin).expect(403);
    } finally {
      await local.stop();
    }
  });

  it('end an upload when its sender is silent, store nothing of it, and wait for a slow sender', async () => {
    const server = createServer(createApp(service.runtime, { silentMs: 1_500 }).callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const head = (bytes: number): string =>
      `POST /api/test/upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${bytes}\r\nConnection: close\r\n\r\n`;
    const body =
      '--x\r\nContent-Disposition: form-data; name="kind"\r\n\r\na\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nslow\r\n--x--\r\n';
    try {
      const silent = connect(port, '127.0.0.1')
        .on('error', () => undefined)
        .resume();
      silent.write(head(900) + body.slice(0, 160));
      await once(silent, 'close');
      await until(async () => !(await filesIn(service)).length);
      const slow = connect(port, '127.0.0.1');
      const answered = once(slow, 'data');
      slow.write(head(body.length));
      for (const part of body.match(/.{1,40}/gs) ?? []) {
        slow.write(part);
        await sleep(120);
      }
      const [answer] = (await answered) as [Buffer];
      assert.match(answer.toString(), /^HTTP\/1\.1 200 .*"texts":\["slow"\]/s);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  /** Starts a request with a body of `length` bytes and sends a part of it; `answer` resolves with the response. */
  const begin = (port: number, path: string, { length, sent = '', from = '' }: Begun) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Forwarded-For: ${from}\r\nContent-Length: ${length}\r\n\r\n${sent}`,
    );
    const answer = once(socket, 'data').then(([bytes]) => String(bytes));
    return { socket, answer };
  };
  interface Begun {
    readonly length: number;
    readonly sent?: string;
    readonly from?: string;
  }

  it('return 408 for a body that does not arrive in time', async () => {
    const server = createServer(createApp(service.runtime, { bodyMs: 300 }).callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const { answer } = begin(port, '/api/test/plain', { length: 100, sent: '{"text":' });
      assert.match(await answer, /^HTTP\/1\.1 408 .*"code":"body_too_slow"/s);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('compare a secret in the path before they wait for a body, and throttle wrong guesses', async () => {
    const { port } = new URL(service.url);
    for (let guess = 0; guess < 30; guess += 1) {
      const { socket, answer } = begin(Number(port), '/api/test/secret/wrong', { length: 1_000_000 });
      assert.match(await answer, /^HTTP\/1\.1 404 /);
      socket.destroy();
    }
    const { socket, answer } = begin(Number(port), '/api/test/secret/wrong', { length: 1_000_000 });
    assert.match(await answer, /^HTTP\/1\.1 429 /);
    socket.destroy();
    await api(service).post('/api/test/secret/right').send({}).expect(200);
  });

  it('limit the bodies of all requests together, and those of one address to a quarter of it', async () => {
    const app = createApp(service.runtime, { bodyBytes: 4_000_000 }).callback();
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const ask = async (from: string) => {
      const reply = await fetch(`http://127.0.0.1:${port}/api/test/plain`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
        body: JSON.stringify({ text: 'a'.repeat(200_000) }),
      });
      return { status: reply.status, retryAfter: reply.headers.get('Retry-After') };
    };
    const half = { length: 1_000_000, sent: `{"text":"${'a'.repeat(950_000)}` };
    const sockets: ReturnType<typeof begin>[] = [];
    const hold = (from: string) => sockets.push(begin(port, '/api/test/plain', { ...half, from }));
    try {
      hold('203.0.113.1');
      await until(async () => (await ask('203.0.113.1')).status === 503);
      assert.deepEqual(await ask('203.0.113.1'), { status: 503, retryAfter: '5' });
      assert.equal((await ask('203.0.113.2')).status, 200);
      for (const from of ['203.0.113.3', '203.0.113.4', '203.0.113.5']) hold(from);
      await until(async () => (await ask('203.0.113.9')).status === 503);
    } finally {
      for (const { socket } of sockets) socket.destroy();
    }
    try {
      // The bytes of these senders are released once they have disconnected.
      await until(async () => (await ask('203.0.113.1')).status === 200);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  /** Builds a form with three files of the largest size that the route accepts. */
  const largeForm = (): Buffer => {
    const head = (at: number) => `\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="${at}"\r\n\r\n`;
    const parts = [1, 2, 3].flatMap((at) => [Buffer.from(head(at)), Buffer.alloc(LARGE - 1, 'a')]);
    return Buffer.concat([...parts, Buffer.from('\r\n--x--\r\n')]);
  };

  it('accept some of twelve concurrent large uploads, and return 503 with Retry-After for the others', async () => {
    const app = createApp(service.runtime, { uploadBytes: 1 }).callback();
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const body = new Uint8Array(largeForm());
    const upload = (from: string) =>
      fetch(`http://127.0.0.1:${port}/api/test/large`, {
        method: 'POST',
        headers: { 'Content-Type': 'multipart/form-data; boundary=x', 'X-Forwarded-For': from },
        body,
      });
    [gate, reached] = [Promise.withResolvers(), 0];
    try {
      const answers = Array.from({ length: 12 }, (_, at) => upload(`203.0.113.${at + 1}`));
      const refused: Response[] = [];
      for (const answer of answers) answer.then((reply) => reply.status === 503 && refused.push(reply));
      // The limit is four times the largest upload, and each of these is somewhat less than half of that size.
      await until(async () => reached === 8 && refused.length === 4);
      assert.deepEqual([...new Set(refused.map(({ headers }) => headers.get('Retry-After')))], ['20']);
      assert.equal((await filesIn(service)).length, 24, 'of those that were refused nothing is left');
      gate.resolve();
      const statuses = (await Promise.all(answers)).map(({ status }) => status).sort();
      assert.deepEqual(statuses, [...Array(8).fill(200), ...Array(4).fill(503)]);
      assert.equal((await upload('203.0.113.1')).status, 200, 'the bytes are free again');
    } finally {
      gate.resolve();
      server.close();
      server.closeAllConnections();
    }
  });

  it('reject uploads beyond the share of one address before they are sent, and accept those of another', async () => {
    const app = createApp(service.runtime, { uploadBytes: 1 }).callback();
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const body = largeForm();
    const open = (from: string, sent: Buffer) => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write(
        `POST /api/test/large HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nX-Forwarded-For: ${from}\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      socket.write(sent);
      return { socket, answer: once(socket, 'data').then(([bytes]) => String(bytes)) };
    };
    [gate, reached] = [Promise.withResolvers(), 0];
    gate.resolve();
    const half = () => open('203.0.113.1', body.subarray(0, -30));
    const sockets = [half(), half()];
    try {
      // The third upload sends no bytes: it is rejected for its announced length once the first two have arrived.
      await until(async () => {
        const third = open('203.0.113.1', Buffer.alloc(0));
        const answer = await Promise.race([third.answer, sleep(300).then(() => '')]);
        third.socket.destroy();
        return /^HTTP\/1\.1 503 .*"retry_after":20/s.test(answer);
      });
      const other = open('203.0.113.2', body);
      sockets.push(other);
      assert.match(await other.answer, /^HTTP\/1\.1 200 /);
    } finally {
      for (const { socket } of sockets) socket.destroy();
      server.close();
      server.closeAllConnections();
    }
  });

  it('use little more memory for a body that arrives byte by byte than for one that arrives at once', () => {
    for (const length of [1_000, 2_000, 4_000, 1_000_000]) {
      const blocks = new ByteBlocks();
      for (let at = 0; at < length; at += 1) blocks.add(Buffer.of(at % 251));
      assert.ok(blocks.allocated <= 2 * length + 1_024, `${blocks.allocated} for ${length}`);
      assert.deepEqual(blocks.join(), Buffer.from(Uint8Array.from({ length }, (_, at) => at % 251)));
    }
  });

  it('stream a slow body to the handler as it arrives, and end it when its sender is silent', async () => {
    const server = createServer(createApp(service.runtime, { silentMs: 1_500, deadlineMs: 400 }).callback());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const head = `PATCH /test/stream/read HTTP/1.1\r\nHost: x\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: 8\r\nConnection: close\r\n\r\n`;
    try {
      const slow = connect(port, '127.0.0.1');
      const answered = once(slow, 'data');
      slow.write(head);
      for (const letter of 'slowslow') {
        slow.write(letter);
        await sleep(120);
      }
      const [answer] = (await answered) as [Buffer];
      assert.match(answer.toString(), /^HTTP\/1\.1 200 .*"text":"slowslow"/s);
      const silent = connect(port, '127.0.0.1').on('error', () => undefined);
      silent.resume().write(`${head}half`);
      assert.equal(await cut.promise, 'half');
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('reject a streamed body that is unread, of another type or cross-site, with errors as JSON', async () => {
    const patch = (mode: string, headers: Record<string, string>) =>
      fetch(`${service.url}/test/stream/${mode}`, { method: 'PATCH', headers, body: new Uint8Array(4_000_000) });
    const type = { 'Content-Type': 'application/offset+octet-stream' };
    assert.equal((await patch('ignore', type)).status, 409);
    const other = await patch('read', { 'Content-Type': 'text/plain' });
    assert.deepEqual(
      [other.status, ((await other.json()) as { accepted: string[] }).accepted],
      [415, ['application/offset+octet-stream']],
    );
    const foreign = await patch('read', { ...type, 'Sec-Fetch-Site': 'cross-site' });
    assert.deepEqual([foreign.status, ((await foreign.json()) as { code: string }).code], [403, 'cross_site_request']);
  });

  it('may define their own HEAD and OPTIONS', async () => {
    const head = await fetch(`${service.url}/test/stream/x`, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('upload-offset'), await head.text()], [200, '7', '']);
    const options = await fetch(`${service.url}/test/stream/x`, { method: 'OPTIONS' });
    assert.deepEqual([options.status, options.headers.get('tus-version')], [204, '1.0.0']);
  });

  it('create a device with an HttpOnly cookie, and recognize it by its hash', async () => {
    const first = await api(service).post('/api/test/device').expect(200);
    const [cookie = ''] = first.headers['set-cookie'] as unknown as string[];
    assert.match(cookie, /^ekb_device=[\w-]{43}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/);
    assert.match(first.body.device, /^[0-9a-f]{64}$/);
    const again = await api(service)
      .post('/api/test/device')
      .set('Cookie', cookie.split(';')[0] ?? '')
      .expect(200);
    assert.equal(again.body.device, first.body.device);
    assert.equal(again.headers['set-cookie'], undefined);
    assert.equal(again.body.name, first.body.name);
  });
});
