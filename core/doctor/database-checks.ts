/** Checks the database without migrating it. It connects to an embedded database that a running server owns. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrations } from '../../migrations/index.ts';
import { openEmbedded } from '../db/embedded.ts';
import { codeOf } from '../db/lost-connection.ts';
import { createLog } from '../log.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const OLDEST = 150_000;
const PATIENCE_MS = 5_000;
/**
 * Clock skew in seconds that causes a warning and an error: leases and quota windows use the database's clock, signatures ours.
 */
const [SKEW, TOO_MUCH] = [2, 60];

export interface OpenedDatabase {
  readonly findings: readonly Finding[];
  query(sql: string): Promise<readonly Record<string, unknown>[] | null>;
  close(): Promise<void>;
}

const closed = (finding: Finding): OpenedDatabase => ({
  findings: [finding],
  query: async () => null,
  close: async () => undefined,
});

const connect = async (options: object): Promise<Client> => {
  const client = new Client({ ...options, connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS });
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

export const openForDoctor = async (url: string, dataDir: string): Promise<OpenedDatabase> => {
  if (!url && !existsSync(join(dataDir, 'db')))
    return closed(ok('database', 'The embedded database is made at the first start.'));
  const embedded = url ? null : await openEmbedded(dataDir, createLog('silent'));
  try {
    const client = await connect(
      embedded
        ? { host: embedded.host, port: 5432, user: 'postgres', database: 'postgres' }
        : { connectionString: url },
    );
    const query = async (sql: string) => (await client.query(sql)).rows as readonly Record<string, unknown>[];
    return {
      findings: [await versionOf(query, embedded !== null), await levelOf(query), await clockOf(query)],
      // A missing table needs no warning, because the check of the migrations reports it.
      query: (sql) => query(sql).catch(() => null),
      close: async () => {
        await client.end();
        await embedded?.close();
      },
    };
  } catch (error) {
    await embedded?.close();
    return closed(
      fail(
        'database',
        `The database does not let us in (${codeOf(error) || (error as Error).name}).`,
        'Check DATABASE_URL, the server, and what lies between.',
      ),
    );
  }
};

type Query = (sql: string) => Promise<readonly Record<string, unknown>[]>;

const versionOf = async (query: Query, isEmbedded: boolean): Promise<Finding> => {
  const [row] = await query(
    "select current_setting('server_version_num')::int as n, current_setting('server_version') as v",
  );
  const name = `${isEmbedded ? 'Embedded PostgreSQL' : 'PostgreSQL'} ${row?.v}`;
  if (Number(row?.n) < OLDEST) return fail('database', `${name} is too old.`, 'PostgreSQL 15 or newer is needed.');
  return ok('database', `${name} answers; no extension is needed.`);
};

const levelOf = async (query: Query): Promise<Finding> => {
  const rows = await query('select name from mikro_orm_migrations').catch(() => null);
  if (!rows) return warn('migrations', 'The database is empty.', 'npm run migrate, or start a server.');
  const [done, known] = [new Set(rows.map(({ name }) => String(name))), migrations.map(({ name }): string => name)];
  const unknown = [...done].filter((name) => !known.includes(name));
  if (unknown.length)
    return fail(
      'migrations',
      `The database has ${unknown.join(', ')}, which this program does not know.`,
      'Run the newer program; this one does not start.',
    );
  const missing = known.filter((name) => !done.has(name));
  if (missing.length)
    return warn(
      'migrations',
      `${missing.length} of ${known.length} are still to be made.`,
      'npm run migrate, or start a server.',
    );
  return ok('migrations', `All ${known.length} are made.`);
};

const clockOf = async (query: Query): Promise<Finding> => {
  const before = Date.now();
  const [row] = await query('select extract(epoch from clock_timestamp())::float8 as at');
  const here = (before + Date.now()) / 2_000;
  const skew = Math.abs(Number(row?.at) - here);
  const message = `The database’s clock and ours differ by ${skew.toFixed(1)} s.`;
  const fix = 'Let both machines take the time from the network (NTP).';
  if (skew > TOO_MUCH) return fail('clock', message, fix);
  return skew > SKEW ? warn('clock', message, fix) : ok('clock', message);
};

/** Reports jobs whose last run failed or that hang; a job that never ran may lack the settings that it needs. */
export const checkJobs = async (query: OpenedDatabase['query']): Promise<readonly Finding[]> => {
  const rows = await query(
    `select distinct on (job) job, status, started_at < now() - interval '6 hours' as is_old from job_run order by job, id desc`,
  );
  if (!rows) return [];
  const of = (test: (row: Record<string, unknown>) => boolean): string =>
    rows
      .filter(test)
      .map(({ job }) => String(job))
      .join(', ');
  const failed = of(({ status }) => status === 'failed');
  const hanging = of(({ status, is_old }) => status === 'running' && is_old === true);
  if (failed)
    return [
      warn(
        'jobs',
        `Failed at their last run: ${failed}.`,
        'npm run jobs says when; the log says why; npm run jobs -- run <id> tries again.',
      ),
    ];
  if (hanging)
    return [
      warn(
        'jobs',
        `Begun hours ago and not ended: ${hanging}.`,
        'Their process may have died: they run again at their next time.',
      ),
    ];
  return [ok('jobs', `${rows.length} have run; none failed last.`)];
};
