import { strict as assert } from 'node:assert';
import { keysPlugin } from '#plugins/keys/index.ts';
import type { KeyServices } from '#plugins/keys/services.ts';
import { api, bearer, type IssuedKey, issueKey } from '../../support/client.ts';
import { sql } from '../../support/database.ts';
import type { TestService } from '../../support/service.ts';
import { type SharedService, sharedService, startBeside } from '../../support/shared.ts';

const flush = (node: TestService) => (node.runtime.servicesOf(keysPlugin) as KeyServices).usage.flush();
const today = () => new Date().toISOString().slice(0, 10);

describe('the daily quota warning', () => {
  let service: SharedService;
  let other: TestService;
  let admin: IssuedKey;
  before(async () => {
    service = await sharedService();
    admin = service.admin;
    other = await startBeside(service, {});
  });
  after(() => other.stop());

  const call = async (key: IssuedKey, times: number, node: TestService = service): Promise<void> => {
    for (let count = 0; count < times; count += 1)
      await api(node)
        .get('/api/keys/me')
        .set(...bearer(key.key));
    await flush(node);
  };
  const warningsOf = async ({ id }: IssuedKey) =>
    (
      await sql(
        service,
        "select data from change_log where subject_id = ? and kind = 'key.quota_warning' order by id",
        [id],
      )
    ).map(({ data }) => data);

  it('is written to the change log once at 80 % and once at 100 %, with the usage', async () => {
    const key = await issueKey(service, admin, { daily_limit: 10 });
    await call(key, 7);
    assert.deepEqual(await warningsOf(key), []);
    await call(key, 1);
    const first = { level: 80, used: 8, limit: 10, day: today() };
    assert.deepEqual(await warningsOf(key), [first]);
    await call(key, 1);
    assert.deepEqual(await warningsOf(key), [first]);
    await call(key, 6);
    assert.deepEqual(await warningsOf(key), [first, { level: 100, used: 10, limit: 10, day: today() }]);
  });

  it('is written once, even across two nodes and after a rotation', async () => {
    const key = await issueKey(service, admin, { daily_limit: 10 });
    await call(key, 8);
    await call(key, 1, other);
    const { body } = await api(service)
      .post(`/api/keys/${key.id}/rotate`)
      .set(...bearer(admin.key))
      .send({})
      .expect(200);
    await call(body, 1, other);
    await call(key, 1);
    assert.deepEqual(
      [...(await warningsOf(key)), ...(await warningsOf(body))].map((data) => (data as { level: number }).level),
      [80, 100],
    );
  });

  it('is not written for admin keys, whose quota is not enforced', async () => {
    const root = await issueKey(service, admin, { is_admin: true, daily_limit: 1 });
    await call(root, 3);
    assert.deepEqual(await warningsOf(root), []);
  });

  it('is retried after a failed write, and then written once', async () => {
    const key = await issueKey(service, admin, { daily_limit: 10 });
    await sql(service, 'alter table quota_warning rename to quota_warning_away');
    await assert.rejects(call(key, 9));
    await sql(service, 'alter table quota_warning_away rename to quota_warning');
    await flush(service);
    await flush(service);
    assert.deepEqual(await warningsOf(key), [{ level: 80, used: 8, limit: 10, day: today() }]);
  });
});
