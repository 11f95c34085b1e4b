/** Opens the database of this process (PGlite or PostgreSQL, with the same driver) with the entities of all plugins. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Migrator } from '@mikro-orm/migrations';
import { type EntityManager, MikroORM, type Options } from '@mikro-orm/postgresql';
import { Client, type Pool } from 'pg';
import { migrations } from '../../migrations/index.ts';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Family } from '../metrics/exposition.ts';
import type { Database } from '../plugin.ts';
import { returnDeadConnections } from './dead-connections.ts';
import { type EmbeddedDatabase, openEmbedded } from './embedded.ts';
import { coreEntities } from './entities.ts';
import { tryLock } from './file-lock.ts';
import { codeOf } from './lost-connection.ts';
import { retryOnFailover, withFailoverRetry } from './retry-on-failover.ts';
import { createWorkFigures, type WorkFigures } from './work-figures.ts';

export interface OpenDatabase extends Database {
  readonly orm: MikroORM;
  /** Returns whether a query completes within two seconds. */
  answers(): Promise<boolean>;
  /** Returns the metrics for /metrics. */
  figures(): readonly Family[];
  close(): Promise<void>;
}

type EntityList = NonNullable<Options['entities']>;

export interface OpenOptions {
  /** The last migration to run, for a restore of data with an older schema. */
  readonly upTo?: string | undefined;
}

/**
 * Connects and migrates the schema.
 * @throws OperatorError when the database is unavailable or was migrated by a newer version of this program.
 */
export const openDatabase = async (
  config: Config,
  entities: readonly unknown[],
  log: Log,
  { upTo }: OpenOptions = {},
): Promise<OpenDatabase> => {
  const url = config.text('DATABASE_URL');
  const embedded = url ? null : await openEmbedded(config.text('DATA_DIR'), log);
  const figures = createWorkFigures();
  try {
    const options: Options = {
      ...(embedded ? { host: embedded.host, port: 5432, user: 'postgres', dbName: 'postgres' } : { clientUrl: url }),
      entities: [...coreEntities, ...entities] as EntityList,
      extensions: [Migrator],
      forceUtcTimezone: true,
      pool: { min: 0, max: embedded ? 4 : 10 },
      driverOptions: {
        onPoolCreated: (pool: Pool) => {
          returnDeadConnections(pool);
          figures.watch(pool);
        },
      },
      ensureDatabase: false,
      migrations: { migrationsList: [...migrations], snapshot: false, transactional: true, allOrNothing: true },
      // A failed import reports its own error; ANSI colours of the ORM do not belong in a JSON log.
      colors: false,
      logger: (message) => log.info('orm', { message }),
    };
    const orm = await MikroORM.init(options);
    try {
      const migrated = () => migrate(orm, { config, embedded, url, upTo });
      await (embedded ? retryOnFailover(migrated, () => true) : migrated());
    } catch (error) {
      await orm.close(true);
      throw error;
    }
    return wrap(orm, embedded, figures);
  } catch (error) {
    await embedded?.close();
    throw explain(error, url);
  }
};

const ANSWER_MS = 2_000;

const wrap = (orm: MikroORM, embedded: EmbeddedDatabase | null, figures: WorkFigures): OpenDatabase => {
  let isOpen = true;
  const work: Pick<Database, 'read' | 'write'> = {
    read: (read) => read(orm.em.fork() as EntityManager),
    write: (write) => orm.em.fork().transactional((em) => write(em as EntityManager)),
  };
  const answer = async (): Promise<boolean> => {
    await work.read((em) => em.execute('select 1'));
    return true;
  };
  return {
    orm,
    kind: embedded ? 'pglite' : 'postgresql',
    ...figures.measure(embedded ? withFailoverRetry(work, () => isOpen) : work),
    figures: figures.families,
    answers: () => Promise.race([answer().catch(() => false), sleep(ANSWER_MS, false, { ref: false })]),
    close: async () => {
      isOpen = false;
      await orm.close(true);
      await embedded?.close();
    },
  };
};

/** Migrates the schema under a lock, so that processes that start concurrently migrate in sequence. */
const migrate = async (
  orm: MikroORM,
  { config, embedded, url, upTo }: OpenOptions & { config: Config; embedded: EmbeddedDatabase | null; url: string },
): Promise<void> => {
  const release = embedded ? await lockFolder(config) : await lockServer(url);
  try {
    const known = new Set<string>(migrations.map((migration) => migration.name));
    const executed = (await orm.migrator.getExecuted()).map((row) => row.name);
    const unknown = executed.filter((name) => !known.has(name));
    if (unknown.length) {
      throw new OperatorError(
        `The database was made by a newer version of this program (it has ${unknown.join(', ')}): update the program.`,
      );
    }
    await orm.migrator.up(upTo === undefined ? undefined : { to: upTo });
  } finally {
    await release();
  }
};

const lockFolder = async (config: Config): Promise<() => Promise<void>> => {
  const path = join(config.text('DATA_DIR'), 'migrate.lock');
  for (let tries = 0; tries < 600; tries += 1) {
    const lock = tryLock(path);
    if (lock) return async () => lock.release();
    await sleep(50);
  }
  throw new OperatorError(`Another process has been migrating ${path} for too long.`);
};

const lockServer = async (url: string): Promise<() => Promise<void>> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  await client.query('select pg_advisory_lock(727274)');
  return () => client.end();
};

const UNREACHABLE = new Set(
  'ECONNREFUSED ECONNRESET EAI_AGAIN EHOSTUNREACH ENOTFOUND ETIMEDOUT 28P01 3D000 28000'.split(' '),
);

const explain = (error: unknown, url: string): unknown => {
  const code = codeOf(error);
  if (url && UNREACHABLE.has(code)) {
    return new OperatorError(`DATABASE_URL: the database does not let us in (${code}).`, { cause: error });
  }
  return error;
};
