import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { createConnections } from '#plugins/wearables/oauth/connections.ts';
import { countOf, sql } from '../../../support/database.ts';
import { BASE_URL } from './authorization-server.ts';
import { configOf, connectionsFor, settingsAt, usePlace } from './connections-support.ts';

describe('connecting a vendor', () => {
  const place = usePlace();
  const statusOf = async ({ device, connections }: ReturnType<typeof connectionsFor>, vendor: string) =>
    (await connections.list(device)).find((state) => state.vendor === vendor)?.status;

  it('completes the flow from pending to connected, with the granted scopes', async () => {
    const own = connectionsFor(place);
    const { device, connections } = own;
    assert.equal(await statusOf(own, 'oura'), 'disconnected');
    const begun = await connections.begin(device, 'oura');
    assert.ok(typeof begun === 'object');
    assert.equal(await statusOf(own, 'oura'), 'pending');
    const asked = Object.fromEntries(new URL(begun.url).searchParams);
    assert.match(asked.state ?? '', /^[\w-]{43}$/);
    assert.deepEqual(asked, {
      response_type: 'code',
      client_id: 'oura-client',
      redirect_uri: `${BASE_URL}/wearables/callback/oura`,
      state: asked.state,
      scope: 'daily spo2 heart_health',
    });
    const callback = await place.authorization.walk(begun.url);
    assert.equal(await connections.complete(device, 'oura', callback), 'connected');
    const [state] = (await connections.list(device)).filter(({ vendor }) => vendor === 'oura');
    assert.equal(state?.status, 'connected');
    assert.deepEqual(state?.scopes, ['daily', 'spo2', 'heart_health']);
    assert.ok(state?.connectedAt && state.metrics.includes('hrv_rmssd_ms'));
  });

  it('sends a PKCE challenge where the vendor accepts one, and completes with the verifier', async () => {
    const own = connectionsFor(place);
    const begun = await own.connections.begin(own.device, 'google-health');
    const asked = new URL((begun as { url: string }).url).searchParams;
    assert.match(asked.get('code_challenge') ?? '', /^[\w-]{43}$/);
    assert.equal(asked.get('code_challenge_method'), 'S256');
    assert.equal(asked.get('access_type'), 'offline');
    assert.equal((await own.connect('google-health')).completion, 'connected');
  });

  it('stores states and tokens unreadable to anyone who has only the database', async () => {
    const own = connectionsFor(place);
    const begun = await own.connections.begin(own.device, 'oura');
    const state = new URL((begun as { url: string }).url).searchParams.get('state') ?? '';
    const hash = createHash('sha256').update(state).digest('hex');
    assert.equal(await countOf(place.service, 'wearable_oauth_state where state_hash = ?', [hash]), 1);
    place.data.on('GET /v2/usercollection/sleep', { body: { data: [] } });
    await own.connect('oura');
    await own.sync('oura');
    const token = place.data.asked[0]?.authorization.replace('Bearer ', '') ?? '';
    assert.ok(token.length > 20 && (await place.authorization.accepts(token)));
    const rows = await sql(
      place.service,
      "select encode(sealed, 'escape') as bytes, c::text as row from wearable_connection c where device = ?",
      [own.device],
    );
    assert.equal(rows.length, 1);
    for (const text of Object.values(rows[0] ?? {}).map(String)) {
      assert.ok(
        !text.includes(token) && !/access|refresh/.test(text.replace('refresh_claimed', '')),
        'the row holds a token in the clear',
      );
    }
    const whole = JSON.stringify(own.lines);
    for (const secret of [token, state, 'oura-secret']) assert.ok(!whole.includes(secret), 'the log holds a secret');
  });

  it('rejects a state that was already used, and the connection remains', async () => {
    const own = connectionsFor(place);
    const { completion, callback } = await own.connect('oura');
    assert.equal(completion, 'connected');
    const before = place.authorization.tokenRequests();
    assert.equal(await own.connections.complete(own.device, 'oura', callback), 'bad-state');
    assert.equal(place.authorization.tokenRequests(), before, 'the code was sent again');
    assert.equal(await statusOf(own, 'oura'), 'connected');
  });

  it('rejects a state of another device or vendor, and an unknown, missing or expired state', async () => {
    const [own, other] = [connectionsFor(place), connectionsFor(place)];
    const begin = async () => {
      const begun = await own.connections.begin(own.device, 'oura');
      return place.authorization.walk((begun as { url: string }).url);
    };
    const before = place.authorization.tokenRequests();
    const stolen = await begin();
    assert.equal(await other.connections.complete(other.device, 'oura', stolen), 'bad-state');
    assert.equal(await own.connections.complete(own.device, 'oura', stolen), 'bad-state', 'it was shown elsewhere');
    assert.equal(await own.connections.complete(own.device, 'whoop', await begin()), 'bad-state');
    assert.equal(await own.connections.complete(null, 'oura', await begin()), 'bad-state');
    assert.equal(await own.connections.complete(own.device, 'oura', { code: 'x', state: 'made up' }), 'bad-state');
    assert.equal(await own.connections.complete(own.device, 'oura', { code: 'x' }), 'bad-state');
    const late = await begin();
    own.clock.ahead = 16 * 60_000;
    assert.equal(await own.connections.complete(own.device, 'oura', late), 'bad-state');
    assert.equal(place.authorization.tokenRequests(), before);
    assert.equal(
      await countOf(place.service, 'wearable_connection where device in (?, ?)', [own.device, other.device]),
      0,
    );
  });

  it('reports who denied access, and deletes the state', async () => {
    const own = connectionsFor(place);
    const begun = await own.connections.begin(own.device, 'oura');
    const callback = await place.authorization.walk((begun as { url: string }).url, 'no');
    assert.equal(callback.error, 'access_denied');
    assert.deepEqual(await own.connections.complete(own.device, 'oura', callback), {
      refused: 'by-person',
    });
    assert.equal(await statusOf(own, 'oura'), 'disconnected');
    const odd = await own.connections.complete(own.device, 'oura', { error: '<script>' });
    assert.deepEqual(odd, { refused: 'by-vendor' });
  });

  it('does not connect when the token endpoint fails: 500, HTML, redirect, timeout, oversize, invalid_grant', async () => {
    const own = connectionsFor(place, { limits: { timeoutMs: 200, maxBytes: 2_000 } });
    const { authorization } = place;
    const cases: [string, (reply: ServerResponse) => void][] = [
      ['busy', (reply) => void reply.writeHead(500).end('<h1>secret</h1>')],
      ['unreadable', (reply) => void reply.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>secret</h1>')],
      [
        'unreadable',
        (reply) => void reply.writeHead(200, { 'Content-Type': 'application/json' }).end('{"access_token":"secret'),
      ],
      ['redirected', (reply) => void reply.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end()],
      ['slow', () => undefined],
      [
        'too_large',
        (reply) => void reply.writeHead(200, { 'Content-Type': 'application/json' }).end(`"${'x'.repeat(3_000)}"`),
      ],
      [
        'invalid_grant',
        (reply) =>
          void reply
            .writeHead(400, { 'Content-Type': 'application/json' })
            .end('{"error":"invalid_grant","error_description":"secret"}'),
      ],
    ];
    for (const [failed, answer] of cases) {
      authorization.instead(answer);
      const { completion } = await own.connect('oura');
      authorization.instead(null);
      assert.deepEqual(completion, { failed });
    }
    assert.equal(await statusOf(own, 'oura'), 'disconnected');
    assert.ok(!JSON.stringify(own.lines).includes('secret'));
    assert.equal(own.lines.length, cases.length);
  });

  it('rejects tokens that are invalid in a header without logging them, and caps the lifetime at ten years', async () => {
    const own = connectionsFor(place);
    const token = (members: object) => (reply: ServerResponse) =>
      void reply
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ token_type: 'bearer', access_token: 'good-token', ...members }));
    for (const members of [{ access_token: 'bad\ntoken' }, { refresh_token: 'bad token' }, { access_token: 5 }]) {
      place.authorization.instead(token(members));
      const { completion } = await own.connect('oura');
      assert.deepEqual(completion, { failed: 'unreadable' });
    }
    assert.ok(!own.lines.join().includes('bad'));
    place.authorization.instead(token({ expires_in: 1e300, scope: `daily ${'x'.repeat(500)}` }));
    assert.equal((await own.connect('oura')).completion, 'connected');
    const row = await own.row('oura');
    assert.equal(new Date(row?.expires_at as string).getUTCFullYear() - new Date().getUTCFullYear(), 10);
    assert.deepEqual(row?.scopes, ['daily']);
  });

  it('stores at most ten flows per device, and deletes expired ones', async () => {
    const own = connectionsFor(place);
    for (let flow = 0; flow < 12; flow += 1) await own.connections.begin(own.device, 'oura');
    const states = () => countOf(place.service, 'wearable_oauth_state where device = ?', [own.device]);
    assert.equal(await states(), 10);
    own.clock.ahead = 16 * 60_000;
    assert.equal(await statusOf(own, 'oura'), 'disconnected');
    await own.connections.begin(own.device, 'oura');
    assert.equal(await states(), 1);
  });

  describe('strictness of the test authorization server', () => {
    const ask = async (vendor: string, fields: Record<string, string>) => {
      const client = { client_id: `${vendor}-client`, client_secret: `${vendor}-secret` };
      const body = new URLSearchParams({ ...client, ...fields });
      const response = await fetch(`${place.authorization.url}/token`, { method: 'POST', body });
      return (await response.json()) as { error?: string; refresh_token: string };
    };
    const codeFor = async (vendor: 'google-health' | 'oura') => {
      const { connections, device } = connectionsFor(place);
      const begun = await connections.begin(device, vendor);
      const { code = '' } = await place.authorization.walk((begun as { url: string }).url);
      return { grant_type: 'authorization_code', code, redirect_uri: `${BASE_URL}/wearables/callback/${vendor}` };
    };

    it('rejects a flow without a challenge, and a code with another verifier', async () => {
      const { connections, device } = connectionsFor(place);
      const begun = await connections.begin(device, 'google-health');
      const url = new URL((begun as { url: string }).url);
      for (const name of ['code_challenge', 'code_challenge_method']) url.searchParams.delete(name);
      assert.equal((await place.authorization.walk(url.href)).error, 'invalid_request');
      const guessed = { ...(await codeFor('google-health')), code_verifier: 'x'.repeat(43) };
      assert.equal((await ask('google-health', guessed)).error, 'invalid_grant');
    });

    it('ends the grant when a refresh token is reused', async () => {
      const first = await ask('oura', await codeFor('oura'));
      const refresh = (token: string) => ask('oura', { grant_type: 'refresh_token', refresh_token: token });
      const second = await refresh(first.refresh_token);
      assert.notEqual(second.refresh_token, first.refresh_token);
      assert.equal((await refresh(first.refresh_token)).error, 'invalid_grant');
      assert.equal((await refresh(second.refresh_token)).error, 'invalid_grant');
    });
  });

  it('registers a person with Polar, and revokes a grant that could not be registered', async () => {
    const own = connectionsFor(place);
    place.data.on('POST /v3/users', { body: {} });
    assert.equal((await own.connect('polar')).completion, 'connected');
    place.data.on('POST /v3/users', { status: 403 });
    const other = connectionsFor(place);
    const { completion } = await other.connect('polar');
    assert.deepEqual(completion, { failed: 'refused' });
    assert.equal(await other.row('polar'), undefined);
    assert.ok((await countOf(place.service, "wearable_revocation where vendor = 'polar'")) >= 1);
  });

  it('is unavailable without a client, and discontinued for Fitbit', async () => {
    const own = connectionsFor(place, { settings: { BASE_URL } });
    assert.equal(await own.connections.begin(own.device, 'oura'), 'not-configured');
    assert.equal(await own.connections.begin(own.device, 'fitbit'), 'service-ended');
    const states = await own.connections.list(null);
    assert.deepEqual(new Set(states.map(({ status }) => status)), new Set(['not_configured']));
    assert.ok(!states.some(({ vendor }) => vendor === 'fitbit'));
    assert.equal(await countOf(place.service, 'wearable_oauth_state where device = ?', [own.device]), 0);
  });

  it('throws a readable error when WEARABLE_ENDPOINTS is invalid', () => {
    const { db, secrets, log } = place.service.runtime;
    for (const [text, words] of [
      ['{', /not JSON/],
      ['{"nokia":{}}', /no vendor nokia/],
      ['{"oura":{"home":"http://x"}}', /oura has no home/],
      ['{"oura":{"data":"ftp://x"}}', /oura\.data is no http/],
    ] as const) {
      const config = configOf({ ...settingsAt(place), WEARABLE_ENDPOINTS: text });
      assert.throws(() => createConnections({ db, secrets, log, config }), words);
    }
  });
});
