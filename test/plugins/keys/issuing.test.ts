import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Context } from '#core/plugin.ts';
import { systemContext } from '#core/system-context.ts';
import { keysCommand } from '#plugins/keys/commands.ts';
import { keysPlugin } from '#plugins/keys/index.ts';
import type { KeyServices } from '#plugins/keys/services.ts';
import { api, bearer, type IssuedKey, issueKey } from '../../support/client.ts';
import { runCommand } from '../../support/command.ts';
import { sql } from '../../support/database.ts';
import { runProgram } from '../../support/program.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('API keys', () => {
  let service: SharedService;
  let admin: IssuedKey;
  before(async () => {
    service = await sharedService();
    admin = service.admin;
  });

  const create = (body: object) =>
    api(service)
      .post('/api/keys')
      .set(...bearer(admin.key))
      .send(body);
  const me = (key: string) =>
    api(service)
      .get('/api/keys/me')
      .set(...bearer(key));

  it('are created by an admin with the defaults of the free plan', async () => {
    const reply = await create({ name: 'clinic' }).expect(200);
    const { id, key, created_at, owner_secret, ...rest } = reply.body;
    assert.match(owner_secret, /^ekb_owner_/);
    assert.deepEqual(rest, {
      name: 'clinic',
      key_prefix: key.slice(0, 13),
      is_admin: false,
      active: 1,
      plan: 'free',
      rpm_limit: 120,
      daily_limit: 5000,
      scopes: [],
      expires_at: null,
      predecessor_id: null,
      successor_id: null,
      api_key: key,
      warning: 'Store this key now. It is shown only once.',
    });
    assert.match(id, /^key_[0-9a-f]{20}$/);
    assert.match(created_at, DATE);
    assert.equal(reply.get('Cache-Control'), 'no-store');
  });

  it('contain 256 random bits in base62 with a checksum, and a prefix for their kind', async () => {
    const bodies = [{ name: 'a' }, { name: 'b' }, { name: 'c', is_admin: true }];
    const raws = await Promise.all(bodies.map(async (body) => (await create(body).expect(200)).body.key as string));
    for (const [at, raw] of raws.entries()) {
      const [, head = '', check = ''] = /^(ekb_(?:live|admin)_[0-9A-Za-z]{43})_([0-9A-Za-z]{6})$/.exec(raw) ?? [];
      assert.equal(raw.startsWith('ekb_admin_'), at === 2);
      let rest = crc32(head);
      let text = '';
      for (let digits = 0; digits < 6; digits += 1) {
        text = BASE62[rest % 62] + text;
        rest = Math.floor(rest / 62);
      }
      assert.equal(check, text);
    }
    assert.equal(new Set(raws).size, raws.length);
  });

  it('are stored as a hash, and the raw key appears nowhere in the database', async () => {
    const { id, key } = await issueKey(service, admin);
    const [row] = await sql(service, 'select hash from api_key where id = ?', [id]);
    assert.equal(row?.hash, createHash('sha256').update(key).digest('hex'));
    await me(key).expect(200);
    for (const table of ['api_key', 'change_log', 'key_usage', 'quota_window', 'fact', 'job_run', 'lease']) {
      const found = await sql(service, `select 1 from ${table} as held where to_jsonb(held)::text like ?`, [
        `%${key.slice(14)}%`,
      ]);
      assert.deepEqual(found, [], table);
    }
  });

  it('accept custom values for one or both limits', async () => {
    const [one, both] = [
      (await create({ name: 'one', rpm_limit: 7 }).expect(200)).body,
      (await create({ name: 'both', rpm_limit: 7, daily_limit: 9 }).expect(200)).body,
    ];
    assert.deepEqual([one.plan, one.rpm_limit, one.daily_limit], ['free', 7, 5000]);
    assert.deepEqual([both.plan, both.rpm_limit, both.daily_limit], ['enterprise', 7, 9]);
    const root = (await create({ name: 'root', is_admin: true }).expect(200)).body;
    assert.deepEqual([root.plan, root.rpm_limit, root.daily_limit], ['admin', 1200, 100_000]);
  });

  it('accept an expiry in the future, scopes, a contact and notes', async () => {
    const expires_at = '2099-01-01T12:00:00+02:00';
    const reply = await create({
      name: 'x',
      expires_at,
      scopes: ['search', 'ask'],
      contact_email: 'a@b.test',
      notes: 'n',
    });
    assert.equal(reply.status, 200);
    assert.equal(reply.body.expires_at, '2099-01-01T10:00:00.000Z');
    assert.deepEqual(reply.body.scopes, ['search', 'ask']);
    const [row] = await sql(service, 'select contact_email, notes from api_key where id = ?', [reply.body.id]);
    assert.deepEqual(row, { contact_email: 'a@b.test', notes: 'n' });
  });

  for (const [name, body, loc] of [
    ['no name', {}, ['name']],
    ['an empty name', { name: '' }, ['name']],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, ['name']],
    ['is_admin as text', { name: 'x', is_admin: 'true' }, ['is_admin']],
    ['a limit of 0', { name: 'x', rpm_limit: 0 }, ['rpm_limit']],
    ['half a call', { name: 'x', daily_limit: 1.5 }, ['daily_limit']],
    ['a limit beyond an integer', { name: 'x', daily_limit: 2_147_483_648 }, ['daily_limit']],
    ['a day as expiry', { name: 'x', expires_at: '2099-01-01' }, ['expires_at']],
    ['an expiry in the past', { name: 'x', expires_at: '2020-01-01T00:00:00Z' }, ['expires_at']],
    ['a leap second as expiry', { name: 'x', expires_at: '2030-12-31T23:59:60Z' }, ['expires_at']],
    ['an expiry with half an offset', { name: 'x', expires_at: '2099-01-01T00:00:00+05' }, ['expires_at']],
    ['scopes as text', { name: 'x', scopes: 'all' }, ['scopes']],
    ['a scope that there is not', { name: 'x', scopes: ['search', 'everything'] }, ['scopes', 1]],
  ] as const) {
    it(`are refused for ${name}`, async () => {
      const reply = await create(body).expect(422);
      assert.deepEqual(
        reply.body.detail.map((problem: { loc: string[] }) => problem.loc),
        [['body', ...loc]],
      );
    });
  }

  it('show their holder the metadata, without any secret', async () => {
    const made = await create({ name: 'mine', rpm_limit: 50 }).expect(200);
    const { key, api_key, owner_secret, warning, ...metadata } = made.body;
    const reply = await me(key).expect(200);
    const { usage, last_used_at, ...own } = reply.body;
    assert.deepEqual(own, { ...metadata, replaced: null, replaces: null });
    assert.ok(last_used_at === null || DATE.test(last_used_at));
    assert.equal(usage.minute.limit, 50);
    assert.equal(usage.day.limit, 5000);
    assert.match(usage.minute.resets_at, /:00\.000Z$/);
    assert.match(usage.day.resets_at, /T00:00:00\.000Z$/);
    assert.ok(!reply.text.includes(key) && !/hash/.test(reply.text));
    assert.equal(reply.get('Cache-Control'), 'no-store');
    assert.equal(api_key, key);
    assert.ok(warning);
  });

  it('stop working as soon as an admin deactivates them', async () => {
    const { id, key } = await issueKey(service, admin, { name: 'short' });
    const off = await api(service)
      .post(`/api/keys/${id}/deactivate`)
      .set(...bearer(admin.key))
      .expect(200);
    assert.equal(off.body.active, 0);
    assert.equal(off.body.id, id);
    assert.ok(!off.text.includes(key));
    assert.equal((await me(key).expect(401)).body.code, 'key_deactivated');
    await api(service)
      .post(`/api/keys/${id}/deactivate`)
      .set(...bearer(admin.key))
      .expect(200);
    const changes = await sql(service, 'select kind, data from change_log where subject_id = ? order by id', [id]);
    assert.deepEqual(changes, [
      { kind: 'key.created', data: { plan: 'free', is_admin: false } },
      { kind: 'key.deactivated', data: {} },
    ]);
  });

  it('are deactivated once by concurrent requests', async () => {
    const { id } = await issueKey(service, admin);
    const off = () =>
      api(service)
        .post(`/api/keys/${id}/deactivate`)
        .set(...bearer(admin.key));
    const replies = await Promise.all([off(), off(), off(), off()]);
    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.active]),
      Array(4).fill([200, 0]),
    );
    const ends = await sql(service, "select id from change_log where subject_id = ? and kind = 'key.deactivated'", [
      id,
    ]);
    assert.equal(ends.length, 1);
  });

  it('return 404 for the deactivation of an unknown key', async () => {
    const reply = await api(service)
      .post('/api/keys/key_nothing/deactivate')
      .set(...bearer(admin.key))
      .expect(404);
    const { detail, code, resource, id, did_you_mean } = reply.body;
    assert.deepEqual(
      { detail, code, resource, id, did_you_mean },
      {
        detail: "Key 'key_nothing' not found",
        code: 'not_found',
        resource: 'key',
        id: 'key_nothing',
        did_you_mean: [],
      },
    );
  });

  describe('via the command on the host', () => {
    const keys = (...args: string[]) => runCommand(['keys', ...args], service.environment);

    it('are created, listed and deactivated while the server runs', async () => {
      const create = ['keys', 'create', '--name', 'from the host', '--rpm', '3', '--daily', '4'];
      const made = await runProgram(create, service.environment);
      assert.equal(made.status, 0, made.stderr);
      const [raw = '', told = ''] = made.stdout.split('\n');
      const [id = ''] = /^key_\w+/.exec(told) ?? [];
      assert.equal(told, `${id} (enterprise, 3 a minute, 4 a day). Store this key now. It is shown only once.`);
      assert.equal((await me(raw).expect(200)).body.name, 'from the host');
      const [listed, ended] = [await keys('list'), await keys('deactivate', id)];
      assert.match(
        listed.stdout,
        new RegExp(
          `^${id}  ekb_live_\\w{4}  enterprise  active  created \\S+Z  used (?:\\S+Z|never)  ends never  from the host$`,
          'm',
        ),
      );
      assert.ok(!listed.stdout.includes(raw));
      assert.deepEqual([ended.status, ended.stdout], [0, `${id} is deactivated.\n`]);
      assert.equal((await me(raw).expect(401)).body.code, 'key_deactivated');
    });

    it('are refused with one sentence for an unknown key or option', async () => {
      const [unknown, option] = await Promise.all([
        keys('deactivate', 'key_nothing'),
        keys('create', '--name', 'x', '--colour', 'red'),
      ]);
      assert.deepEqual([unknown.status, unknown.stdout], [1, "Key 'key_nothing' not found\n"]);
      assert.equal(option.status, 1);
      assert.match(option.stderr, /^Unknown option '--colour'[^\n]*\n$/);
    });

    it('are refused with the usage for incomplete arguments', async () => {
      const context = systemContext(service.runtime, keysPlugin, AbortSignal.timeout(10_000));
      for (const args of [
        [],
        ['nonsense'],
        ['create'],
        ['create', '--name', 'x', '--rpm', '0'],
        ['deactivate'],
        ['rotate'],
        ['rotate', 'x', '--grace', 'long'],
      ]) {
        const out: string[] = [];
        assert.equal(await keysCommand.run(context as Context<KeyServices>, args, (line) => out.push(line)), 2);
        assert.match(out.join('\n'), /^usage: npm run keys create --name <name> /);
      }
    });
  });
});
