/** Tests quotas and throttles shared by two nodes: with Redis, with PostgreSQL alone, and during a Redis outage. */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { api, bearer, type IssuedKey, issueKey } from '../../support/client.ts';
import { countOf, sql } from '../../support/database.ts';
import { lookIntoRedis, needRedis, type RedisGate, redisGate } from '../../support/redis.ts';
import { type SecondServer, startSecondServer } from '../../support/second-server.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService, startBeside } from '../../support/shared.ts';

type Tally = Record<number, number>;

const tally = (statuses: readonly number[]): Tally => {
  const counts: Tally = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** Sends all requests concurrently, to the nodes in turn. */
const send = (urls: readonly string[], count: number, init: RequestInit, path: string): Promise<Response>[] =>
  Array.from({ length: count }, (_, at) => fetch(`${urls[at % urls.length]}${path}`, init));

const sendMany = async (urls: readonly string[], count: number, init: RequestInit, path: string): Promise<Tally> =>
  tally((await Promise.all(send(urls, count, init, path))).map(({ status }) => status));

const withKey = ({ key }: IssuedKey) => ({ headers: { Authorization: `Bearer ${key}` } });

let lastAddress = 0;
/** Returns a client address that no other test uses. */
const newAddress = (): string => {
  lastAddress += 1;
  return `203.0.113.${100 + lastAddress}`;
};

const feedbackFrom = (address: string): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
  body: JSON.stringify({ category: 'error', message: 'The dose of magnesium is wrong.' }),
});

const wrongKeyFrom = (address: string): RequestInit => ({
  headers: { Authorization: 'Bearer guess', 'X-Forwarded-For': address },
});

const countersOf = async (service: TestService): Promise<string | undefined> => {
  const { body } = await api(service).get('/api/health').expect(200);
  return body.checks.counters;
};

const untilCounters = async (service: TestService, state: string): Promise<void> => {
  while ((await countersOf(service)) !== state) await sleep(50);
};

describe('limits of two nodes with one Redis', () => {
  let [service, admin, other]: [TestService, IssuedKey, SecondServer] | [] = [];
  let gate: RedisGate;
  let redis: Redis;
  const lines: string[] = [];
  before(async function () {
    needRedis(this);
    gate = await redisGate();
    redis = lookIntoRedis();
    const shared = await sharedService();
    admin = shared.admin;
    // The tests check counts, not latency, so the timeout allows for a busy machine.
    const settings = {
      ...{ REDIS_URL: gate.url, REDIS_PATIENCE_MS: '5000' },
      ...{ TRUSTED_PROXIES: '127.0.0.1', ANON_RPM: '100000', ANON_DAILY: '100000' },
    };
    service = await startBeside(shared, { settings, onLog: (line) => lines.push(line) });
    other = await startSecondServer(service.environment);
  });
  after(async () => {
    await other?.stop();
    await service?.stop();
    await gate?.close();
    redis?.disconnect();
  });

  const urls = () => [service?.url ?? '', other?.url ?? ''];
  /** Returns a key whose quota windows do not end during a test. */
  const keyWith = async (limits: object): Promise<IssuedKey> => {
    const key = await issueKey(service as TestService, admin as IssuedKey, limits);
    await fetch(`${service?.url}/api/keys/me`, withKey(key));
    const [name = ''] = await redis.keys(`*quota:key:${key.id}`);
    const [seconds] = await redis.time();
    const [minute, day] = [60, 86_400].map((length) => Number(seconds) - (Number(seconds) % length) + length);
    await redis.hset(name, { minute: minute ?? 0, minute_used: 0, day: day ?? 0, day_used: 0 });
    return key;
  };

  it('let exactly 20 of 60 concurrent calls through at 20 a minute', async () => {
    const key = await keyWith({ rpm_limit: 20 });
    assert.deepEqual(await sendMany(urls(), 60, withKey(key), '/api/keys/me'), { 200: 20, 429: 40 });
    assert.equal(await countOf(service as TestService, 'quota_window where subject = ?', [`key:${key.id}`]), 0);
  });

  it('let exactly 20 of 60 concurrent calls through at 20 a day', async () => {
    const key = await keyWith({ rpm_limit: 1_000, daily_limit: 20 });
    assert.deepEqual(await sendMany(urls(), 60, withKey(key), '/api/keys/me'), { 200: 20, 429: 40 });
  });

  it('are reported in the headers and by /api/keys/me with the same numbers', async () => {
    const key = await keyWith({ rpm_limit: 20, daily_limit: 500 });
    const reply = await api(service as TestService)
      .get('/api/keys/me')
      .set(...bearer(key.key))
      .expect(200);
    assert.deepEqual([reply.body.usage.minute.used, reply.body.usage.day.used], [1, 1]);
    assert.match(reply.get('RateLimit') ?? '', /^"minute";r=19;t=\d+, "day";r=499;t=\d+$/);
    assert.match(reply.body.usage.day.resets_at, /T00:00:00\.000Z$/);
  });

  it('reset with the next minute, while the day continues', async () => {
    const key = await keyWith({ rpm_limit: 1 });
    await sendMany(urls(), 2, withKey(key), '/api/keys/me');
    const [name = ''] = await redis.keys(`*quota:key:${key.id}`);
    await redis.hset(name, { minute: 60 });
    const reply = await fetch(`${other?.url}/api/sources?page_size=1`, withKey(key));
    assert.equal(reply.status, 200);
    assert.deepEqual(await redis.hmget(name, 'minute_used', 'day_used'), ['1', '3']);
  });

  it('set an expiry of at most two days on every counter, and store no addresses', async () => {
    const names = await redis.keys('ekb:*');
    const lives = await Promise.all(names.map((name) => redis.pttl(name)));
    assert.ok(names.length > 0);
    assert.ok(lives.every((left) => left > 0 && left <= 2 * 86_400_000));
    assert.ok(names.every((name) => !/127\.0|203\.0/.test(name)));
  });

  it('count a throttle once for both nodes: five messages a minute from one address', async () => {
    assert.deepEqual(await sendMany(urls(), 12, feedbackFrom(newAddress()), '/api/feedback'), { 200: 5, 429: 7 });
  });

  it('count wrong keys once for both nodes, and return 429 in bucket auth from the 31st on', async () => {
    const address = newAddress();
    assert.deepEqual(await sendMany(urls(), 40, wrongKeyFrom(address), '/api/keys/me'), { 401: 30, 429: 10 });
    const reply = await fetch(`${service?.url}/api/keys/me`, wrongKeyFrom(address));
    const body = (await reply.json()) as Record<string, unknown>;
    assert.equal(body.detail, 'Quota exceeded (auth): 31/30');
    assert.deepEqual(body['violated-policies'], ['auth']);
  });

  it('fall back to the database when Redis disconnects under load, with only 200 and 429 responses', async () => {
    const key = await keyWith({ rpm_limit: 20 });
    const begun = send(urls(), 40, withKey(key), '/api/keys/me');
    await Promise.any(begun);
    await gate.close();
    const counts = tally((await Promise.all(begun)).map(({ status }) => status));
    const more = await sendMany(urls(), 40, withKey(key), '/api/keys/me');
    assert.deepEqual(Object.keys({ ...counts, ...more }).sort(), ['200', '429']);
    const passed = (counts[200] ?? 0) + (more[200] ?? 0);
    assert.ok(passed >= 20 && passed <= 40, `${passed} of two times 20`);
    assert.equal(await countersOf(service as TestService), 'degraded');
    assert.deepEqual(await sendMany(urls().slice(0, 1), 7, feedbackFrom(newAddress()), '/api/feedback'), {
      200: 5,
      429: 2,
    });
    assert.equal(lines.filter((line) => line.includes('redis_away')).length, 1);
    assert.ok(!lines.some((line) => line.includes(gate.url)));
  });

  it('count in Redis again after it reconnects', async () => {
    await gate.open();
    await untilCounters(service as TestService, 'ok');
    const key = await keyWith({ rpm_limit: 20 });
    const alone = [service?.url ?? ''];
    assert.deepEqual(await sendMany(alone, 30, withKey(key), '/api/keys/me'), { 200: 20, 429: 10 });
    assert.equal(lines.filter((line) => line.includes('redis_back')).length, 1);
  });

  it('fall back to the database when Redis does not respond', async () => {
    const key = await keyWith({ rpm_limit: 20 });
    gate.hold();
    const alone = [service?.url ?? ''];
    assert.deepEqual(await sendMany(alone, 30, withKey(key), '/api/keys/me'), { 200: 20, 429: 10 });
    assert.equal(await countersOf(service as TestService), 'degraded');
    await gate.open();
    await untilCounters(service as TestService, 'ok');
  });

  it('start without Redis, and report degraded until it is available', async () => {
    await gate.close();
    const late = await startBeside(await sharedService(), { settings: { REDIS_URL: gate.url } });
    try {
      assert.equal(await countersOf(late), 'degraded');
      const { body } = await api(late).get('/api/health').expect(200);
      assert.equal(body.status, 'degraded');
      await gate.open();
      await untilCounters(late, 'ok');
    } finally {
      await late.stop();
    }
  });
});

describe('limits of two nodes with one PostgreSQL, without Redis', () => {
  let [service, other]: [TestService, SecondServer] | [] = [];
  before(async function () {
    const shared = await sharedService();
    if (shared.runtime.db.kind !== 'postgresql') this.skip();
    const settings = { TRUSTED_PROXIES: '127.0.0.1', ANON_RPM: '100000', ANON_DAILY: '100000' };
    service = await startBeside(shared, { settings });
    other = await startSecondServer(service.environment);
  });
  after(async () => {
    await other?.stop();
    await service?.stop();
  });
  const urls = () => [service?.url ?? '', other?.url ?? ''];

  it('count a throttle once for both nodes: five messages a minute from one address', async () => {
    const address = newAddress();
    assert.deepEqual(await sendMany(urls(), 12, feedbackFrom(address), '/api/feedback'), { 200: 5, 429: 7 });
    const reply = await fetch(`${other?.url}/api/feedback`, feedbackFrom(address));
    const { retry_after } = (await reply.json()) as { retry_after: number };
    assert.ok(retry_after > 0 && retry_after <= 61);
  });

  it('start a new throttle window after the previous one ends', async () => {
    const address = newAddress();
    await sendMany(urls(), 6, feedbackFrom(address), '/api/feedback');
    await sql(service as TestService, "update throttle_window set ends_at = now() - interval '1 second'");
    assert.deepEqual(await sendMany(urls(), 6, feedbackFrom(address), '/api/feedback'), { 200: 5, 429: 1 });
  });

  it('store no address in the table', async () => {
    assert.equal(await countOf(service as TestService, "throttle_window where id like '%203.0.113%'"), 0);
  });

  it('omit the counters check from /api/health', async () => {
    assert.equal(await countersOf(service as TestService), undefined);
  });
});
