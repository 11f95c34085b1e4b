import assert from 'node:assert/strict';
import supertest from 'supertest';
import { sql } from '../../support/database.ts';
import { type Device, deviceOf } from '../../support/device.ts';
import { startService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { type AuthorizationServer, startAuthorizationServer } from './oauth/authorization-server.ts';
import { ouraAnswers, type Place, settingsAt, today } from './oauth/connections-support.ts';
import { type DataServer, startDataServer } from './vendors/data-server.ts';

const NO_POLAR = { POLAR_CLIENT_ID: '', POLAR_CLIENT_SECRET: '' };
const PUSH_SECRET = 'only-garmin-knows-this-end-of-an-address';

describe('wearable vendor connection', function () {
  this.timeout(180_000);
  let authorization: AuthorizationServer;
  let data: DataServer;
  let service: TestService;
  let device: Device;
  before(async () => {
    [authorization, data] = [await startAuthorizationServer(), await startDataServer()];
    const settings = {
      ...settingsAt({ authorization, data }),
      ...NO_POLAR,
      GARMIN_PUSH_SECRET: PUSH_SECRET,
      TRUSTED_PROXIES: '127.0.0.1',
    };
    service = await startService({ settings });
  });
  after(async () => {
    await service?.stop();
    await authorization.close();
    await data.close();
  });
  beforeEach(() => {
    data.forget();
    device = deviceOf(service);
  });

  const begin = async (vendor: string, of = device): Promise<string> => {
    await of.postForm(`/wearables/consent/${vendor}`, { consent: 'true' });
    const gone = await of.get(`/wearables/connect/${vendor}`).set('Sec-Fetch-Site', 'same-origin').expect(303);
    return String(gone.headers.location);
  };
  const callbackOf = async (vendor: string, answer: 'yes' | 'no' = 'yes'): Promise<string> =>
    `/wearables/callback/${vendor}?${new URLSearchParams(await authorization.walk(await begin(vendor), answer))}`;
  const connection = async (vendor: string) =>
    (await device.get('/wearables/status').expect(200)).body.connections.find(
      (one: { vendor: string }) => one.vendor === vendor,
    );

  it('is made, synced, shown, exported without tokens, and revoked on disconnect', async () => {
    ouraAnswers({ authorization, data } as Place, 4_321);
    data.on('POST /revoke', () => ({ body: {} }));
    assert.equal((await connection('oura')).status, 'disconnected');
    const callback = await callbackOf('oura');
    assert.equal((await connection('oura')).status, 'pending');
    const consents = 'select subject, is_given from device_consent where device = ?';
    const answer = await device.get(callback).expect(303);
    assert.equal(answer.headers.location, '/wearables/success?notice=connected');
    assert.deepEqual(await sql(service, consents, [device.hash]), [{ subject: 'wearable:oura', is_given: true }]);
    await until(async () => (await connection('oura')).last_sync_at);
    const { status, scopes, metrics } = await connection('oura');
    assert.equal(status, 'connected');
    assert.ok(scopes.includes('daily') && metrics.includes('steps'));
    const { text } = await device.get('/wearables/data').expect(200);
    assert.match(text, /<strong>4,321<\/strong>/);
    assert.match(text, /Disconnect Oura/);
    const { body } = await device.get('/api/account/export').expect(200);
    assert.deepEqual(
      body.wearable_daily.map(({ date, source, steps }: Record<string, unknown>) => [date, source, steps]),
      [[today, 'Oura', 4_321]],
    );
    assert.deepEqual(Object.keys(body.connections[0]), ['vendor', 'status', 'scopes', 'connected_at']);
    await device.postForm('/wearables/disconnect/oura', {});
    assert.equal((await connection('oura')).status, 'disconnected');
    assert.deepEqual(await sql(service, 'select 1 from wearable_connection where device = ?', [device.hash]), []);
    assert.ok(data.asked.some(({ path }) => path.startsWith('/revoke')));
    await device.postForm('/wearables/disconnect/oura', {}, 404);
  });

  it('is not made by a callback that was used, was begun in another browser, or has an unknown state', async () => {
    ouraAnswers({ authorization, data } as Place);
    const callback = await callbackOf('oura');
    const { text } = await deviceOf(service).get(callback).expect(422);
    assert.match(text, /connect again/);
    await device.get(callback).expect(422);
    await device.get('/wearables/callback/oura?code=x&state=y').expect(422);
    await device.get('/wearables/callback/oura').expect(422);
    assert.equal((await connection('oura')).status, 'disconnected');
  });

  it('reports denied access, a vendor failure, a discontinued service and a vendor that is not configured', async () => {
    const refused = await device.get(await callbackOf('whoop', 'no')).expect(303);
    assert.equal(refused.headers.location, '/wearables?notice=refused&why=by-person&vendor=whoop');
    const { text } = await device.get(String(refused.headers.location)).expect(200);
    assert.match(text, /Nothing was connected: you did not give access at WHOOP\./);
    authorization.instead((reply) => void reply.writeHead(502).end('<h1>secret</h1>'));
    const failed = await device.get(await callbackOf('whoop')).expect(303);
    authorization.instead(null);
    assert.equal(failed.headers.location, '/wearables?notice=failed&why=busy&vendor=whoop');
    const page = await device.get(String(failed.headers.location)).expect(200);
    assert.match(page.text, /Nothing was connected: WHOOP is busy or has a fault\. Try again later\./);
    assert.equal(await begin('fitbit'), '/wearables?notice=service-ended');
    assert.equal(await begin('polar'), '/wearables?notice=not-configured');
    assert.equal((await connection('polar')).status, 'not_configured');
    await device.get('/wearables/connect/nobody').expect(404);
  });

  it('requires consent first, and offers a consent form without scripts', async () => {
    const refused = await device.get('/wearables/connect/oura').set('Accept', 'application/json').expect(422);
    assert.equal(refused.body.code, 'consent_required');
    assert.deepEqual(refused.body.detail[0].loc, ['body', 'consent']);
    assert.deepEqual(await sql(service, 'select 1 from wearable_oauth_state where device = ?', [device.hash]), []);
    const { text } = await device.get('/wearables').expect(200);
    assert.match(
      text,
      /<form action="\/wearables\/consent\/oura" method="post">.*?name="consent" value="true" required/s,
    );
    await device.postForm('/wearables/consent/oura', {}, 422);
    const agreed = await device.postForm('/wearables/consent/oura', { consent: 'true' });
    const next = await device.get(String(agreed.headers.location)).expect(200);
    assert.match(next.text, /href="\/wearables\/connect\/oura"/);
    await device.get('/wearables/connect/oura').expect(303);
  });

  it('can be started only from pages of this service', async () => {
    await device.postForm('/wearables/consent/oura', { consent: 'true' });
    const other = deviceOf(service);
    for (const site of ['cross-site', 'same-site']) {
      const { headers, status } = await other.get('/wearables/connect/oura').set('Sec-Fetch-Site', site);
      assert.deepEqual([status, headers.location], [403, undefined], site);
    }
  });

  it('accepts pushed days and deregistrations only at the secret address', async () => {
    data.on('GET /partner-gateway/rest/user/id', { body: { userId: 'garmin-eva' } });
    await device.get(await callbackOf('garmin')).expect(303);
    const post = (secret: string, body: object) =>
      supertest(service.url).post(`/wearables/push/garmin/${secret}`).send(body);
    const dailies = [
      { userId: 'garmin-eva', calendarDate: today, steps: 7_777 },
      { userId: 'garmin-nobody', calendarDate: today, steps: 1 },
    ];
    await post('x'.repeat(PUSH_SECRET.length), { dailies }).expect(404);
    assert.equal((await connection('garmin')).last_sync_at, null);
    await post(PUSH_SECRET, { dailies }).expect(200, { received: true });
    assert.ok((await connection('garmin')).last_sync_at);
    assert.match((await device.get('/wearables/data').expect(200)).text, /<strong>7,777<\/strong>/);
    // The body exceeds one megabyte, as a push for many people at once can.
    await post(PUSH_SECRET, { dailies: Array(20_000).fill(dailies[1]) }).expect(200);
    await post(PUSH_SECRET, { dailies: 'none', sleeps: [null, 7, { userId: {} }], deregistrations: [{}] }).expect(200);
    await post(PUSH_SECRET, [1]).expect(422);
    const leaves = { deregistrations: [{ userId: 'garmin-eva' }] };
    await post(PUSH_SECRET, leaves).expect(200);
    assert.equal((await connection('garmin')).status, 'connected', 'who left and came back at once stays');
    await sql(
      service,
      "update wearable_connection set connected_at = now() - interval '1 hour' where vendor = 'garmin'",
    );
    await post(PUSH_SECRET, leaves).expect(200);
    assert.equal((await connection('garmin')).status, 'disconnected');
    assert.match((await device.get('/wearables/data').expect(200)).text, /<strong>7,777<\/strong>/);
  });

  it('is revoked when the data of its device are deleted', async () => {
    ouraAnswers({ authorization, data } as Place);
    data.on('POST /revoke', () => ({ body: {} }));
    await device.get(await callbackOf('oura')).expect(303);
    const { hash } = device;
    await device.postForm('/wearables/data/delete-all', {});
    await until(() => data.asked.some(({ path }) => path.startsWith('/revoke')));
    assert.deepEqual(await sql(service, 'select 1 from wearable_connection where device = ?', [hash]), []);
    // The stored revocation goes once the vendor has answered, which is after the request was seen.
    await until(async () => (await sql(service, 'select 1 from wearable_revocation')).length === 0);
  });
});
