import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Client } from 'pg';
import { startWireServer } from '#core/db/wire-server.ts';

describe('wire server of the embedded database', () => {
  let folder: string;
  let db: PGlite;
  let server: { close(): Promise<void> };
  const clients: Client[] = [];
  const enter = async (): Promise<Client> => {
    const client = new Client({ host: folder, user: 'postgres', database: 'postgres' });
    client.on('error', () => undefined);
    await client.connect();
    clients.push(client);
    return client;
  };
  const rows = async (client: Client): Promise<number> =>
    (await client.query('select count(*)::int as count from note')).rows[0].count;

  before(async function () {
    this.timeout(180_000);
    folder = await mkdtemp(join(tmpdir(), 'ekb-wire-'));
    db = await PGlite.create();
    await db.exec('create table note (id int primary key, text text)');
    server = await startWireServer(db, { socketPath: join(folder, '.s.PGSQL.5432'), idleInTransactionSeconds: 0.5 });
  });
  beforeEach(() => db.exec('truncate note'));
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end().catch(() => undefined);
  });
  after(async () => {
    await db.close();
    await rm(folder, { recursive: true });
  });

  it('returns to each of many clients its own rows', async () => {
    const wrong = await Promise.all(
      Array.from({ length: 8 }, async (_, client) => {
        const own = await enter();
        let mixed = 0;
        for (let time = 0; time < 25; time += 1) {
          const asked = `${client}/${time}`;
          const { rows } = await own.query('select $1::text as answer, generate_series(1, 20)', [asked]);
          if (rows.length !== 20 || rows.some(({ answer }) => answer !== asked)) mixed += 1;
        }
        return mixed;
      }),
    );
    assert.deepEqual(wrong, Array(8).fill(0));
  });

  it('isolates the transaction of one client from all others', async () => {
    const [one, two] = [await enter(), await enter()];
    await one.query('begin');
    await one.query("insert into note values (1, 'one')");
    const seen = rows(two);
    assert.equal(await rows(one), 1);
    await one.query('rollback');
    assert.equal(await seen, 0);
  });

  it('rolls back a client that disconnects inside a transaction, and serves the others', async () => {
    const [one, two] = [await enter(), await enter()];
    await one.query('begin');
    await one.query("insert into note values (1, 'one')");
    const waiting = two.query("insert into note values (2, 'two')");
    (one as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    await waiting;
    assert.deepEqual((await two.query('select id from note')).rows, [{ id: 2 }]);
  });

  it('rolls back a client that ends its session inside a transaction', async () => {
    const [one, two] = [await enter(), await enter()];
    await one.query('begin');
    await one.query("insert into note values (1, 'one')");
    await one.end();
    assert.equal(await rows(two), 0);
  });

  it('disconnects a client that idles inside a transaction for too long', async () => {
    const [one, two] = [await enter(), await enter()];
    const cut = once(one, 'error');
    await one.query('begin');
    await one.query("insert into note values (1, 'one')");
    assert.equal(await rows(two), 0);
    const [error] = await cut;
    assert.equal(error.code, '25P03');
  });

  it('limits a failed transaction to its client', async () => {
    const [one, two] = [await enter(), await enter()];
    await one.query('begin');
    await assert.rejects(one.query('select nonsense'), { code: '42703' });
    const other = rows(two);
    await assert.rejects(one.query('select 1'), { code: '25P02' });
    await one.query('rollback');
    assert.equal(await other, 0);
    assert.equal(await rows(one), 0);
  });

  it('reports an invalid statement and stays usable', async () => {
    const one = await enter();
    await assert.rejects(one.query('select $1::int', ['x']), { code: '22P02' });
    await assert.rejects(one.query('nonsense'), { code: '42601' });
    assert.equal(await rows(one), 0);
  });

  it('accepts a statement larger than any packet', async () => {
    const one = await enter();
    const text = 'x'.repeat(3_000_000);
    await one.query('insert into note values (1, $1)', [text]);
    assert.equal((await one.query('select text from note')).rows[0].text, text);
  });

  it('closes connections that do not speak the protocol, and serves the others', async () => {
    for (const bytes of ['\0\0\0\x04', '\0\0\0\x01', 'GET / HTTP/1.1\r\n\r\n', '\xff\xff\xff\xff']) {
      const socket = connect(join(folder, '.s.PGSQL.5432'));
      socket.on('error', () => undefined);
      socket.end(bytes, 'latin1');
      await once(socket, 'close');
    }
    assert.equal(await rows(await enter()), 0);
  });

  it('declines encryption', async () => {
    const socket = connect(join(folder, '.s.PGSQL.5432'));
    socket.write(Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]));
    const [answer] = await once(socket, 'data');
    assert.equal(String(answer), 'N');
    socket.destroy();
  });

  it('finishes a transaction in progress before it closes, and accepts no new one', async () => {
    const [busy, idle] = [await enter(), await enter()];
    await busy.query('begin');
    await busy.query("insert into note values (1, 'last')");
    const closed = server.close();
    await assert.rejects(idle.query('select 1'));
    await busy.query('commit');
    await closed;
    await assert.rejects(busy.query('select 1'));
    assert.deepEqual((await db.query('select id from note')).rows, [{ id: 1 }]);
  });
});
