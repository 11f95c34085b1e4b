/** Tests `npm run doctor` on healthy and on broken installations. */
import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttp } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { allSettings } from '#core/boot.ts';
import { doctorCommand } from '#core/doctor/doctor.ts';
import type { Finding } from '#core/doctor/finding.ts';
import { plugins } from '../../plugins/index.ts';
import { sql } from '../support/database.ts';
import { startS3Server } from '../support/s3-server.ts';
import { environmentOf, newDataDir, startService, type TestService } from '../support/service.ts';

interface Told {
  readonly exit: number;
  readonly status: string;
  readonly findings: readonly Finding[];
  readonly lines: readonly string[];
}

const examine = async (environment: Readonly<Record<string, string>>): Promise<Told> => {
  const lines: string[] = [];
  const parts = { plugins, settings: allSettings(plugins), environment, dotEnvPath: null };
  const out = (line: string) => lines.push(line);
  const exit = await doctorCommand(['--json'], { ...parts, out });
  const { status, findings } = JSON.parse(lines.splice(0).join('\n')) as Told;
  assert.equal(await doctorCommand([], { ...parts, out }), exit);
  return { exit, status, findings, lines };
};

const of = ({ findings }: Told, id: string): Finding | undefined => findings.find((finding) => finding.id === id);

describe('doctor', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  it('reports no failure for a healthy service, next to the running server', async () => {
    const told = await examine({
      ...service.environment,
      OPERATOR_NAME: 'O',
      CONTACT_EMAIL: 'a@b.test',
      SECURITY_CONTACT: 'a@b.test',
      BASE_URL: 'https://evidence.test',
      TRUSTED_PROXIES: '10.0.0.1',
    });
    assert.equal(told.exit, 0);
    for (const id of [
      'settings',
      'database',
      'migrations',
      'clock',
      'app-secret',
      'base-url',
      'operator',
      'search-index',
      'lab-reports',
      'phone-exports',
      'webhook-deliveries',
    ])
      assert.deepEqual(
        [id, of(told, id)?.state],
        [id, service.environment.DATABASE_URL && id === 'app-secret' ? 'warn' : 'ok'],
      );
    assert.match(of(told, 'database')?.message ?? '', /PostgreSQL 1\d/);
    assert.equal(of(told, 'published-site')?.state, 'warn', 'nothing was generated here');
    assert.ok(told.lines.some((line) => /^ok {4}database +/.test(line)));
    assert.ok(told.lines.some((line) => /^ +→ npm run generate/.test(line)));
  });

  it('reports for a new data folder that its database does not exist yet', async () => {
    const dataDir = await newDataDir();
    const told = await examine(environmentOf({ dataDir, databaseUrl: '' }, { BASE_URL: 'http://127.0.0.1:3000' }));
    assert.equal(told.exit, 0);
    assert.equal(of(told, 'database')?.message, 'The embedded database is made at the first start.');
    await rm(dataDir, { recursive: true });
  });

  it('reports every invalid setting and runs no other check', async () => {
    const told = await examine({ ...service.environment, PORT: 'x', LOG_LEVEL: 'loud' });
    assert.equal(told.exit, 1);
    assert.equal(told.findings.length, 1);
    assert.match(told.findings[0]?.message ?? '', /PORT is "x".*LOG_LEVEL is "loud"/);
  });

  it('reports an unreachable database without its password', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    const told = await examine({
      ...service.environment,
      DATABASE_URL: `postgres://me:hidden-word@127.0.0.1:${port}/x`,
    });
    assert.equal(told.exit, 1);
    assert.equal(of(told, 'database')?.message, 'The database does not let us in (ECONNREFUSED).');
    assert.ok(!JSON.stringify(told).includes('hidden-word'));
  });

  it('reports a missing and an unknown migration', async () => {
    const [row] = await sql(
      service,
      'delete from mikro_orm_migrations where id = (select max(id) from mikro_orm_migrations) returning name',
    );
    try {
      assert.equal(of(await examine(service.environment), 'migrations')?.state, 'warn');
      await sql(service, "insert into mikro_orm_migrations (name) values ('9999-future')");
      const told = await examine(service.environment);
      assert.equal(told.exit, 1);
      assert.match(of(told, 'migrations')?.message ?? '', /9999-future/);
    } finally {
      await sql(service, "delete from mikro_orm_migrations where name = '9999-future'");
      await sql(service, 'insert into mikro_orm_migrations (name) values (?)', [String(row?.name)]);
    }
  });

  it('reports failed jobs without their error text', async () => {
    await sql(
      service,
      "insert into job_run (job, status, started_at, finished_at, counts, error) values ('made_up', 'failed', now(), now(), '{}', 'secret of a row')",
    );
    const told = await examine(service.environment);
    assert.equal(of(told, 'jobs')?.message, 'Failed at their last run: made_up.');
    assert.ok(!JSON.stringify(told).includes('secret of a row'));
  });

  it('checks secrets for length and variety, and secret files for their permissions', async () => {
    for (const [secret, state] of [
      ['short', 'fail'],
      ['a'.repeat(60), 'fail'],
      ['x9Kq2LmZ7vT4bRw8NcY3hJd6PfS1gAe5', 'ok'],
    ] as const)
      assert.equal(
        of(await examine({ ...service.environment, APP_SECRET: secret }), 'app-secret')?.state,
        state,
        secret,
      );
    const dataDir = await newDataDir();
    await writeFile(join(dataDir, 'app-secret'), 'x9Kq2LmZ7vT4bRw8NcY3hJd6PfS1gAe5');
    await chmod(join(dataDir, 'app-secret'), 0o644);
    const open = of(await examine(environmentOf({ dataDir, databaseUrl: '' })), 'app-secret');
    assert.deepEqual([open?.state, open?.fix], ['fail', `chmod 600 ${join(dataDir, 'app-secret')}`]);
    await rm(dataDir, { recursive: true });
  });

  it('requires https for a public address, and warns about missing trusted proxies', async () => {
    const at = async (BASE_URL: string, more = {}) => examine({ ...service.environment, BASE_URL, ...more });
    assert.equal(of(await at('http://evidence.example.org'), 'base-url')?.state, 'fail');
    assert.equal(of(await at('http://127.0.0.1:3000'), 'base-url')?.state, 'ok');
    assert.equal(of(await at('https://evidence.example.org/sub'), 'base-path')?.state, 'fail');
    assert.equal(of(await at('https://evidence.example.org'), 'proxies')?.state, 'warn');
  });

  it('fails when the data folder cannot be written', async () => {
    const dataDir = await newDataDir();
    await writeFile(join(dataDir, 'file'), '');
    const told = await examine(environmentOf({ dataDir: join(dataDir, 'file', 'below'), databaseUrl: '' }));
    assert.equal(told.exit, 1);
    assert.match(of(told, 'data-dir')?.message ?? '', /cannot be written \(ENOTDIR\)/);
    await rm(dataDir, { recursive: true });
  });

  it('checks the model endpoint, the Qdrant server and the object store in the settings', async () => {
    const s3 = await startS3Server({ region: 'eu', bucket: 'labels', accessKeyId: 'AK', secretAccessKey: 'SK' });
    const models = createHttp((request, reply) => {
      reply.writeHead(request.headers.authorization === 'Bearer right' ? 200 : 401).end('{}');
    }).listen(0, '127.0.0.1');
    await once(models, 'listening');
    try {
      const { port } = models.address() as AddressInfo;
      const settings = {
        ...service.environment,
        S3_ENDPOINT: s3.endpoint,
        S3_REGION: 'eu',
        S3_BUCKET: 'labels',
        S3_ACCESS_KEY_ID: 'AK',
        S3_SECRET_ACCESS_KEY: 'SK',
        LLM_BASE_URL: `http://127.0.0.1:${port}/v1`,
        LLM_MODEL: 'm',
        LLM_API_KEY: 'right',
      };
      const good = await examine(settings);
      assert.deepEqual([of(good, 'object-store')?.state, of(good, 'language-model')?.state], ['ok', 'ok']);
      const bad = await examine({
        ...settings,
        S3_BUCKET: 'other',
        LLM_API_KEY: 'hidden-word',
        QDRANT_URL: `http://127.0.0.1:${port}`,
      });
      assert.deepEqual(
        [of(bad, 'object-store')?.state, of(bad, 'language-model')?.state, of(bad, 'qdrant')?.state],
        ['fail', 'fail', 'fail'],
      );
      assert.ok(!JSON.stringify(bad).includes('hidden-word'));
    } finally {
      await s3.stop();
      models.close();
    }
  });

  it('reports a damaged build', async () => {
    const site = join(service.dataDir, 'site');
    await mkdir(site, { recursive: true });
    await writeFile(join(site, 'current'), '{"build":"b000009","held":false}');
    const told = await examine(service.environment);
    assert.deepEqual([told.exit, of(told, 'published-site')?.state], [1, 'fail']);
    await rm(join(site, 'current'));
  });
});
