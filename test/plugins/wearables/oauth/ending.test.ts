import assert from 'node:assert/strict';
import { secretsOf } from '#core/secrets.ts';
import { createConnections } from '#plugins/wearables/oauth/connections.ts';
import { countOf, sql } from '../../../support/database.ts';
import { configOf, connectedTo, connectionsFor, settingsAt, usePlace } from './connections-support.ts';

const HOUR = 3_600_000;

describe('ending or moving a vendor connection', () => {
  const place = usePlace();
  beforeEach(() => sql(place.service, 'delete from wearable_revocation'));
  const connected = () => connectedTo(place, 'whoop');
  const left = () => countOf(place.service, 'wearable_revocation');
  const ends = (status = 204) => place.data.on('DELETE /v2/user/access', { status });

  it('revokes the token at the vendor immediately, and deletes the connection', async () => {
    const own = await connected();
    ends();
    assert.equal(await own.connections.disconnect(own.device, 'whoop'), true);
    assert.ok(await place.authorization.accepts(place.data.asked[0]?.authorization ?? ''));
    assert.equal(await own.row('whoop'), undefined);
    assert.equal(await left(), 0);
    assert.equal(await own.connections.disconnect(own.device, 'whoop'), false);
  });

  it('deletes the connection even when the vendor is unavailable, and the job retries the revocation', async () => {
    const own = await connected();
    ends(500);
    assert.equal(await own.connections.disconnect(own.device, 'whoop'), true);
    assert.equal(await own.row('whoop'), undefined);
    const rows = await sql(place.service, 'select * from wearable_revocation');
    assert.equal(rows.length, 1);
    assert.ok(!JSON.stringify(rows).includes(own.device), 'the row names the device');
    assert.equal(await own.connections.revokeLeft(), 0, 'it is tried again later, not at once');
    assert.equal(place.data.asked.length, 1);
    own.clock.ahead = HOUR / 2;
    assert.equal(await own.connections.revokeLeft(), 0);
    assert.equal(place.data.asked.length, 2);
    ends();
    own.clock.ahead = 30 * HOUR;
    assert.equal(await own.connections.revokeLeft(), 1);
    assert.equal(await left(), 0);
  });

  it('refreshes an expired token before the revocation, and stores the new token', async () => {
    const own = await connected();
    ends(503);
    own.clock.ahead = 2 * HOUR;
    const before = place.authorization.tokenRequests();
    await own.connections.disconnect(own.device, 'whoop');
    assert.equal(place.authorization.tokenRequests() - before, 1);
    ends();
    own.clock.ahead += HOUR / 2;
    assert.equal(await own.connections.revokeLeft(), 1);
    assert.equal(place.authorization.tokenRequests() - before, 1, 'the new token was still good');
    assert.ok(await place.authorization.accepts(place.data.asked.at(-1)?.authorization ?? ''));
  });

  it('is complete when the vendor no longer knows the grant', async () => {
    const own = await connected();
    place.authorization.takeBack();
    own.clock.ahead = 2 * HOUR;
    assert.equal(await own.connections.disconnect(own.device, 'whoop'), true);
    assert.equal(await left(), 0);
    assert.equal(place.data.asked.length, 0);
  });

  it('stores revocations that outlive a deleted device and are sent by the job', async () => {
    const own = await connected();
    await own.connect('oura');
    const { db } = place.service.runtime;
    await db.write(async (em) => {
      assert.equal(await own.connections.release(em, own.device), 2);
      await em.execute('delete from device where hash = ?', [own.device]);
    });
    assert.equal(await left(), 2);
    ends();
    place.data.on('POST /revoke', { body: {} });
    assert.equal(await own.connections.revokeLeft(), 2);
    assert.deepEqual(
      new Set(place.data.asked.map(({ method, path }) => `${method} ${path}`)),
      new Set(['DELETE /v2/user/access', 'POST /revoke']),
    );
    const oura = place.data.asked.find(({ path }) => path === '/revoke');
    assert.ok(await place.authorization.accepts(oura?.query.access_token ?? ''));
  });

  it('leaves no data of a flow that completes after its device was deleted', async () => {
    const own = connectionsFor(place);
    const begun = await own.connections.begin(own.device, 'polar');
    const callback = await place.authorization.walk((begun as { url: string }).url);
    place.data.on('POST /v3/users', async () => {
      await sql(place.service, 'delete from device where hash = ?', [own.device]);
      return { body: {} };
    });
    assert.equal(await own.connections.complete(own.device, 'polar', callback), 'bad-state');
    assert.equal(await countOf(place.service, 'device where hash = ?', [own.device]), 0);
    assert.equal(await left(), 1);
  });

  it('works after the installation lost its secret, and the status asks for reconnection until then', async () => {
    const own = await connected();
    const { db, log } = place.service.runtime;
    const config = configOf(settingsAt(place));
    const connections = createConnections({ db, log, config, secrets: secretsOf(['another']) });
    const [state] = (await connections.list(own.device)).filter(({ vendor }) => vendor === 'whoop');
    assert.equal(state?.status, 'needs_reauth');
    assert.deepEqual(await connections.sync(own.device, 'whoop', async () => undefined), { outcome: 'needs_reauth' });
    assert.deepEqual(
      (await connections.due(1_000)).filter(({ device }) => device === own.device),
      [],
    );
    assert.equal(await connections.disconnect(own.device, 'whoop'), true);
    assert.equal(await left(), 0);
    assert.equal(place.data.asked.length, 0);
  });

  it('transfers connections to another device with valid tokens', async () => {
    const [own, next] = [await connected(), connectionsFor(place)];
    await sql(place.service, 'insert into device (hash, seen_on) values (?, current_date)', [next.device]);
    await place.service.runtime.db.write((em) => own.connections.move(em, { from: own.device, to: next.device }));
    assert.equal(await own.row('whoop'), undefined);
    place.data.on('GET /v2/activity/sleep', async ({ authorization }) =>
      (await place.authorization.accepts(authorization)) ? { body: { records: [] } } : { status: 401 },
    );
    place.data.on('GET /v2/recovery', { body: { records: [] } });
    assert.deepEqual(await next.sync('whoop'), { outcome: 'synced', days: 0 });
  });
});
