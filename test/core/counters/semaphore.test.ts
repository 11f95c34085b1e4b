/** Tests the semaphore that all nodes share. */
import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import type { Semaphore } from '../../../core/counters/semaphore.ts';
import { sql } from '../../support/database.ts';
import { lookIntoRedis, needRedis, type RedisGate, redisGate } from '../../support/redis.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService, startBeside } from '../../support/shared.ts';

const placesOf = ({ runtime }: TestService): Semaphore => runtime.counters.places;

/** Takes many places from all nodes concurrently; returns the release functions of the places obtained. */
const takeMany = async (nodes: readonly TestService[], name: string, limit: number): Promise<(() => void)[]> => {
  const asked = Array.from({ length: 20 }, (_, at) => placesOf(nodes[at % nodes.length] as TestService));
  const taken = await Promise.all(asked.map((places) => places.take(name, limit)));
  return taken.filter((release) => release !== null);
};

/** Tests everything except how a lease expires. */
const itKeepsPlaces = (nodes: () => readonly TestService[]): void => {
  it('never grants more places than the limit to concurrent callers', async () => {
    const name = randomUUID();
    const taken = await takeMany(nodes(), name, 2);
    assert.equal(taken.length, 2);
    for (const release of taken) release();
    assert.equal((await takeMany(nodes(), name, 3)).length, 3);
  });

  it('frees a place once it is released, and ignores a second release', async () => {
    const [node] = nodes() as [TestService];
    const name = randomUUID();
    const release = await placesOf(node).take(name, 1);
    assert.ok(release);
    assert.equal(await placesOf(node).take(name, 1), null);
    release();
    const next = await placesOf(node).take(name, 1);
    assert.ok(next);
    release();
    assert.equal(await placesOf(node).take(name, 1), null);
    next();
  });
};

describe('semaphore in one process', () => {
  let service: TestService;
  before(async () => {
    service = await sharedService();
  });
  itKeepsPlaces(() => [service]);
});

describe('semaphore of nodes with one PostgreSQL', () => {
  let [service, other]: TestService[] = [];
  before(async function () {
    service = await sharedService();
    if (service.runtime.db.kind !== 'postgresql') this.skip();
    other = await startBeside(service, {});
  });
  after(() => other?.stop());
  itKeepsPlaces(() => [service, other] as TestService[]);

  it('frees the places of a killed node when its lease expires', async () => {
    const [one, two] = [service, other] as [TestService, TestService];
    const name = randomUUID();
    assert.ok(await placesOf(one).take(name, 1));
    assert.equal(await placesOf(two).take(name, 1), null);
    await sql(one, "update lease set expires_at = now() - interval '1 second' where name = ?", [`place:${name}:1`]);
    assert.ok(await placesOf(two).take(name, 1));
  });
});

describe('semaphore of nodes with one Redis', () => {
  let [service, other]: TestService[] = [];
  let gate: RedisGate;
  before(async function () {
    needRedis(this);
    gate = await redisGate();
    const settings = { REDIS_URL: gate.url, REDIS_PATIENCE_MS: '5000' };
    service = await startBeside(await sharedService(), { settings });
    other = await startBeside(await sharedService(), { settings });
  });
  after(async () => {
    await other?.stop();
    await service?.stop();
    await gate?.close();
  });
  itKeepsPlaces(() => [service, other] as TestService[]);

  it('frees the places of a killed node when its lease expires', async () => {
    const [one, two] = [service, other] as [TestService, TestService];
    const redis = lookIntoRedis();
    try {
      const name = randomUUID();
      assert.ok(await placesOf(one).take(name, 1));
      assert.equal(await placesOf(two).take(name, 1), null);
      const [key = ''] = await redis.keys(`*:place:${name}`);
      const [member = ''] = await redis.zrange(key, 0, '-1');
      assert.ok((await redis.pttl(key)) <= 15_000);
      await redis.zadd(key, 1, member);
      assert.ok(await placesOf(two).take(name, 1));
    } finally {
      redis.disconnect();
    }
  });

  it('falls back to the database or this process while Redis is unavailable', async () => {
    const [one] = [service] as [TestService];
    const name = randomUUID();
    await gate.close();
    const taken = await takeMany([one], name, 2);
    assert.equal(taken.length, 2);
    for (const release of taken) release();
  });
});
