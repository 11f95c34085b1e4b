import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { rawRequest } from '../../support/raw-http.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

const LIMIT = 1_048_576;

describe('request bodies', () => {
  let service: SharedService;
  let authorization: string;
  before(async () => {
    service = await sharedService();
    authorization = `Bearer ${service.admin.key}`;
  });

  const post = async (body: string | Buffer, headers: Record<string, string> = {}) => {
    const reply = await rawRequest(`${service.url}/api/keys`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: authorization, ...headers },
      body,
    });
    return { status: reply.status, body: JSON.parse(reply.body.toString()) };
  };
  const notJson = { type: 'json_invalid', loc: ['body'], msg: 'The body is not valid JSON' };
  const notAnObject = (input?: unknown) => ({
    type: 'dict_type',
    loc: ['body'],
    msg: 'Input should be a valid dictionary',
    ...(input !== undefined && { input }),
  });

  it('return 422 malformed_json when they are not valid JSON', async () => {
    for (const body of ['{"name": ', '{name: 1}', '{"name":"x"} trailing', '\u0000', '{"name":"x",}']) {
      const reply = await post(body);
      assert.equal(reply.status, 422, body);
      assert.equal(reply.body.code, 'malformed_json', body);
      assert.deepEqual(reply.body.detail, [notJson]);
    }
  });

  it('return 422 malformed_json in an encoding other than UTF-8', async () => {
    const reply = await post(Buffer.from('{"name":"x"}', 'utf16le'), {
      'Content-Type': 'application/json; charset=utf-16',
    });
    assert.equal(reply.status, 422);
    assert.equal(reply.body.code, 'malformed_json');
  });

  it('are rejected when they are a list', async () => {
    const reply = await post('[{"name":"x"}]');
    assert.equal(reply.status, 422);
    assert.deepEqual(reply.body.detail, [notAnObject()]);
  });

  it('are rejected when JSON has another content type', async () => {
    for (const type of ['text/plain', 'application/octet-stream', 'multipart/form-data; boundary=x']) {
      const reply = await post('{"name":"x"}', { 'Content-Type': type });
      assert.equal(reply.status, 422, type);
      assert.deepEqual(reply.body.detail, [notAnObject(null)], type);
    }
  });

  it('return the missing field when they are empty', async () => {
    const reply = await post('');
    assert.equal(reply.status, 422);
    assert.deepEqual(reply.body.detail, [
      { type: 'missing', loc: ['body', 'name'], msg: 'Field required', input: null },
    ]);
  });

  it('are rejected when a member would change a prototype', async () => {
    const reply = await post('{"name":"x","__proto__":{"is_admin":true}}');
    assert.equal(reply.status, 422);
    assert.equal(reply.body.code, 'malformed_json');
  });

  it('are read with a byte order mark or with compression', async () => {
    assert.equal((await post('\ufeff{"name":"mark"}')).body.name, 'mark');
    const reply = await post(gzipSync('{"name":"small"}'), { 'Content-Encoding': 'gzip' });
    assert.equal(reply.body.name, 'small');
  });

  it('return 422 malformed_json when the compression is broken or unknown', async () => {
    for (const encoding of ['gzip', 'zstd', 'nonsense']) {
      const reply = await post('{"name":"x"}', { 'Content-Encoding': encoding });
      assert.equal(reply.status, 422, encoding);
      assert.equal(reply.body.code, 'malformed_json', encoding);
    }
  });

  const tooLarge = {
    detail: `File is larger than ${LIMIT} bytes`,
    type: 'http://evidence.test/developers/errors#file-too-large',
    title: 'Content Too Large',
    status: 413,
    code: 'file_too_large',
    max_bytes: LIMIT,
  };
  const large = `{"name":"x","notes":"${'a'.repeat(LIMIT)}"}`;

  it('return 413 with the limit when they are too large', async () => {
    const { status, body } = await post(large);
    assert.equal(status, 413);
    assert.deepEqual(body, { ...tooLarge, request_id: body.request_id });
  });

  it('return 413 when they have no stated length and grow too large', async () => {
    const { status, body } = await post(large, { 'Transfer-Encoding': 'chunked' });
    assert.equal(status, 413);
    assert.equal(body.max_bytes, LIMIT);
  });

  it('return 413 when they are small but decompress to too much', async () => {
    const { status, body } = await post(gzipSync(large), { 'Content-Encoding': 'gzip' });
    assert.equal(status, 413);
    assert.equal(body.max_bytes, LIMIT);
  });

  it('are not read for a caller without a valid key', async () => {
    for (const body of [large, '{"name": ']) {
      const reply = await post(body, { Authorization: 'Bearer nobody' });
      assert.equal(reply.status, 401);
      assert.equal(reply.body.code, 'invalid_api_key');
    }
  });

  it('do not stop the server when a client disconnects partway through', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const head = 'POST /api/keys HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n';
    socket.write(`${head}Authorization: ${authorization}\r\nExpect: 100-continue\r\n\r\n`);
    await once(socket, 'data');
    socket.write('{"name":');
    socket.destroySoon();
    await once(socket, 'close');
    assert.equal((await post('{"name":"after"}')).status, 200);
  });
});
