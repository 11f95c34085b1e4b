import { strict as assert } from 'node:assert';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { definePlugin, defineRoute, type Route } from '#core/plugin.ts';
import { api, bearer, bootstrapAdmin, type IssuedKey, issueKey } from '../../support/client.ts';
import { startService, type TestService } from '../../support/service.ts';

const route = (name: string, handle: Route['handle']): Route =>
  defineRoute<unknown, Record<string, never>>({
    id: `endless.${name}`,
    method: 'GET',
    path: `/api/endless/${name}`,
    summary: name,
    tag: 'Test',
    access: 'key',
    request: {},
    replies: [{ status: 200, mediaType: 'text/plain', description: name }],
    raises: [],
    handle,
  });

describe('requests in progress with a key', () => {
  let service: TestService;
  let admin: IssuedKey;
  const aborted = new Set<string>();
  const begun = new Map<string, () => void>();

  const endless = definePlugin({
    name: 'endless',
    summary: 'Answers that never end',
    dependencies: [],
    start: () => undefined,
    routes: [
      route('stream', async () => ({ type: 'text/plain', body: Readable.from(drip(), { highWaterMark: 1 }) })),
      route('work', ({ signal, principal }) => {
        const id = principal.kind === 'key' ? principal.keyId : '';
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            aborted.add(id);
            reject(signal.reason);
          });
          begun.get(id)?.();
        });
      }),
    ],
  });

  async function* drip(): AsyncGenerator<string> {
    for (;;) {
      yield 'drop\n';
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  before(async () => {
    service = await startService({ more: [endless] });
    admin = await bootstrapAdmin(service);
  });
  after(() => service.stop());

  const open = (key: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) =>
      httpGet(`${service.url}/api/endless/stream`, { headers: { Authorization: `Bearer ${key}` } }, resolve).on(
        'error',
        reject,
      ),
    );
  const ending = (reply: IncomingMessage): Promise<string> =>
    new Promise((resolve) => {
      reply.on('end', () => resolve('complete'));
      reply.on('error', () => resolve('broken off'));
    });
  const deactivate = (id: string) =>
    api(service)
      .post(`/api/keys/${id}/deactivate`)
      .set(...bearer(admin.key))
      .expect(200);

  it('are aborted when the key is deactivated, so that no response looks complete, and other keys continue', async () => {
    const [key, other] = [await issueKey(service, admin), await issueKey(service, admin)];
    const [reply, others] = [await open(key.key), await open(other.key)];
    const ended = ending(reply);
    reply.resume();
    others.resume();
    await deactivate(key.id);
    assert.equal(await ended, 'broken off');
    assert.equal(others.closed, false);
    const othersEnded = ending(others);
    await deactivate(other.id);
    assert.equal(await othersEnded, 'broken off');
  });

  it('return 401 key_deactivated when the key is deactivated, and their work is aborted', async () => {
    const key = await issueKey(service, admin);
    const works = new Promise<void>((resolve) => begun.set(key.id, resolve));
    const reply = api(service)
      .get('/api/endless/work')
      .set(...bearer(key.key))
      .then((answer) => answer);
    await works;
    await deactivate(key.id);
    const { status, body } = await reply;
    assert.deepEqual([status, body.code], [401, 'key_deactivated']);
    assert.ok(aborted.has(key.id));
  });
});
