import { strict as assert } from 'node:assert';
import { runJob } from '#core/jobs/scheduler.ts';
import type { Job } from '#core/plugin.ts';
import { keysPlugin } from '#plugins/keys/index.ts';
import { purgeQuota, purgeThrottles } from '#plugins/keys/jobs.ts';
import { api, bearer, type IssuedKey, issueKey } from '../../support/client.ts';
import { countOf, holdWindows, sql } from '../../support/database.ts';
import { startSecondServer } from '../../support/second-server.ts';
import type { TestService } from '../../support/service.ts';
import { type SharedService, sharedService, startBeside } from '../../support/shared.ts';

const LIST = '/api/sources?page_size=1';

/** Gives a key quota windows that do not end during a test, with the given usage. */
const startWindows = async (service: TestService, subject: string, minute: number, day: number): Promise<void> => {
  await sql(service, 'delete from quota_window where subject = ?', [subject]);
  await sql(
    service,
    `insert into quota_window (subject, bucket, window_start, used) values
     (?, 'minute', date_trunc('minute', now() at time zone 'UTC') at time zone 'UTC', ?),
     (?, 'day', date_trunc('day', now() at time zone 'UTC') at time zone 'UTC', ?)`,
    [subject, minute, subject, day],
  );
  await holdWindows(service);
};

const statusesOf = async (urls: readonly string[], key: string): Promise<Record<number, number>> => {
  const headers = { Authorization: `Bearer ${key}` };
  const replies = await Promise.all(urls.map((url) => fetch(`${url}/api/keys/me`, { headers })));
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe('the quota of a key', () => {
  let service: SharedService;
  let admin: IssuedKey;
  before(async () => {
    service = await sharedService();
    admin = service.admin;
  });

  const call = (key: IssuedKey, path = LIST) =>
    api(service)
      .get(path)
      .set(...bearer(key.key));
  /** Returns a key with usage in its current windows. */
  const keyWith = async (limits: object, minute = 0, day = minute): Promise<IssuedKey> => {
    const key = await issueKey(service, admin, limits);
    await startWindows(service, `key:${key.id}`, minute, day);
    return key;
  };
  const windowsOf = async (key: IssuedKey) => {
    const rows = await sql(service, 'select bucket, used from quota_window where subject = ?', [`key:${key.id}`]);
    return Object.fromEntries(rows.map(({ bucket, used }) => [bucket, used]));
  };

  it('lets exactly 20 of 50 concurrent calls through at 20 a minute', async () => {
    const key = await keyWith({ rpm_limit: 20 });
    assert.deepEqual(await statusesOf(Array(50).fill(service.url), key.key), { 200: 20, 429: 30 });
    assert.deepEqual(await windowsOf(key), { minute: 50, day: 50 });
  });

  it('lets exactly 20 of 50 concurrent calls through at 20 a day', async () => {
    const key = await keyWith({ rpm_limit: 100, daily_limit: 20 });
    assert.deepEqual(await statusesOf(Array(50).fill(service.url), key.key), { 200: 20, 429: 30 });
  });

  it('is shared by two servers with one database', async () => {
    const other = await startSecondServer(service.environment);
    try {
      const key = await keyWith({ rpm_limit: 20 });
      const urls = Array.from({ length: 50 }, (_, at) => (at % 2 ? other.url : service.url));
      assert.deepEqual(await statusesOf(urls, key.key), { 200: 20, 429: 30 });
    } finally {
      await other.stop();
    }
  });

  it('is reported in the headers of every response', async () => {
    const key = await keyWith({ rpm_limit: 20, daily_limit: 1000 }, 4, 40);
    const reply = await call(key).expect(200);
    assert.equal(reply.get('RateLimit-Policy'), '"minute";q=20;w=60, "day";q=1000;w=86400');
    const [, minuteLeft, minuteEnd, dayLeft, dayEnd] =
      /^"minute";r=(\d+);t=(\d+), "day";r=(\d+);t=(\d+)$/.exec(reply.get('RateLimit') ?? '') ?? [];
    assert.deepEqual([minuteLeft, dayLeft], ['15', '959']);
    // Windows started one length in the future end between one and two lengths from now.
    assert.ok(Number(minuteEnd) > 30 && Number(minuteEnd) <= 120);
    assert.ok(Number(dayEnd) > 80_000 && Number(dayEnd) <= 172_800);
    assert.equal(reply.get('X-RateLimit-Limit'), '20');
    assert.equal(reply.get('X-RateLimit-Remaining'), '15');
    assert.equal(reply.get('X-RateLimit-Reset'), minuteEnd);
    assert.equal(reply.get('Retry-After'), undefined);
  });

  it('returns 429 with the bucket and the count when the minute is used up', async () => {
    const key = await keyWith({ rpm_limit: 20, daily_limit: 1000 }, 20, 20);
    const reply = await call(key)
      .expect(429)
      .expect('Content-Type', /^application\/json/);
    const seconds = Number(reply.get('Retry-After'));
    assert.deepEqual(reply.body, {
      detail: 'Quota exceeded (minute): 21/20',
      type: 'http://evidence.test/developers/errors#quota-exceeded',
      title: 'Too Many Requests',
      status: 429,
      code: 'quota_exceeded',
      request_id: reply.get('X-Request-Id'),
      'violated-policies': ['minute'],
      retry_after: seconds,
    });
    assert.equal(reply.get('RateLimit-Policy'), '"minute";q=20;w=60, "day";q=1000;w=86400');
    const [, left, end] = /^"minute";r=(\d+);t=(\d+), "day";r=979;t=\d+$/.exec(reply.get('RateLimit') ?? '') ?? [];
    assert.equal(left, '0');
    assert.ok(seconds >= Number(end));
  });

  it('names the day when the day is used up', async () => {
    const key = await keyWith({ rpm_limit: 20, daily_limit: 500 }, 3, 500);
    const reply = await call(key).expect(429);
    assert.equal(reply.body.detail, 'Quota exceeded (day): 501/500');
    assert.deepEqual(reply.body['violated-policies'], ['day']);
    assert.ok(reply.body.retry_after > 60);
  });

  it('names the bucket that ends later when both are used up', async () => {
    const key = await keyWith({ rpm_limit: 20, daily_limit: 500 }, 20, 500);
    const reply = await call(key).expect(429);
    assert.equal(reply.body.detail, 'Quota exceeded (day): 501/500');
    assert.deepEqual(reply.body['violated-policies'].toSorted(), ['day', 'minute']);
  });

  it('reports at most one call over the limit', async () => {
    const key = await keyWith({ rpm_limit: 20 }, 700);
    assert.equal((await call(key).expect(429)).body.detail, 'Quota exceeded (minute): 21/20');
  });

  it('lets the last call within the limit through', async () => {
    const key = await keyWith({ rpm_limit: 20 }, 19);
    assert.equal((await call(key).expect(200)).get('X-RateLimit-Remaining'), '0');
    await call(key).expect(429);
  });

  it('resets with the next minute, while the day continues', async () => {
    const key = await keyWith({ rpm_limit: 20 }, 20, 20);
    await call(key).expect(429);
    await sql(
      service,
      "update quota_window set window_start = window_start - interval '3 minutes' where bucket = 'minute' and subject = ?",
      [`key:${key.id}`],
    );
    assert.equal((await call(key).expect(200)).get('X-RateLimit-Remaining'), '19');
    assert.deepEqual(await windowsOf(key), { minute: 1, day: 22 });
  });

  it('resets with the next day', async () => {
    const key = await keyWith({ rpm_limit: 100, daily_limit: 20 }, 0, 20);
    await call(key).expect(429);
    await sql(
      service,
      "update quota_window set window_start = window_start - interval '2 days' where bucket = 'day' and subject = ?",
      [`key:${key.id}`],
    );
    await call(key).expect(200);
    assert.deepEqual(await windowsOf(key), { minute: 2, day: 1 });
  });

  it('counts a delayed call in the current minute of the row', async () => {
    // The row is one window ahead of the call, as when another call opened the new minute first.
    const key = await keyWith({ rpm_limit: 20 }, 20);
    await call(key).expect(429);
    assert.deepEqual(await windowsOf(key), { minute: 21, day: 21 });
  });

  it('counts calls that fail for other reasons, and calls to every route', async () => {
    const key = await keyWith({});
    await call(key, '/api/sources?page=x').expect(422);
    await call(key, '/v1/evidence/search').expect(422);
    await call(key, '/v1/evidence/search?q=zinc').expect(200);
    await api(service)
      .post('/api/keys')
      .set(...bearer(key.key))
      .expect(403);
    assert.deepEqual(await windowsOf(key), { minute: 4, day: 4 });
  });

  it('does not count public routes, pages and unknown paths', async () => {
    const key = await keyWith({});
    for (const path of [
      '/api/health',
      '/api/stats',
      '/api/pipeline/status',
      '/openapi.json',
      '/disclaimer',
      '/api/nope',
    ])
      assert.equal((await call(key, path)).get('RateLimit'), undefined, path);
    assert.deepEqual(await windowsOf(key), { minute: 0, day: 0 });
  });

  it('belongs to the key, not to the client address', async () => {
    const [one, two] = [await keyWith({ rpm_limit: 1 }), await keyWith({ rpm_limit: 1 })];
    for (const key of [one, two]) {
      await call(key).expect(200);
      await call(key).expect(429);
    }
  });

  it('is reported by /api/keys/me with the same numbers as in the headers', async () => {
    const key = await keyWith({ rpm_limit: 20, daily_limit: 1000 }, 6, 60);
    await call(key).expect(200);
    const reply = await call(key, '/api/keys/me').expect(200);
    const { minute, day } = reply.body.usage;
    assert.deepEqual([minute.used, day.used], [8, 62]);
    assert.match(reply.get('RateLimit') ?? '', /^"minute";r=12;t=\d+, "day";r=938;t=\d+$/);
    assert.deepEqual([minute.limit, day.limit], [20, 1000]);
  });

  it('is reported and recorded for an admin, but never enforced', async () => {
    const root = await issueKey(service, admin, { is_admin: true, rpm_limit: 1, daily_limit: 1 });
    await startWindows(service, `key:${root.id}`, 500, 500);
    const reply = await call(root).expect(200);
    assert.equal(reply.get('RateLimit-Policy'), '"minute";q=1;w=60, "day";q=1;w=86400');
    assert.match(reply.get('RateLimit') ?? '', /^"minute";r=0;t=\d+, "day";r=0;t=\d+$/);
    assert.deepEqual(await windowsOf(root), { minute: 501, day: 501 });
  });

  it('is deleted for past days by a job, but not for today', async () => {
    const key = await keyWith({}, 3);
    await sql(
      service,
      "insert into quota_window values ('ip:past', 'minute', now() - interval '49 hours', 1), ('ip:past', 'day', now() - interval '3 days', 1)",
    );
    assert.deepEqual(await runJob(service.runtime, keysPlugin, purgeQuota as Job), {
      status: 'ok',
      counts: { removed: 2 },
    });
    assert.equal(await countOf(service, "quota_window where subject = 'ip:past'"), 0);
    assert.deepEqual(await windowsOf(key), { minute: 3, day: 3 });
  });

  it('is deleted with expired throttles, slots and warnings by a job', async () => {
    await sql(
      service,
      "insert into throttle_window values ('past', now() - interval '1 second', 9), ('open', now() + interval '1 hour', 9)",
    );
    await sql(
      service,
      "insert into lease values ('place:past', 'x', now() - interval '2 hours'), ('place:open', 'x', now()), ('job', 'x', now() - interval '2 hours')",
    );
    const day = "(now() at time zone 'utc')::date";
    await sql(service, `insert into quota_warning values ('past', ${day} - 3, 80), ('open', ${day}, 80)`);
    const { status } = await runJob(service.runtime, keysPlugin, purgeThrottles as Job);
    assert.equal(status, 'ok');
    for (const [table, column] of [
      ['throttle_window', 'id'],
      ['lease', 'name'],
      ['quota_warning', 'holder_id'],
    ]) {
      assert.equal(await countOf(service, `${table} where ${column} like '%past'`), 0, table);
      assert.equal(await countOf(service, `${table} where ${column} like '%open'`), 1, table);
    }
    assert.equal(await countOf(service, "lease where name = 'job'"), 1);
    await sql(service, "delete from lease where owner = 'x'");
  });
});

describe('the quota of anonymous callers', () => {
  let service: TestService;
  before(async () => {
    const settings = { TRUSTED_PROXIES: '127.0.0.1', ANON_RPM: '5', ANON_DAILY: '8' };
    service = await startBeside(await sharedService(), { settings });
  });
  after(() => service.stop());
  beforeEach(() => sql(service, 'delete from quota_window'));

  const from = (address: string) => api(service).get(LIST).set('X-Forwarded-For', address);
  const useUp = async (address: string): Promise<void> => {
    await from(address).expect(200);
    await holdWindows(service);
    for (let calls = 1; calls < 5; calls += 1) await from(address).expect(200);
  };

  it('is counted per address', async () => {
    await useUp('203.0.113.1');
    const reply = await from('203.0.113.1').expect(429);
    assert.equal(reply.body.detail, 'Quota exceeded (minute): 6/5');
    assert.equal(reply.get('RateLimit-Policy'), '"minute";q=5;w=60, "day";q=8;w=86400');
    await from('203.0.113.2').expect(200);
  });

  it('has a daily limit', async () => {
    await useUp('203.0.113.1');
    for (let calls = 5; calls < 8; calls += 1) {
      await sql(service, "delete from quota_window where bucket = 'minute'");
      await from('203.0.113.1').expect(200);
    }
    await sql(service, "delete from quota_window where bucket = 'minute'");
    assert.equal((await from('203.0.113.1').expect(429)).body.detail, 'Quota exceeded (day): 9/8');
  });

  it('is shared by a whole IPv6 /64 prefix', async () => {
    await useUp('2001:db8:1:2::1');
    await from('2001:db8:1:2:ffff:ffff:ffff:ffff').expect(429);
    await from('2001:db8:1:3::1').expect(200);
  });

  it('lets exactly as many concurrent calls through as the limit allows', async () => {
    await from('203.0.113.9').expect(200);
    await holdWindows(service);
    const headers = { 'X-Forwarded-For': '203.0.113.9' };
    const replies = await Promise.all(Array.from({ length: 30 }, () => fetch(`${service.url}${LIST}`, { headers })));
    assert.equal(replies.filter(({ status }) => status === 200).length, 4);
    assert.equal(replies.filter(({ status }) => status === 429).length, 26);
  });

  it('does not apply to a caller with a key', async () => {
    await useUp('203.0.113.1');
    const { admin } = await sharedService();
    await from('203.0.113.1')
      .set(...bearer(admin.key))
      .expect(200);
    await from('203.0.113.1').expect(429);
  });
});

describe('the plan defaults', () => {
  it('are configurable by the operator', async () => {
    const shared = await sharedService();
    const service = await startBeside(shared, {
      settings: { FREE_RPM: '7', FREE_DAILY: '70', ADMIN_RPM: '9', ADMIN_DAILY: '90' },
    });
    try {
      const admin = await issueKey(service, shared.admin, { is_admin: true });
      const key = await issueKey(service, admin);
      for (const [{ key: raw }, policy] of [
        [admin, '"minute";q=9;w=60, "day";q=90;w=86400'],
        [key, '"minute";q=7;w=60, "day";q=70;w=86400'],
      ] as const) {
        const reply = await api(service)
          .get(LIST)
          .set(...bearer(raw));
        assert.equal(reply.get('RateLimit-Policy'), policy);
      }
      const anonymous = await api(service).get(LIST);
      assert.equal(anonymous.get('RateLimit-Policy'), '"minute";q=30;w=60, "day";q=500;w=86400');
    } finally {
      await service.stop();
    }
  });
});
