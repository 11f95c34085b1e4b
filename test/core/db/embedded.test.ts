import { strict as assert } from 'node:assert';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { openEmbedded } from '#core/db/embedded.ts';
import { tryLock } from '#core/db/file-lock.ts';
import { createLog } from '#core/log.ts';
import { api, bearer, bootstrapAdmin, issueKey } from '../../support/client.ts';
import { connectTo, countOf } from '../../support/database.ts';
import { runProgram } from '../../support/program.ts';
import { startSecondServer } from '../../support/second-server.ts';
import { discard, newPlace, startService, type TestService } from '../../support/service.ts';

const onPostgres = Boolean(process.env.TEST_DATABASE_URL);

/** With PostgreSQL all of this is the server's business. */
(onPostgres ? describe.skip : describe)('the embedded database', () => {
  describe('of a running server', () => {
    let service: TestService;
    before(async () => {
      service = await startService();
    });
    after(() => service.stop());

    it('is shared with a command and with a client such as psql', async () => {
      const admin = await bootstrapAdmin(service);
      const listed = await runProgram(['keys', 'list'], service.environment);
      assert.equal(listed.status, 0, listed.stderr);
      assert.ok(listed.stdout.includes(admin.id));
      const client = await connectTo(service.environment);
      const { rows } = await client.query('select id, is_admin from api_key where name = $1', ['root']);
      await client.end();
      assert.deepEqual(rows, [{ id: admin.id, is_admin: true }]);
    });

    it('rolls back a client that vanishes in a transaction, and the server serves on', async () => {
      const client = await connectTo(service.environment);
      await client.query('begin');
      await client.query("insert into fact (name, value) values ('half', 'done')");
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      await api(service).get('/api/health').expect(200);
      assert.equal(await countOf(service, "fact where name = 'half'"), 0);
    });

    it('is for this user only', async () => {
      assert.equal((await stat(join(service.dataDir, 'run'))).mode & 0o777, 0o700);
      assert.equal((await stat(join(service.dataDir, 'run', '.s.PGSQL.5432'))).mode & 0o777, 0o600);
    });

    it('has one owner, known by a lock that ends with its process', () => {
      assert.equal(tryLock(join(service.dataDir, 'db.lock')), null);
    });
  });

  it('passes to another process when the one that ran it is killed, and nothing committed is lost', async () => {
    const place = await newPlace();
    const environment = { DATA_DIR: place.dataDir, LOG_LEVEL: 'silent', PORT: '0', ADMIN_BOOTSTRAP_SECRET: 'x' };
    const owner = await startSecondServer(environment);
    const service = await startService({}, place);
    try {
      const admin = await bootstrapAdmin(service);
      const key = await issueKey(service, admin);
      const open = await connectTo(environment);
      await open.query('begin');
      await open.query("insert into fact (name, value) values ('half', 'done')");
      owner.process.child.kill('SIGKILL');
      await owner.process.finished;
      let reply = await api(service)
        .get('/api/keys/me')
        .set(...bearer(key.key));
      for (; reply.status !== 200; await sleep(50)) {
        assert.equal(reply.status, 503, reply.text);
        reply = await api(service)
          .get('/api/keys/me')
          .set(...bearer(key.key));
      }
      assert.equal(reply.body.id, key.id);
      assert.equal(await countOf(service, "fact where name = 'half'"), 0);
      await issueKey(service, admin);
      assert.equal(tryLock(join(place.dataDir, 'db.lock')), null);
    } finally {
      await service.stop();
      await discard(place);
    }
  });

  it('is made anew when its first making was killed, even in a folder too long for a socket', async () => {
    const root = await mkdtemp(join(tmpdir(), 'ekb-long-'));
    const dataDir = join(root, 'a'.repeat(60), 'b'.repeat(60));
    for (const half of ['db/pg', 'db.partial']) {
      await mkdir(join(dataDir, half), { recursive: true });
      await writeFile(join(dataDir, half, 'pg_control'), 'half written');
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
