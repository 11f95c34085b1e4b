import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { api, bearer, type IssuedKey, issueKey } from '../../support/client.ts';
import { runCommand } from '../../support/command.ts';
import { sql } from '../../support/database.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

describe('the deactivation of a key', () => {
  let service: SharedService;
  let admin: IssuedKey;
  before(async () => {
    service = await sharedService();
    admin = service.admin;
  });

  const post = (path: string, by: string, body: object = {}) =>
    api(service)
      .post(path)
      .set(...bearer(by))
      .send(body);
  const deactivate = (id: string, body: object = {}, by = admin.key) => post(`/api/keys/${id}/deactivate`, by, body);
  const activate = (id: string) => post(`/api/keys/${id}/activate`, admin.key);
  const rotate = (id: string, body: object = {}) => post(`/api/keys/${id}/rotate`, admin.key, body);
  const codeOf = async (key: string): Promise<string> => {
    const { status, body } = await api(service)
      .get('/api/keys/me')
      .set(...bearer(key));
    return status === 200 ? 'works' : body.code;
  };

  it('deactivates all its successors, and lists them', async () => {
    const first = await issueKey(service, admin);
    const { body: second } = await rotate(first.id).expect(200);
    const { body: third } = await rotate(second.id).expect(200);
    const { body } = await deactivate(first.id).expect(200);
    assert.deepEqual(new Set(body.ended.keys), new Set([first.id, second.id, third.id]));
    for (const key of [first.key, second.key, third.key]) assert.equal(await codeOf(key), 'key_deactivated');
  });

  it('keeps the successors on request', async () => {
    const first = await issueKey(service, admin);
    const { body: second } = await rotate(first.id).expect(200);
    const { body } = await deactivate(first.id, { keep: ['successors'] }).expect(200);
    assert.deepEqual(body.ended.keys, [first.id]);
    assert.deepEqual([await codeOf(first.key), await codeOf(second.key)], ['key_deactivated', 'works']);
  });

  it('covers a successor created concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = await issueKey(service, admin);
      const [made] = await Promise.all([rotate(key.id), deactivate(key.id).expect(200)]);
      if (made.status === 200) assert.equal(await codeOf(made.body.key), 'key_deactivated');
      else assert.equal(made.body.code, 'key_not_rotatable');
    }
  });

  it('deactivates the admin keys that it issued, and counts the remaining ordinary keys', async () => {
    const leaked = await issueKey(service, admin, { is_admin: true });
    const [way, customer] = [await issueKey(service, leaked, { is_admin: true }), await issueKey(service, leaked)];
    const further = await issueKey(service, way, { is_admin: true });
    const { body } = await deactivate(leaked.id).expect(200);
    assert.equal(body.issued_keys_left, 1);
    assert.deepEqual(
      [await codeOf(way.key), await codeOf(further.key), await codeOf(customer.key)],
      ['key_deactivated', 'key_deactivated', 'works'],
    );
    assert.equal(await codeOf(admin.key), 'works');
  });

  it('deactivates every key that it issued since a given time', async () => {
    const leaked = await issueKey(service, admin, { is_admin: true });
    const [early, late] = [await issueKey(service, leaked), await issueKey(service, leaked)];
    await sql(service, "update api_key set created_at = now() - interval '2 days' where id = ?", [early.id]);
    const since = new Date(Date.now() - 86_400_000).toISOString();
    const { body } = await deactivate(leaked.id, { since }).expect(200);
    assert.equal(body.issued_keys_left, 1);
    assert.deepEqual([await codeOf(early.key), await codeOf(late.key)], ['works', 'key_deactivated']);
    await deactivate(leaked.id, { since: 'yesterday' }).expect(422);
  });

  it('spares the calling key, even one issued by the deactivated key', async () => {
    const old = await issueKey(service, admin, { is_admin: true });
    const next = await issueKey(service, old, { is_admin: true });
    await deactivate(old.id, {}, next.key).expect(200);
    assert.deepEqual([await codeOf(old.key), await codeOf(next.key)], ['key_deactivated', 'works']);
  });

  it('can be undone together with the keys that it deactivated, and no others', async () => {
    const first = await issueKey(service, admin, { expires_at: '2099-01-01T00:00:00Z' });
    const { body: second } = await rotate(first.id, { grace_seconds: 0 }).expect(200);
    const { body: third } = await rotate(second.id).expect(200);
    await deactivate(third.id).expect(200);
    await deactivate(first.id).expect(200);
    const { body } = await activate(first.id).expect(200);
    assert.deepEqual([body.active, body.expires_at], [1, '2099-01-01T00:00:00.000Z']);
    assert.deepEqual(
      [await codeOf(first.key), await codeOf(second.key), await codeOf(third.key)],
      ['works', 'works', 'key_deactivated'],
    );
    assert.equal((await activate(first.id).expect(422)).body.code, 'key_not_restorable');
    const kinds = await sql(service, 'select kind from change_log where subject_id = ? order by id desc limit 1', [
      first.id,
    ]);
    assert.deepEqual(kinds, [{ kind: 'key.activated' }]);
  });

  it('can be undone only by an administrator, as can a rotation', async () => {
    const key = await issueKey(service, admin);
    await rotate(key.id, { grace_seconds: 0 }).expect(200);
    assert.equal(await codeOf(key.key), 'key_expired');
    await post(`/api/keys/${key.id}/activate`, key.key).expect(401);
    const other = await issueKey(service, admin);
    await post(`/api/keys/${other.id}/activate`, other.key).expect(403);
    await deactivate(other.id, {}, other.key).expect(403);
    await activate(key.id).expect(200);
    assert.equal(await codeOf(key.key), 'works');
    await activate('key_nothing').expect(404);
    const past = await issueKey(service, admin);
    await sql(service, 'update api_key set expires_at = now() where id = ?', [past.id]);
    assert.match((await activate(past.id).expect(422)).body.detail[0].msg, /it has expired$/);
  });

  it('disables the webhooks that the key registered or redirected, and cancels their deliveries', async () => {
    const leaked = await issueKey(service, admin, { is_admin: true });
    const register = async (by: string): Promise<string> =>
      (await post('/api/webhooks', by, { url: 'https://hooks.example/x', events: ['webhook.test'] }).expect(200)).body
        .id;
    const [own, turned, others] = [await register(leaked.key), await register(admin.key), await register(admin.key)];
    const patch = (id: string, by: string, body: object) =>
      api(service)
        .patch(`/api/webhooks/${id}`)
        .set(...bearer(by))
        .send(body)
        .expect(200);
    await patch(turned, leaked.key, { url: 'https://elsewhere.example/x' });
    await sql(
      service,
      `insert into webhook_event (id, change_id, type, body, created_at) values ('evt_' || ?, null, 'webhook.test', '{}', now())`,
      [own],
    );
    await sql(
      service,
      `insert into webhook_delivery (id, endpoint_id, event_id, state, is_test, next_at, created_at)
       values ('dlv_' || ?, ?, 'evt_' || ?, 'waiting', false, now() + interval '1 hour', now())`,
      [own, own, own],
    );
    const { body } = await deactivate(leaked.id).expect(200);
    assert.deepEqual(new Set(body.ended.webhooks), new Set([own, turned]));
    const shown = async (id: string) =>
      (
        await api(service)
          .get(`/api/webhooks/${id}`)
          .set(...bearer(admin.key))
          .expect(200)
      ).body;
    assert.deepEqual(
      [(await shown(own)).active, (await shown(turned)).active, (await shown(others)).active],
      [false, false, true],
    );
    assert.match((await shown(own)).disabled_reason, /key that set it up was deactivated/);
    assert.deepEqual(await sql(service, 'select state, next_at from webhook_delivery where endpoint_id = ?', [own]), [
      { state: 'failed', next_at: null },
    ]);
    assert.equal((await patch(own, admin.key, { active: true })).body.active, true);
    for (const id of [own, turned, others]) {
      await api(service)
        .delete(`/api/webhooks/${id}`)
        .set(...bearer(admin.key))
        .expect(200);
    }
  });

  it('deletes the stored idempotent responses, so that a successor cannot read a key from them', async () => {
    const old = await issueKey(service, admin, { is_admin: true });
    const idempotency = randomUUID();
    const create = (by: string) =>
      post('/api/keys', by, { name: 'once' }).set('Idempotency-Key', idempotency).expect(200);
    const { body: made } = await create(old.key);
    assert.equal((await create(old.key)).body.key, made.key);
    const { body: next } = await rotate(old.id).expect(200);
    await deactivate(old.id, { keep: ['successors'] }).expect(200);
    const again = await create(next.key);
    assert.notEqual(again.body.key, made.key);
    assert.equal(again.get('Idempotency-Replayed'), undefined);
  });

  it('ends the answer streams of the key, unless another key of the holder stays active', async () => {
    const stream = async (holder: string): Promise<string> => {
      const id = `ans_${randomUUID()}`;
      await sql(
        service,
        `insert into answer_stream (answer_id, owner, state, expires_at, touched_at)
         values (?, ?, 'running', now() + interval '5 minutes', now())`,
        [id, `key:${holder}`],
      );
      return id;
    };
    const [alone, first] = [await issueKey(service, admin), await issueKey(service, admin)];
    const id = await stream(alone.id);
    assert.deepEqual((await deactivate(alone.id).expect(200)).body.ended.answer_streams, [id]);
    await stream(first.id);
    await rotate(first.id).expect(200);
    const kept = await deactivate(first.id, { keep: ['successors'] }).expect(200);
    assert.deepEqual(kept.body.ended.answer_streams, []);
  });

  it('ends access to the dashboard, whichever way the key is sent', async () => {
    const key = await issueKey(service, admin);
    const pages = () =>
      Promise.all([
        api(service)
          .get('/developers/dashboard')
          .set(...bearer(key.key)),
        api(service).get(`/developers/dashboard?key=${key.key}`),
        api(service).post('/developers/dashboard').type('form').send({ key: key.key }),
      ]);
    for (const { status } of await pages()) assert.equal(status, 200);
    await deactivate(key.id).expect(200);
    for (const { status, text, headers } of await pages()) {
      assert.equal(status, 401);
      assert.match(text, /was switched off/);
      assert.equal(headers['set-cookie'], undefined);
    }
  });

  it('ends MCP calls, because the server keeps no sessions', async () => {
    const key = await issueKey(service, admin);
    const call = () =>
      post('/mcp', key.key, { jsonrpc: '2.0', id: 1, method: 'tools/list' }).set(
        'Accept',
        'application/json, text/event-stream',
      );
    const first = await call().expect(200);
    assert.equal(first.get('mcp-session-id'), undefined);
    await deactivate(key.id).expect(200);
    assert.equal((await call().expect(401)).body.code, 'key_deactivated');
  });

  it('frees the e-mail address of a sandbox key for a new key', async () => {
    const body = { app_name: 'x', email: `${randomUUID()}@example.test`, accept_terms: true };
    const make = (address: string) =>
      api(service).post('/developers/sandbox').set('X-Forwarded-For', address).send(body);
    const { body: made } = await make('198.51.100.91').expect(200);
    await make('198.51.100.92').expect(429);
    const [row] = await sql(service, 'select id from api_key where prefix = ?', [made.key_prefix]);
    await deactivate(String(row?.id)).expect(200);
    await make('198.51.100.93').expect(200);
  });

  it('is available to the owner of a sandbox key', async () => {
    const { body: made } = await api(service)
      .post('/developers/sandbox')
      .set('X-Forwarded-For', '198.51.100.94')
      .send({ app_name: 'x', accept_terms: true })
      .expect(200);
    const { body: me } = await api(service)
      .get('/api/keys/me')
      .set(...bearer(made.key));
    await post(`/api/keys/${me.id}/end`, made.key, { owner_secret: made.owner_secret }).expect(200);
    assert.equal(await codeOf(made.key), 'key_deactivated');
  });

  it('is available as a command on the host, and so is its reversal', async () => {
    const old = await issueKey(service, admin);
    const { body: next } = await rotate(old.id).expect(200);
    const keys = (...args: string[]) => runCommand(['keys', ...args], service.environment);
    const off = await keys('deactivate', old.id);
    assert.equal(off.stdout, `${old.id} is deactivated.\nEnded with it (keys): ${next.id}\n`);
    assert.equal(await codeOf(next.key), 'key_deactivated');
    assert.equal((await keys('activate', old.id)).stdout, `${old.id} works again, and what ended with it.\n`);
    assert.equal(await codeOf(next.key), 'works');
    assert.equal((await keys('deactivate', old.id, '--keep', 'everything')).status, 2);
    assert.equal((await keys('deactivate', old.id, '--keep', 'successors')).status, 0);
    assert.equal(await codeOf(next.key), 'works');
  });
});
