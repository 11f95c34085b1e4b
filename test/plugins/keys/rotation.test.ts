import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { api, bearer, type IssuedKey, issueKey, type OwnedKey } from '../../support/client.ts';
import { runCommand } from '../../support/command.ts';
import { holdWindows, sql } from '../../support/database.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

describe('the rotation of a key', () => {
  let service: SharedService;
  let admin: IssuedKey;
  before(async () => {
    service = await sharedService();
    admin = service.admin;
  });

  const rotate = (id: string, by: string, body: object = {}) =>
    api(service)
      .post(`/api/keys/${id}/rotate`)
      .set(...bearer(by))
      .send(body);
  const me = (key: string) =>
    api(service)
      .get('/api/keys/me')
      .set(...bearer(key));

  it('creates a key with the same name, plan, limits, scopes, contact and expiry, and shows it once', async () => {
    const limits = { rpm_limit: 77, daily_limit: 777, scopes: ['search'], contact_email: 'a@b.test', notes: 'n' };
    const old = await issueKey(service, admin, { ...limits, name: 'clinic', expires_at: '2099-01-01T00:00:00Z' });
    const reply = await rotate(old.id, admin.key).expect(200);
    const { id, key, created_at, predecessor_expires_at, ...rest } = reply.body;
    assert.deepEqual(rest, {
      name: 'clinic',
      key_prefix: key.slice(0, 13),
      is_admin: false,
      active: 1,
      plan: 'enterprise',
      rpm_limit: 77,
      daily_limit: 777,
      scopes: ['search'],
      expires_at: '2099-01-01T00:00:00.000Z',
      predecessor_id: old.id,
      successor_id: null,
      api_key: key,
      warning: 'Store this key now. It is shown only once.',
    });
    const grace = Date.parse(predecessor_expires_at) - Date.now();
    assert.ok(grace > 86_000_000 && grace <= 86_400_000);
    assert.equal(reply.get('Cache-Control'), 'no-store');
    const [stored] = await sql(service, 'select contact_email, notes, holder_id from api_key where id = ?', [id]);
    assert.deepEqual(stored, { contact_email: 'a@b.test', notes: 'n', holder_id: old.id });
    assert.ok(created_at);
  });

  const byOwner = ({ id, key, ownerSecret }: OwnedKey, body: object = {}) =>
    rotate(id, key, { ...body, owner_secret: ownerSecret });

  it('keeps both keys working during the grace period, and then returns key_expired for the old one', async () => {
    const old = await issueKey(service, admin);
    const { body: next } = await byOwner(old, { grace_seconds: 3600 }).expect(200);
    const [before, after] = [(await me(old.key).expect(200)).body, (await me(next.key).expect(200)).body];
    assert.deepEqual([before.id, before.successor_id, before.predecessor_id], [old.id, next.id, null]);
    assert.deepEqual([after.id, after.successor_id, after.predecessor_id], [next.id, null, old.id]);
    assert.equal(after.expires_at, null);
    await sql(service, 'update api_key set expires_at = now() where id = ?', [old.id]);
    assert.equal((await me(old.key).expect(401)).body.code, 'key_expired');
    await me(next.key).expect(200);
  });

  it('ends the old key at once with a grace period of 0, and never after its own expiry', async () => {
    const [at, soon] = [await issueKey(service, admin), new Date(Date.now() + 60_000).toISOString()];
    await rotate(at.id, admin.key, { grace_seconds: 0 }).expect(200);
    assert.equal((await me(at.key).expect(401)).body.code, 'key_expired');
    const short = await issueKey(service, admin, { expires_at: soon });
    const { body } = await rotate(short.id, admin.key).expect(200);
    assert.deepEqual([body.predecessor_expires_at, body.expires_at], [soon, soon]);
  });

  it('shares one quota between the old and the new keys', async () => {
    const old = await issueKey(service, admin, { rpm_limit: 5 });
    const { body: next } = await rotate(old.id, admin.key).expect(200);
    const { body: last } = await rotate(next.id, admin.key).expect(200);
    await me(old.key).expect(200);
    await holdWindows(service);
    const keys = [next.key, last.key, old.key, last.key];
    for (const [at, key] of keys.entries()) {
      const { body } = await me(key).expect(200);
      assert.deepEqual([body.usage.minute.used, body.usage.day.used], [at + 2, at + 2]);
    }
    for (const key of [old.key, next.key, last.key]) {
      assert.equal((await me(key).expect(429)).body['violated-policies'][0], 'minute');
    }
  });

  it('is recorded in the change log for the old key and the new one', async () => {
    const old = await issueKey(service, admin);
    const { body: next } = await rotate(old.id, admin.key, { grace_seconds: 60 }).expect(200);
    const changes = await sql(
      service,
      'select kind, subject_id, data from change_log where subject_id in (?, ?) order by id',
      [old.id, next.id],
    );
    assert.deepEqual(changes.slice(1), [
      {
        kind: 'key.created',
        subject_id: next.id,
        data: { plan: 'free', is_admin: false, predecessor_id: old.id },
      },
      {
        kind: 'key.rotated',
        subject_id: old.id,
        data: { successor_id: next.id, expires_at: next.predecessor_expires_at },
      },
    ]);
  });

  it('creates one successor for concurrent requests, and names it to the others', async () => {
    const old = await issueKey(service, admin);
    const replies = await Promise.all(Array.from({ length: 6 }, () => rotate(old.id, admin.key)));
    const made = replies.filter(({ status }) => status === 200);
    assert.equal(made.length, 1);
    for (const { status, body } of replies.filter((reply) => reply !== made[0])) {
      assert.deepEqual([status, body.code, body.successor_id], [422, 'key_not_rotatable', made[0]?.body.id]);
    }
    const rows = await sql(service, 'select id from api_key where predecessor_id = ?', [old.id]);
    assert.deepEqual(rows, [{ id: made[0]?.body.id }]);
  });

  it('is possible again after the successor is deactivated, and for the successor itself', async () => {
    const old = await issueKey(service, admin);
    const { body: lost } = await byOwner(old).expect(200);
    await byOwner(old).expect(422);
    await api(service)
      .post(`/api/keys/${lost.id}/deactivate`)
      .set(...bearer(admin.key))
      .expect(200);
    const { body: next } = await byOwner(old).expect(200);
    assert.equal((await me(old.key).expect(200)).body.successor_id, next.id);
    const after = await byOwner({ ...old, id: next.id, key: next.key }).expect(200);
    assert.equal(after.body.predecessor_id, next.id);
  });

  it('is refused for a deactivated or expired key', async () => {
    const off = await issueKey(service, admin);
    await api(service)
      .post(`/api/keys/${off.id}/deactivate`)
      .set(...bearer(admin.key))
      .expect(200);
    const { body } = await rotate(off.id, admin.key).expect(422);
    assert.deepEqual(body.detail, [
      { type: 'key_not_rotatable', loc: ['path', 'id'], msg: 'The key cannot be rotated: it is deactivated' },
    ]);
    const past = await issueKey(service, admin);
    await sql(service, 'update api_key set expires_at = now() where id = ?', [past.id]);
    assert.match((await rotate(past.id, admin.key).expect(422)).body.detail[0].msg, /it has expired$/);
  });

  it('requires the owner secret beside the key, so that a leaked key cannot be taken over', async () => {
    const [mine, theirs] = [await issueKey(service, admin), await issueKey(service, admin)];
    for (const secret of [undefined, '', 'ekb_owner_wrong', mine.key, theirs.ownerSecret]) {
      const { body } = await rotate(mine.id, mine.key, { grace_seconds: 0, owner_secret: secret }).expect(403);
      assert.equal(body.code, 'owner_required');
    }
    await me(mine.key).expect(200);
    assert.deepEqual(await sql(service, 'select id from api_key where predecessor_id = ?', [mine.id]), []);
    await byOwner(mine).expect(200);
  });

  it('is refused for a key without an owner secret, except to an administrator', async () => {
    const old = await issueKey(service, admin);
    await sql(service, 'update api_key set owner_hash = null where id = ?', [old.id]);
    await byOwner(old).expect(403);
    await rotate(old.id, admin.key).expect(200);
  });

  it('never repeats the owner secret in an error, and stores it only as a hash', async () => {
    const old = await issueKey(service, admin);
    assert.match(old.ownerSecret, /^ekb_owner_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/);
    const { text } = await rotate(old.id, old.key, { grace_seconds: -1, owner_secret: old.ownerSecret.repeat(9) });
    assert.doesNotMatch(text, /ekb_owner/);
    const rows = JSON.stringify(await sql(service, 'select * from api_key where id = ?', [old.id]));
    assert.ok(!rows.includes(old.ownerSecret));
  });

  it('shows both keys who rotated them, and lets the owner end the old key sooner', async () => {
    const old = await issueKey(service, admin);
    const { body: next } = await byOwner(old).expect(200);
    const [before, after] = [(await me(old.key)).body, (await me(next.key)).body];
    const at = next.created_at;
    assert.deepEqual(before.replaced, { at, by: 'owner', key_prefix: next.key_prefix });
    assert.deepEqual(after.replaces, { at, by: 'owner', key_prefix: before.key_prefix });
    assert.deepEqual([before.replaces, after.replaced], [null, null]);
    const { body: last } = await rotate(next.id, admin.key).expect(200);
    assert.equal((await me(last.key)).body.replaces.by, 'administrator');
    const end = (by: string, body: object, id = old.id) =>
      api(service)
        .post(`/api/keys/${id}/end`)
        .set(...bearer(by))
        .send(body);
    const other = await issueKey(service, admin);
    await end(next.key, {}).expect(403);
    await end(old.key, { owner_secret: other.ownerSecret }).expect(403);
    await end(other.key, { owner_secret: other.ownerSecret }).expect(403);
    await end(next.key, { owner_secret: old.ownerSecret }, 'key_nothing').expect(403);
    assert.equal((await end(next.key, { owner_secret: old.ownerSecret }).expect(200)).body.active, 0);
    assert.equal((await me(old.key).expect(401)).body.code, 'key_deactivated');
    await me(next.key).expect(200);
    await me(last.key).expect(200);
  });

  it('is restricted to admins and the owner, and reveals nothing about a key to others', async () => {
    const [mine, theirs] = [await issueKey(service, admin), await issueKey(service, admin)];
    for (const id of [theirs.id, 'key_nothing']) {
      assert.equal((await rotate(id, mine.key).expect(403)).body.code, 'admin_required');
    }
    assert.equal((await rotate('key_nothing', admin.key).expect(404)).body.resource, 'key');
    const narrow = await issueKey(service, admin, { is_admin: true, scopes: ['search'] });
    await rotate(theirs.id, narrow.key).expect(403);
    await rotate(narrow.id, narrow.key).expect(403);
    await byOwner(narrow).expect(200);
  });

  for (const grace of [-1, 2_592_001, 1.5, '60', null]) {
    it(`is refused with a grace of ${JSON.stringify(grace)}`, async () => {
      const { body } = await rotate(admin.id, admin.key, { grace_seconds: grace }).expect(422);
      assert.deepEqual(body.detail[0].loc, ['body', 'grace_seconds']);
    });
  }

  it('needs no body', async () => {
    const old = await issueKey(service, admin);
    const reply = await api(service)
      .post(`/api/keys/${old.id}/rotate`)
      .set(...bearer(admin.key))
      .expect(200);
    assert.ok(Date.parse(reply.body.predecessor_expires_at) > Date.now() + 86_000_000);
  });

  it('preserves the kind of the key: an admin key stays one', async () => {
    const root = await issueKey(service, admin, { is_admin: true });
    const { body } = await rotate(root.id, root.key).expect(200);
    assert.match(body.key, /^ekb_admin_/);
    assert.deepEqual([body.is_admin, body.plan], [true, 'admin']);
  });

  it('preserves access to the holder’s answers: the new key can delete those of the old one', async () => {
    const old = await issueKey(service, admin);
    const { body: answer } = await api(service)
      .post('/api/ask')
      .set(...bearer(old.key))
      .send({ question: `Does magnesium help people sleep? ${randomUUID()}` })
      .expect(200);
    const { body: next } = await byOwner(old).expect(200);
    await api(service)
      .delete(`/api/answers/${answer.answer_id}`)
      .set(...bearer(next.key))
      .expect(200);
  });

  it('is available as a command on the host', async () => {
    const old = await issueKey(service, admin, { name: 'from the host' });
    const keys = (...args: string[]) => runCommand(['keys', ...args], service.environment);
    const made = await keys('rotate', old.id, '--grace', '0');
    assert.equal(made.status, 0, made.stderr);
    const [raw = '', told = ''] = made.stdout.split('\n');
    assert.match(told, new RegExp(`^key_\\w+ follows ${old.id}, which ends at \\S+Z\\. Store this key now\\.`));
    assert.equal((await me(raw).expect(200)).body.predecessor_id, old.id);
    await me(old.key).expect(401);
    const [again, nothing] = await Promise.all([keys('rotate', old.id), keys('rotate', 'key_nothing')]);
    assert.deepEqual([again.status, again.stdout], [1, `Key '${old.id}' cannot be rotated: it has expired\n`]);
    assert.deepEqual([nothing.status, nothing.stdout], [1, "Key 'key_nothing' not found\n"]);
  });
});
