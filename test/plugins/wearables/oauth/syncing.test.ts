import assert from 'node:assert/strict';
import { secretsOf } from '#core/secrets.ts';
import { sql } from '../../../support/database.ts';
import { connectedTo, connectionsFor, letIn, type Own, ouraAnswers, today, usePlace } from './connections-support.ts';

const HOUR = 3_600_000;

describe('syncing days from a vendor', () => {
  const place = usePlace();
  const connected = (more: Parameters<typeof connectionsFor>[1] = {}) => connectedTo(place, 'oura', more);

  it('fetches half a year at first, then the last days again, and records the sync', async () => {
    const own = await connected();
    ouraAnswers(place);
    assert.deepEqual(await own.sync('oura'), { outcome: 'synced', days: 1 });
    assert.deepEqual(own.kept, [{ day: today, tz: '', source: 'Oura', origin: 'oura', vitals: { steps: 4_321 } }]);
    const days = ({ start_date = '', end_date = '' }: Readonly<Record<string, string>>) =>
      (Date.parse(end_date) - Date.parse(start_date)) / 86_400_000;
    assert.equal(days(place.data.asked[0]?.query ?? {}), 180);
    place.data.forget();
    ouraAnswers(place);
    await own.sync('oura');
    assert.equal(days(place.data.asked[0]?.query ?? {}), 6);
    const [state] = (await own.connections.list(own.device)).filter(({ vendor }) => vendor === 'oura');
    assert.ok(state?.lastSyncAt && state.retryAt === null);
  });

  it('waits as long as the vendor asks, then backs off exponentially without requests in between', async () => {
    const own = await connected();
    place.data.on('GET /v2/usercollection/sleep', { status: 429, headers: { 'Retry-After': '7200' } });
    const began = Date.now();
    const first = await own.sync('oura');
    assert.ok(first.outcome === 'failed' && first.why === 'busy');
    assert.ok(Math.abs(first.retryAt.getTime() - began - 2 * HOUR) < 10_000);
    const asked = place.data.asked.length;
    assert.equal((await own.sync('oura')).outcome, 'waiting');
    assert.equal(place.data.asked.length, asked);
    assert.deepEqual(await due(own), []);
    place.data.on('GET /v2/usercollection/sleep', { status: 503 });
    const waits: number[] = [];
    for (let time = 0; time < 8; time += 1) {
      own.clock.ahead += 25 * HOUR;
      place.authorization.instead(null);
      const result = await own.sync('oura');
      assert.ok(result.outcome === 'failed');
      waits.push((result.retryAt.getTime() - Date.now() - own.clock.ahead) / HOUR);
    }
    assert.deepEqual(
      waits.map((wait) => Math.round(wait * 2) / 2),
      [0.5, 1, 2, 4, 8, 16, 24, 24],
    );
  });

  const due = async ({ device, connections }: Own) =>
    (await connections.due(1_000)).filter((one) => one.device === device).map(({ vendor }) => vendor);

  it('returns a due connection once until it is synced or ten minutes have passed', async () => {
    const own = await connected();
    ouraAnswers(place);
    assert.deepEqual(await due(own), ['oura']);
    assert.deepEqual(await due(own), []);
    own.clock.ahead = 11 * 60_000;
    assert.deepEqual(await due(own), ['oura']);
    await own.sync('oura');
    own.clock.ahead += 5 * HOUR;
    assert.deepEqual(await due(own), []);
    own.clock.ahead += 2 * HOUR;
    assert.deepEqual(await due(own), ['oura']);
  });

  it('stores nothing when one part of a reply fails, and logs neither token nor value', async () => {
    const own = await connected({ limits: { timeoutMs: 300, maxBytes: 2_000 } });
    for (const [answer, why] of [
      [{ body: '<html>12345 steps</html>', headers: { 'Content-Type': 'text/html' } }, 'unreadable'],
      [{ body: '{"data":[{"steps":12345' }, 'unreadable'],
      [{ status: 500, body: '12345' }, 'busy'],
      [{ status: 302, headers: { Location: '/elsewhere' } }, 'redirected'],
      [{ body: { data: [] }, afterMs: 600 }, 'slow'],
      [{ body: 'x'.repeat(3_000) }, 'too_large'],
      [{ status: 403, body: { steps: 12345 } }, 'refused'],
    ] as const) {
      ouraAnswers(place, 12_345);
      place.data.on('GET /v2/usercollection/daily_spo2', answer);
      const result = await own.sync('oura');
      assert.equal(result.outcome === 'failed' && result.why, why);
      own.clock.ahead = 0;
      await sql(place.service, 'update wearable_connection set blocked_until = null where device = ?', [own.device]);
    }
    assert.deepEqual(own.kept, []);
    const lines = own.lines.join('\n');
    assert.ok(!/12345|12_345|Bearer/.test(lines) && !lines.includes(own.device));
    assert.equal(own.lines.length, 7);
  });

  it('records no sync when the days could not be stored', async () => {
    const own = await connected();
    ouraAnswers(place);
    const full = own.connections.sync(own.device, 'oura', async () => {
      throw new Error('the disk is full');
    });
    await assert.rejects(full, /disk is full/);
    assert.equal((await own.row('oura'))?.last_sync_at, null);
    assert.equal((await own.sync('oura')).outcome, 'synced');
  });

  it('stores nothing for a person who disconnected during the sync', async () => {
    const own = await connected();
    ouraAnswers(place);
    place.data.on('POST /revoke', { body: {} });
    place.data.on(
      'GET /v2/usercollection/sleep',
      letIn(place, async () => {
        assert.equal(await own.connections.disconnect(own.device, 'oura'), true);
        return { body: { data: [] } };
      }),
    );
    assert.deepEqual(await own.sync('oura'), { outcome: 'not-connected' });
    assert.deepEqual(own.kept, []);
  });

  it('stores days that Garmin pushes only for devices connected to that person', async () => {
    const secrets = secretsOf(['the old secret']);
    const [own, other] = [connectionsFor(place, { secrets }), connectionsFor(place, { secrets })];
    place.data.on('GET /partner-gateway/rest/user/id', { body: { userId: 'garmin-anna' } });
    assert.equal((await own.connect('garmin')).completion, 'connected');
    place.data.on('GET /partner-gateway/rest/user/id', { body: { userId: 'garmin-bob' } });
    assert.equal((await other.connect('garmin')).completion, 'connected');
    assert.deepEqual(await own.sync('garmin'), { outcome: 'synced', days: 0 });
    assert.equal((await own.row('garmin'))?.last_sync_at, null, 'nothing has come yet');
    const kept: string[] = [];
    const daily = (userId: string, steps: number) => ({ userId, calendarDate: today, steps });
    const body = { dailies: [daily('garmin-anna', 11), daily('nobody', 12)] };
    const devices = await own.connections.receive('garmin', body, async (_em, device, rows) => {
      kept.push(`${device}:${rows[0]?.vitals.steps}`);
    });
    assert.equal(devices, 1);
    assert.ok((await own.row('garmin'))?.last_sync_at);
    assert.deepEqual(kept, [`${own.device}:11`]);
    assert.ok(!JSON.stringify(await own.row('garmin')).includes('garmin-anna'), 'the row names the person');
    const rotated = connectionsFor(place, { secrets: secretsOf(['the new one', 'the old secret']) });
    assert.equal(await rotated.connections.receive('garmin', body, async () => undefined), 1);
    assert.equal(await rotated.connections.receive('garmin', body, async () => undefined), 1);
    assert.equal(await own.connections.receive('garmin', body, async () => undefined), 0);
  });
});
