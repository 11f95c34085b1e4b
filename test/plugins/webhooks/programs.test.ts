/** Tests several processes on one database: servers share the work, and commands on the host send events. */
import { strict as assert } from 'node:assert';
import { api, bearer, bootstrapAdmin } from '../../support/client.ts';
import { runCommand } from '../../support/command.ts';
import { countOf } from '../../support/database.ts';
import { runProgram } from '../../support/program.ts';
import { type SecondServer, startSecondServer } from '../../support/second-server.ts';
import { startService, type TestService } from '../../support/service.ts';
import {
  adminOf,
  change,
  header,
  type Receiver,
  type Registered,
  retraction,
  startReceiver,
  verified,
} from './support.ts';

type Event = { readonly type: string; readonly data: Record<string, unknown> };

describe('webhooks with several processes on one database', function () {
  this.timeout(300_000);
  let service: TestService;
  let receiver: Receiver;
  let hook: Registered;
  let adminKey: string;
  let admin: ReturnType<typeof adminOf>;
  before(async () => {
    service = await startService({ settings: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
    adminKey = (await bootstrapAdmin(service)).key;
    admin = adminOf(service, adminKey);
  });
  after(() => service.stop());
  beforeEach(async () => {
    receiver = await startReceiver();
    hook = await admin.register(receiver.url);
  });
  afterEach(async () => {
    await admin.delete(`/api/webhooks/${hook.id}`).expect(200);
    await receiver.stop();
  });

  const events = async (count: number): Promise<Event[]> => {
    await receiver.waitFor(count);
    return receiver.requests.map((request) => verified(request, hook.secret) as Event);
  };

  it('report key events without names or raw keys, including those of another process', async () => {
    const made = await api(service)
      .post('/api/keys')
      .set(...bearer(adminKey))
      .send({ name: 'Ann’s phone' })
      .expect(200);
    await runProgram(['keys', 'deactivate', made.body.id], service.environment);
    const all = await events(2);
    assert.deepEqual(all.map(({ type, data }) => [type, data.key_id]).sort(), [
      ['key.created', made.body.id],
      ['key.deactivated', made.body.id],
    ]);
    for (const { body } of receiver.requests) assert.equal(/Ann|ekb_/.test(body), false);
  });

  describe('with a second server', () => {
    let other: SecondServer;
    before(async () => {
      other = await startSecondServer(service.environment);
    });
    after(() => other?.stop());

    it('deliver each event once', async () => {
      const ids = Array.from({ length: 60 }, (_, at) => `pmid-two-${at}`);
      for (const id of ids) await change(service, retraction(id));
      await events(60);
      await admin.post(`/api/webhooks/${hook.id}/test`).expect(200);
      const heard = (await events(61)).flatMap(({ data }) => (data.source_id ? [data.source_id] : []));
      assert.deepEqual([...heard].sort(), [...ids].sort());
      assert.equal(new Set(receiver.requests.map((one) => header(one, 'webhook-id'))).size, 61);
      assert.equal(await countOf(service, "webhook_delivery where state <> 'delivered'"), 0);
    });
  });

  it('can be listed, tested, replayed and disabled by the command on the host', async () => {
    const run = (...args: string[]) => runCommand(['webhooks', ...args], service.environment);
    const listed = await run('list');
    assert.match(listed.stdout, new RegExp(`^${hook.id}  active  0 failures in a row  127\\.0\\.0\\.1:\\d+  \\*`, 'm'));
    const tested = await run('test', hook.id);
    assert.equal(tested.status, 0, tested.stderr);
    await events(1);
    const [delivery = ''] = /dlv_\w+/.exec(tested.stdout) ?? [];
    assert.equal((await run('replay', hook.id, delivery)).status, 0);
    await events(2);
    assert.equal(new Set(receiver.requests.map((one) => header(one, 'webhook-id'))).size, 1);
    assert.equal((await run('disable', hook.id)).status, 0);
    const shown = await admin.show(hook.id);
    assert.deepEqual([shown.active, shown.disabled_reason], [false, 'Switched off by the operator']);
    assert.deepEqual([(await run('test', 'wh_nothing')).status, (await run('show')).status], [1, 2]);
  });
});
