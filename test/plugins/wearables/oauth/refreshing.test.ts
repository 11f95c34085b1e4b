import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { createConnections } from '#plugins/wearables/oauth/connections.ts';
import { sql } from '../../../support/database.ts';
import {
  configOf,
  connectedTo,
  connectionsFor,
  letIn,
  ouraAnswers,
  settingsAt,
  usePlace,
} from './connections-support.ts';

const HOUR = 3_600_000;

describe('refreshing a token', () => {
  const place = usePlace();
  const connected = (more: Parameters<typeof connectionsFor>[1] = {}) => connectedTo(place, 'oura', more);

  it('refreshes an expired token once for concurrent syncs', async () => {
    const own = await connected();
    ouraAnswers(place);
    own.clock.ahead = 2 * HOUR;
    const before = place.authorization.tokenRequests();
    const results = await Promise.all([own.sync('oura'), own.sync('oura'), own.sync('oura')]);
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['synced', 'synced', 'synced'],
    );
    assert.equal(place.authorization.tokenRequests() - before, 1);
    // A refresh token that was used twice would have ended the grant.
    own.clock.ahead = 4 * HOUR;
    assert.equal((await own.sync('oura')).outcome, 'synced');
    assert.equal((await own.row('oura'))?.token_revision, 3);
  });

  it('refreshes once for concurrent syncs of two servers', async () => {
    const own = await connected();
    ouraAnswers(place);
    const { db, secrets, log } = place.service.runtime;
    const now = () => Date.now() + 2 * HOUR;
    const servers = [1, 2].map(() => createConnections({ db, secrets, log, now, config: configOf(settingsAt(place)) }));
    const before = place.authorization.tokenRequests();
    const results = await Promise.all(servers.map((server) => server.sync(own.device, 'oura', async () => undefined)));
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['synced', 'synced'],
    );
    assert.equal(place.authorization.tokenRequests() - before, 1);
  });

  it('does not block the database while the vendor is slow to refresh', async () => {
    const own = await connected({ limits: { timeoutMs: 1_500 } });
    ouraAnswers(place);
    own.clock.ahead = 2 * HOUR;
    let isAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    place.authorization.instead(() => isAsked());
    let isOver = false;
    const syncing = own.sync('oura').finally(() => {
      isOver = true;
    });
    await asked;
    await sql(place.service, 'select 1');
    assert.equal(isOver, false, 'the database waited for the vendor');
    assert.deepEqual((await syncing).outcome, 'failed');
    place.authorization.instead(null);
    own.clock.ahead = 3 * HOUR;
    assert.equal((await own.sync('oura')).outcome, 'synced', 'a refresh that failed is no end');
  });

  it('refreshes a token that the data API rejects, and repeats the request', async () => {
    const own = await connected();
    ouraAnswers(place);
    await own.sync('oura');
    await place.authorization.expire(place.data.asked[0]?.authorization ?? '');
    assert.equal((await own.sync('oura')).outcome, 'synced');
    assert.equal((await own.row('oura'))?.token_revision, 2);
  });

  it('requires reauthorization only after invalid_grant for the token in the row', async () => {
    const own = await connected();
    ouraAnswers(place);
    own.clock.ahead = 2 * HOUR;
    const dead =
      (error: string, status = 400) =>
      (reply: ServerResponse) =>
        void reply.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error }));
    for (const [answer, why] of [
      [dead('invalid_client', 401), 'refused'],
      [dead('temporarily_unavailable', 503), 'busy'],
    ] as const) {
      place.authorization.instead(answer);
      const result = await own.sync('oura');
      assert.equal(result.outcome === 'failed' && result.why, why);
      assert.equal((await own.row('oura'))?.status, 'connected');
      own.clock.ahead += 2 * HOUR;
    }
    // The person reconnects while the old token is being rejected.
    let began: () => void = () => undefined;
    const refreshing = new Promise<void>((resolve) => {
      began = resolve;
    });
    place.authorization.instead((reply) => {
      began();
      setTimeout(() => dead('invalid_grant')(reply), 400);
    });
    const syncing = own.sync('oura');
    await refreshing;
    place.authorization.instead(null);
    assert.equal((await own.connect('oura')).completion, 'connected');
    assert.equal((await syncing).outcome, 'synced');
    assert.equal((await own.row('oura'))?.status, 'connected');
  });

  it('requires reauthorization after a revocation at the vendor, and works again after reconnecting', async () => {
    const own = await connected();
    ouraAnswers(place);
    place.authorization.takeBack();
    own.clock.ahead = 2 * HOUR;
    assert.deepEqual(await own.sync('oura'), { outcome: 'needs_reauth' });
    const [state] = (await own.connections.list(own.device)).filter(({ vendor }) => vendor === 'oura');
    assert.equal(state?.status, 'needs_reauth');
    const before = place.authorization.tokenRequests();
    assert.deepEqual(await own.sync('oura'), { outcome: 'needs_reauth' });
    assert.equal(place.authorization.tokenRequests(), before, 'a dead grant was tried again');
    assert.equal((await own.connect('oura')).completion, 'connected');
    assert.equal((await own.sync('oura')).outcome, 'synced');
  });

  it('refreshes once per sync, even when the vendor’s tokens expire immediately', async () => {
    const own = await connected();
    let access = 0;
    const brief = (reply: ServerResponse) => {
      access += 1;
      const body = {
        token_type: 'bearer',
        access_token: `brief-${access}`,
        refresh_token: `next-${access}`,
        expires_in: 5,
      };
      reply.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    };
    place.authorization.instead(brief);
    for (const name of ['sleep', 'daily_spo2', 'vO2_max', 'daily_activity']) {
      place.data.on(`GET /v2/usercollection/${name}`, { body: { data: [] } });
    }
    own.clock.ahead = 2 * HOUR;
    for (let time = 1; time <= 2; time += 1) {
      assert.equal((await own.sync('oura')).outcome, 'synced');
      assert.equal(access, time);
    }
  });

  it('uses the Withings protocol: signed calls, wrapped replies, comma-separated scopes, rotating tokens', async () => {
    const own = connectionsFor(place);
    place.data.on('POST /v2/signature', ({ body }) => ({ body: { status: 0, body: { nonce: `n${body.timestamp}` } } }));
    const wrapped = letIn(place, () => ({ body: { status: 0, body: {} } }));
    for (const path of ['/measure', '/v2/measure', '/v2/sleep']) place.data.on(`POST ${path}`, wrapped);
    assert.equal((await own.connect('withings')).completion, 'connected');
    const [state] = (await own.connections.list(own.device)).filter(({ vendor }) => vendor === 'withings');
    assert.deepEqual(state?.scopes, ['user.metrics', 'user.activity', 'user.sleepevents']);
    own.clock.ahead = 4 * HOUR;
    assert.deepEqual(await own.sync('withings'), { outcome: 'synced', days: 0 });
    assert.equal((await own.row('withings'))?.token_revision, 2);
    place.authorization.takeBack();
    own.clock.ahead = 8 * HOUR;
    assert.deepEqual(await own.sync('withings'), { outcome: 'needs_reauth' });
  });

  it('requires reauthorization when a token without a refresh token is rejected', async () => {
    const own = connectionsFor(place);
    place.data.on('POST /v3/users', { body: {} });
    place.authorization.instead(
      (reply) =>
        void reply.writeHead(200, { 'Content-Type': 'application/json' }).end(
          JSON.stringify({
            access_token: 'for-ten-years',
            token_type: 'bearer',
            expires_in: 315_359_999,
            x_user_id: 10_129,
          }),
        ),
    );
    assert.equal((await own.connect('polar')).completion, 'connected');
    assert.equal((await own.sync('polar')).outcome, 'synced');
    place.data.on('GET /v3/users/sleep', { status: 401 });
    assert.deepEqual(await own.sync('polar'), { outcome: 'needs_reauth' });
    assert.equal((await own.row('polar'))?.status, 'needs_reauth');
  });
});
