/**
 * Lists every public write route with its protection against abuse. A new route fails here until it has an entry, and
 * each entry is then tested over HTTP.
 */
import { strict as assert } from 'node:assert';
import { coreErrors } from '#core/errors.ts';
import type { Route } from '#core/plugin.ts';
import { plugins } from '../../plugins/index.ts';
import { sql } from '../support/database.ts';
import { type SharedService, sharedService } from '../support/shared.ts';

/**
 * The limit of a route: `throttle`, a fixed count per route and address; `quota`, the quota of the key or address; `own`,
 * the route only changes or removes data of the caller's device and creates nothing; `secret`, its URL contains a secret.
 */
type Bound = 'throttle' | 'quota' | 'own' | 'secret';

/** `makes` marks a route that creates a device to own the stored data. Other routes never set a cookie. */
interface Entry {
  readonly bound: Bound;
  readonly makes?: true;
}

const own: Entry = { bound: 'own' };
const quota: Entry = { bound: 'quota' };
const throttled: Entry = { bound: 'throttle' };
const making: Entry = { bound: 'throttle', makes: true };

const ENTRIES: Readonly<Record<string, Entry>> = {
  'POST /my-data/phrase': throttled,
  'POST /my-data/move': making,
  'POST /my-data/delete-all': own,
  'POST /api/interactions/check': quota,
  'POST /api/label-image/{image_id}/vote': making,
  'POST /api/label-image/{dsld_id}/set-primary/{image_id}': making,
  'POST /api/label-image/{image_id}/report': making,
  'POST /blood-test/upload': making,
  'POST /urine-test/upload': making,
  'POST /lab-test/upload': making,
  'POST /blood-test/reports': making,
  'POST /blood-test/reports/{report_id}/review': own,
  'POST /blood-test/clear': own,
  'POST /blood-test/reports/{report_id}/delete': own,
  'POST /blood-test/reports/delete-all': own,
  'POST /urine-test/reports': making,
  'POST /urine-test/reports/{report_id}/review': own,
  'POST /urine-test/clear': own,
  'POST /urine-test/reports/{report_id}/delete': own,
  'POST /urine-test/reports/delete-all': own,
  'POST /blood-test/supplement-log': making,
  'POST /blood-test/supplement-log/{log_id}/stop': own,
  'POST /blood-test/supplement-log/{log_id}/delete': own,
  'POST /urine-test/supplement-log': making,
  'POST /urine-test/supplement-log/{log_id}/stop': own,
  'POST /urine-test/supplement-log/{log_id}/delete': own,
  'POST /blood-test/import': making,
  'POST /urine-test/import': making,
  'POST /wearables/phone-health': making,
  'POST /wearables/apple-health': making,
  'POST /wearables/phone-health/parts': making,
  'PATCH /wearables/phone-health/parts/{id}': throttled,
  'DELETE /wearables/phone-health/parts/{id}': throttled,
  'POST /wearables/data/delete-wearable-data': own,
  'POST /wearables/data/delete-all': own,
  'POST /wearables/consent/{vendor_slug}': making,
  'POST /wearables/disconnect/{vendor_slug}': own,
  'POST /wearables/push/garmin/{secret}': { bound: 'secret' },
  'POST /api/answers/{answer_id}/rerun': throttled,
  'POST /chat': making,
  'POST /chat/ask/stream': making,
  'POST /answers/{answer_id}/rerun': making,
  'POST /answers/{answer_id}/delete': own,
  'POST /developers/dashboard': throttled,
  'POST /developers/sandbox': throttled,
  'POST /mcp': quota,
  'POST /api/feedback': making,
  'POST /api/chat/feedback': making,
};

/** The methods that write; HEAD and OPTIONS do not. */
const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const isPublicWrite = ({ method, access }: Route): boolean =>
  WRITES.has(method) && (access === 'public' || access === 'limited');
const openToRead = new Set(
  plugins
    .flatMap((plugin) => (plugin.routes ?? []) as readonly Route[])
    .filter(({ method, access }) => method === 'GET' && (access === 'public' || access === 'limited'))
    .map(({ path }) => path),
);
const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
const routes = plugins.flatMap((plugin) => (plugin.routes ?? []) as readonly Route[]).filter(isPublicWrite);

/** Fills the path parameters with ids that do not exist. */
const addressOf = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) =>
    /image_id|dsld_id|log_id/.test(name) ? '2000000000' : 'x'.repeat(40),
  );

let addresses = 0;
/** Returns an unused address, because throttles count per address. */
const newAddress = (): string => {
  addresses += 1;
  return `203.0.${113 + Math.trunc(addresses / 250)}.${1 + (addresses % 250)}`;
};

describe('public write routes', () => {
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });

  const send = (route: Route, body: string | Buffer | undefined, headers: Readonly<Record<string, string>>) =>
    fetch(`${service.url}${addressOf(route.path)}`, {
      method: route.method,
      redirect: 'manual',
      headers: { 'X-Forwarded-For': newAddress(), ...headers },
      ...(body !== undefined && { body }),
    });

  /** Counts the rows of all tables except those that count requests. */
  const rowsOf = async (): Promise<Readonly<Record<string, number>>> => {
    const tables = await sql(
      service,
      "select tablename from pg_tables where schemaname = 'public' and tablename !~ '^(quota|throttle|key_usage|usage|lease)' order by 1",
    );
    const all = tables.map(({ tablename }) => `select '${tablename}' as name, count(*)::int as n from "${tablename}"`);
    const counts = await sql(service, all.join(' union all '));
    return Object.fromEntries(counts.map(({ name, n }) => [String(name), Number(n)]));
  };

  it('are exactly the routes listed in ENTRIES', () => {
    assert.deepEqual(routes.map(nameOf).sort(), Object.keys(ENTRIES).sort());
  });

  it('have the limit that their entry declares', () => {
    for (const route of routes) {
      const { bound, makes } = ENTRIES[nameOf(route)] ?? own;
      const name = nameOf(route);
      assert.equal(route.device === 'make', makes === true, `${name} makes a device`);
      assert.equal(route.throttle !== undefined, bound === 'throttle', `${name} is throttled`);
      if (bound === 'quota') assert.equal(route.access, 'limited', name);
      if (bound === 'secret') assert.match(route.path, /\{secret\}$/, name);
    }
  });

  for (const route of routes) {
    const name = nameOf(route);
    const entry = ENTRIES[name] ?? own;

    it(`${name} refuses cross-site requests with 403`, async () => {
      const before = await rowsOf();
      const foreign: readonly Readonly<Record<string, string>>[] = [
        { Origin: 'https://elsewhere.test' },
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'same-site' },
        { Origin: 'null' },
      ];
      for (const headers of foreign) {
        const reply = await send(route, '{}', { 'Content-Type': 'text/plain', ...headers });
        assert.equal(reply.status, 403, JSON.stringify(headers));
        assert.equal(reply.headers.get('Set-Cookie'), null);
        // A publicly readable path sends the CORS header on refusals too.
        if (!openToRead.has(route.path)) assert.equal(reply.headers.get('Access-Control-Allow-Origin'), null);
      }
      assert.deepEqual(await rowsOf(), before);
    });

    it(`${name} refuses wrong media types and malformed or oversized bodies without storing anything`, async () => {
      const before = await rowsOf();
      const large = Buffer.alloc((route.maxBodyBytes ?? 1_048_576) + 1_024, 'a');
      const cases: readonly (readonly [string, string | Buffer])[] = [
        ['text/xml', '<a/>'],
        ['application/json', '{"broken'],
        ['application/json', '[[[[]]]]'],
        ['application/json', '{"__proto__":{"a":1},"constructor":{"prototype":{}}}'],
        ['multipart/form-data; boundary=x', '--x\r\nbroken'],
        ['application/json', Buffer.concat([Buffer.from('{"a":"'), large, Buffer.from('"}')])],
      ];
      for (const [type, body] of cases) {
        const reply = await send(route, body, { 'Content-Type': type, Accept: 'application/json' });
        const text = await reply.text();
        // A route without a body ignores whatever is sent, but still must not create anything.
        if (route.request.body || route.upload || route.stream)
          assert.ok(reply.status >= 400, `${type} ${reply.status}`);
        assert.ok(reply.status < 500, `${type} ${body.length}: ${reply.status} ${text.slice(0, 200)}`);
        if (reply.status >= 400 || !entry.makes)
          assert.equal(reply.headers.get('Set-Cookie'), null, `${type} ${reply.status}`);
      }
      assert.deepEqual(await rowsOf(), before);
    });

    if (entry.bound === 'throttle')
      it(`${name} returns 429 above its throttle limit`, async () => {
        const from = {
          'X-Forwarded-For': newAddress(),
          'Content-Type': 'application/json',
          Accept: 'application/json',
        };
        const { perMinute = 0, bucket } = route.throttle ?? {};
        for (let at = 0; at < perMinute; at += 1) {
          const reply = await send(route, '{"broken', from);
          await reply.body?.cancel();
          assert.notEqual(reply.status, 429, `${at} of ${perMinute}`);
        }
        const refused = await send(route, '{"broken', from);
        assert.equal(refused.status, 429);
        assert.ok(Number(refused.headers.get('Retry-After')) >= 1);
        if (!route.isForPrograms && route.path.startsWith('/api/'))
          assert.deepEqual(((await refused.json()) as Record<string, unknown>)['violated-policies'], [bucket]);
      });

    if (entry.bound === 'own')
      it(`${name} creates nothing for a device without data, and no device for a caller without one`, async () => {
        const before = await rowsOf();
        const cookies: readonly Readonly<Record<string, string>>[] = [{}, { Cookie: `ekb_device=${'A'.repeat(43)}` }];
        for (const cookie of cookies)
          for (const body of ['', 'confirm=yes&confirmed=true']) {
            const reply = await send(route, body, { 'Content-Type': 'application/x-www-form-urlencoded', ...cookie });
            await reply.text();
            assert.ok(reply.status < 500, String(reply.status));
            assert.doesNotMatch(reply.headers.get('Set-Cookie') ?? '', /ekb_device=[A-Za-z0-9_-]/);
          }
        assert.deepEqual(await rowsOf(), before);
      });

    if (entry.bound === 'secret')
      it(`${name} returns 404 for a wrong secret`, async () => {
        const reply = await send(route, '{}', { 'Content-Type': 'application/json' });
        assert.equal(reply.status, 404);
      });

    if (entry.bound === 'quota')
      it(`${name} sends the RateLimit-Policy header of its quota`, async () => {
        const reply = await send(route, '{}', { 'Content-Type': 'application/json' });
        assert.match(reply.headers.get('RateLimit-Policy') ?? '', /"minute"/);
      });
  }

  it('share the error code cross_site_request with status 403', () => {
    assert.equal(coreErrors.cross_site_request().status, 403);
  });
});
