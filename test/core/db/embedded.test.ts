import { strict as assert } from 'node:assert';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openEmbedded } from '#core/db/embedded.ts';
import { tryLock } from '#core/db/file-lock.ts';
import { createLog } from '#core/log.ts';
import { api, bearer, bootstrapAdmin } from '../../support/client.ts';
import { connectTo, countOf, holdWindows, sql } from '../../support/database.ts';
import { runProgram } from '../../support/program.ts';
import { startSecondServer } from '../../support/second-server.ts';
import { discard, newPlace, startService, type TestService } from '../../support/service.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

const onPostgres = Boolean(process.env.TEST_DATABASE_URL);

/** PostgreSQL itself handles all of this when the tests use a PostgreSQL server. */
(onPostgres ? describe.skip : describe)('the embedded database', function () {
  this.timeout(180_000);

  describe('in a running server', () => {
    let service: SharedService;
    before(async () => {
      service = await sharedService();
    });

    it('is shared with a command and with a client such as psql', async () => {
      const { admin } = service;
      const listed = await runProgram(['keys', 'list'], service.environment);
      assert.equal(listed.status, 0, listed.stderr);
      assert.ok(listed.stdout.includes(admin.id));
      const client = await connectTo(service.environment);
      const { rows } = await client.query('select id, is_admin from api_key where id = $1', [admin.id]);
      await client.end();
      assert.deepEqual(rows, [{ id: admin.id, is_admin: true }]);
    });

    it('rolls back the transaction of a client that disconnects, and the server keeps serving', async () => {
      const client = await connectTo(service.environment);
      await client.query('begin');
      await client.query("insert into fact (name, value) values ('half', 'done')");
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      await api(service).get('/api/health').expect(200);
      assert.equal(await countOf(service, "fact where name = 'half'"), 0);
    });

    it('is accessible to this user only', async () => {
      assert.equal((await stat(join(service.dataDir, 'run'))).mode & 0o777, 0o700);
      assert.equal((await stat(join(service.dataDir, 'run', '.s.PGSQL.5432'))).mode & 0o777, 0o600);
    });

    it('has one owner, which holds a lock for the lifetime of its process', () => {
      assert.equal(tryLock(join(service.dataDir, 'db.lock')), null);
    });
  });

  describe('with several processes', () => {
    let place: Awaited<ReturnType<typeof newPlace>>;
    let environment: Record<string, string>;
    let service: TestService;
    let key: string;
    before(async () => {
      place = await newPlace();
      environment = { DATA_DIR: place.dataDir, LOG_LEVEL: 'silent', PORT: '0' };
    });
    after(async () => {
      await service?.stop();
      await discard(place);
    });

    it('fails over when its owner is killed, without losing committed data', async () => {
      const owner = await startSecondServer(environment);
      service = await startService({}, place);
      key = (await bootstrapAdmin(service)).key;
      const open = await connectTo(environment);
      await open.query('begin');
      await open.query("insert into fact (name, value) values ('half', 'done')");
      owner.process.child.kill('SIGKILL');
      await owner.process.finished;
      const reply = await api(service)
        .get('/api/keys/me')
        .set(...bearer(key));
      assert.equal(reply.status, 200, reply.text);
      assert.equal(await countOf(service, "fact where name = 'half'"), 0);
      assert.equal(tryLock(join(place.dataDir, 'db.lock')), null);
    });

    it('fails over when its owner shuts down, without a failed or doubly counted call', async () => {
      const other = await startSecondServer(environment);
      await holdWindows(service);
      const usedAtFirst = (await sql(service, "select used from quota_window where bucket = 'day'"))[0]?.used as number;
      let isEnding = true;
      const ending = service.stop().finally(() => {
        isEnding = false;
      });
      const statuses: number[] = [];
      const caller = async (): Promise<void> => {
        for (let calls = 0; isEnding || calls < 5; calls += 1) {
          const reply = await fetch(`${other.url}/api/keys/me`, { headers: { Authorization: `Bearer ${key}` } });
          statuses.push(reply.status);
        }
      };
      await Promise.all([ending, ...Array.from({ length: 8 }, caller)]);
      await other.stop();
      assert.deepEqual(
        statuses.filter((status) => status !== 200),
        [],
      );
      service = await startService({}, place);
      const [day] = await sql(service, "select used from quota_window where bucket = 'day'");
      assert.equal(day?.used, usedAtFirst + statuses.length);
      const [usage] = await sql(service, 'select sum(calls)::int as calls from key_usage');
      assert.equal(usage?.calls, statuses.length + 1);
    });
  });

  it('is recreated after a killed initialization, even in a folder whose path is too long for a socket', async () => {
    const root = await mkdtemp(join(tmpdir(), 'ekb-long-'));
    const dataDir = join(root, 'a'.repeat(60), 'b'.repeat(60));
    for (const [half, file] of [
      ['db/pg', 'global'],
      ['db.partial', 'PG_VERSION'],
    ] as const) {
      await mkdir(join(dataDir, half), { recursive: true });
      await writeFile(join(dataDir, half, file), '18');
    }
    const embedded = await openEmbedded(dataDir, createLog('silent'));
    try {
      assert.ok(embedded.owned());
      const client = new Client({ host: embedded.host, user: 'postgres', database: 'postgres' });
      await client.connect();
      assert.deepEqual((await client.query('select 1 as one')).rows, [{ one: 1 }]);
      await client.end();
    } finally {
      await embedded.close();
      await rm(root, { recursive: true });
      await rm(embedded.host, { recursive: true, force: true });
    }
  });
});
