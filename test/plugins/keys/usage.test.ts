import { strict as assert } from 'node:assert';
import { runJob } from '#core/jobs/scheduler.ts';
import type { Job } from '#core/plugin.ts';
import { keysPlugin } from '#plugins/keys/index.ts';
import { purgeUsage } from '#plugins/keys/jobs.ts';
import type { KeyServices } from '#plugins/keys/services.ts';
import { api, bearer, type IssuedKey, issueKey } from '../../support/client.ts';
import { countOf, sql } from '../../support/database.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

describe('the usage of keys', () => {
  let service: SharedService;
  let admin: IssuedKey;
  before(async () => {
    service = await sharedService();
    admin = service.admin;
  });

  const flush = () => (service.runtime.servicesOf(keysPlugin) as KeyServices).usage.flush();
  const callsOf = async (key: IssuedKey) => {
    const rows = await sql(service, 'select route, sum(calls)::int as n from key_usage where key_id = ? group by 1', [
      key.id,
    ]);
    return Object.fromEntries(rows.map(({ route, n }) => [route, n]));
  };
  const call = (key: IssuedKey, path: string) =>
    api(service)
      .get(path)
      .set('X-Forwarded-For', '203.0.113.77')
      .set(...bearer(key.key));

  it('is recorded by day and route, including refused calls and calls of admins', async () => {
    const key = await issueKey(service, admin, { rpm_limit: 3 });
    for (const path of ['/api/sources', '/api/sources', '/v1/evidence/search', '/api/keys/me', '/api/keys/me']) {
      await call(key, path);
    }
    await flush();
    assert.deepEqual(await callsOf(key), { 'sources.list': 2, 'evidence.search': 1, 'keys.me': 2 });
    assert.ok(((await callsOf(admin))['keys.create'] ?? 0) >= 1);
  });

  it('reports when a key was last used, and stores only the network prefix of the address', async () => {
    const key = await issueKey(service, admin);
    await call(key, '/api/sources').expect(200);
    await flush();
    const reply = await call(key, '/api/keys/me').expect(200);
    assert.ok(Date.now() - Date.parse(reply.body.last_used_at) < 60_000);
    const [row] = await sql(service, 'select last_used_ip_prefix from api_key where id = ?', [key.id]);
    assert.equal(row?.last_used_ip_prefix, '203.0.113.0/24');
  });

  it('is not recorded for callers without a key', async () => {
    await flush();
    const before = await sql(service, 'select * from key_usage order by key_id, day, route');
    await api(service).get('/api/sources').expect(200);
    await flush();
    assert.deepEqual(await sql(service, 'select * from key_usage order by key_id, day, route'), before);
  });

  it('is deleted after 400 days, whatever the number of rows', async () => {
    await sql(
      service,
      `insert into key_usage select 'key_past', (now() at time zone 'utc')::date - age, 'route.' || n, 1
       from (values (401), (400)) as days (age), generate_series(1, 1200) as n`,
    );
    const forget = () => runJob(service.runtime, keysPlugin, purgeUsage as Job);
    assert.deepEqual(await forget(), { status: 'ok', counts: { removed: 1_200 } });
    const left = "key_usage where key_id = 'key_past'";
    assert.equal(await countOf(service, left), 1_200);
    assert.deepEqual(await forget(), { status: 'ok', counts: { removed: 0 } });
    await sql(service, `delete from ${left}`);
  });

  it('is retried after a failed write', async () => {
    const key = await issueKey(service, admin);
    // The table is renamed before the call, because the periodic flush every two seconds may run in between.
    await sql(service, 'alter table key_usage rename to key_usage_away');
    await call(key, '/api/sources').expect(200);
    await assert.rejects(flush());
    await call(key, '/api/sources').expect(200);
    await sql(service, 'alter table key_usage_away rename to key_usage');
    await flush();
    assert.deepEqual(await callsOf(key), { 'sources.list': 2 });
    assert.equal(await countOf(service, 'api_key where last_used_at is not null and id = ?', [key.id]), 1);
  });
});
