/**
 * Starts the real service for a suite, with all plugins, the real content/ and its own data folder. With
 * TEST_DATABASE_URL set, each service gets its own database on that PostgreSQL server; otherwise PGlite.
 * The first start serves as a template, so that later starts need no initdb and no sync. Mocha creates it before the
 * worker processes that run the files, and removes it and all their leftovers afterwards.
 */
import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { boot } from '../../core/boot.ts';
import { createLog } from '../../core/log.ts';
import type { AnyPlugin } from '../../core/plugin.ts';
import type { Runtime } from '../../core/runtime.ts';
import { type Serving, serve } from '../../core/serve.ts';
import { plugins } from '../../plugins/index.ts';

export interface TestService {
  readonly url: string;
  readonly runtime: Runtime;
  readonly dataDir: string;
  /** The settings for child processes that use the same data folder or database. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly contentDir?: string;
  /** Starts from a template without the starter content, for a `contentDir` that has little of it. */
  readonly startsEmptied?: boolean;
  /** Additional plugins of the test. */
  readonly more?: readonly AnyPlugin[];
  /** Receives the lines of the log. */
  readonly onLog?: (line: string) => void;
}

export const BOOTSTRAP_SECRET = 'only-for-tests';
const server = process.env.TEST_DATABASE_URL ?? '';
/** The id of this run on this machine; the processes of one run share it and the template through the environment. */
const run = process.env.TEST_RUN ?? randomBytes(4).toString('hex');
process.env.TEST_RUN = run;
const FOLDERS = `ekb-test-${run}-`;
const DATABASES = `ekb_test_${run}_`;

const withAdmin = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const addressOf = (database: string): string => {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
};

export const newDataDir = (): Promise<string> => mkdtemp(join(tmpdir(), FOLDERS));

export interface Place {
  readonly dataDir: string;
  readonly databaseUrl: string;
}

export const environmentOf = (
  { dataDir, databaseUrl }: Place,
  settings: Readonly<Record<string, string>> = {},
): Record<string, string> => ({
  DATA_DIR: dataDir,
  ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  HOST: '127.0.0.1',
  PORT: '0',
  BASE_URL: 'http://evidence.test',
  LOG_LEVEL: 'silent',
  DRAIN_SECONDS: '0',
  // Suites share the processor, so event loop delays are normal; a test of this limit sets its own value.
  MAX_EVENT_LOOP_DELAY: '60000',
  // All tests of a suite share one address.
  LIVE_RPM: '1000000',
  STARTER_PRODUCTS: 'core',
  STARTER_EVIDENCE: 'none',
  ADMIN_BOOTSTRAP_SECRET: BOOTSTRAP_SECRET,
  ...settings,
});

const logOf = ({ onLog }: ServiceOptions) =>
  onLog
    ? createLog('info', (line) => {
        onLog(line);
        return true;
      })
    : createLog('silent');

const startRuntime = (environment: Readonly<Record<string, string>>, options: ServiceOptions): Promise<Runtime> =>
  boot({
    plugins: [...plugins, ...(options.more ?? [])],
    role: 'serve',
    environment,
    dotEnvPath: null,
    contentDir: options.contentDir,
    log: logOf(options),
  });

const TEMPLATE = process.env.TEST_TEMPLATE;
let template: Promise<Place> | null = TEMPLATE ? Promise.resolve(JSON.parse(TEMPLATE) as Place) : null;
let emptied: Promise<Place> | null = null;

const makeTemplate = async (): Promise<Place> => {
  const place = { dataDir: await newDataDir(), databaseUrl: '' };
  const databaseUrl = server ? addressOf(await createDatabase()) : '';
  const runtime = await startRuntime(environmentOf({ ...place, databaseUrl }), {});
  await runtime.stop();
  return { ...place, databaseUrl };
};

/** Creates the template without starter content, so that suites with their own content need not remove it on each start. */
const makeEmptied = async (): Promise<Place> => {
  const [place, contentDir] = [await newPlace(), await newDataDir()];
  const runtime = await startRuntime(environmentOf(place), { contentDir });
  await runtime.stop();
  await rm(contentDir, { recursive: true });
  atEnd.push(() => discard(place));
  return place;
};

const createDatabase = async (from?: string): Promise<string> => {
  const name = `${DATABASES}${randomBytes(6).toString('hex')}`;
  await withAdmin((client) => client.query(`create database ${name} ${from ? `template ${from}` : ''}`));
  return name;
};

/** Creates a separate place that is filled with the starter content. */
export const newPlace = async (): Promise<Place> => {
  template ??= makeTemplate();
  return copyOf(await template);
};

/** Creates a separate place from which the starter content was removed. */
const emptiedPlace = async (): Promise<Place> => {
  emptied ??= makeEmptied();
  return copyOf(await emptied);
};

const copyOf = async (base: Place): Promise<Place> => {
  const dataDir = await newDataDir();
  // A single call without a filter takes half the time for a thousand small files.
  cpSync(base.dataDir, dataDir, { recursive: true });
  await rm(join(dataDir, 'run'), { recursive: true, force: true });
  const databaseUrl = base.databaseUrl
    ? addressOf(await createDatabase(new URL(base.databaseUrl).pathname.slice(1)))
    : '';
  return { dataDir, databaseUrl };
};

/** Creates a separate, empty place. */
export const emptyPlace = async (): Promise<Place> => ({
  dataDir: await newDataDir(),
  databaseUrl: server ? addressOf(await createDatabase()) : '',
});

/** Starts a service on a new place or on a given one. */
export const startService = async (options: ServiceOptions = {}, given?: Place): Promise<TestService> => {
  const place = given ?? (await (options.startsEmptied ? emptiedPlace() : newPlace()));
  const environment = environmentOf(place, options.settings);
  const runtime = await startRuntime(environment, options);
  const serving: Serving = await serve(runtime);
  return {
    url: serving.url,
    runtime,
    dataDir: place.dataDir,
    environment,
    stop: async () => {
      await serving.close();
      await runtime.stop();
      if (!given) await discard(place);
    },
  };
};

export const discard = async ({ dataDir, databaseUrl }: Place): Promise<void> => {
  await rm(dataDir, { recursive: true, force: true });
  if (!databaseUrl) return;
  await dropDatabase(new URL(databaseUrl).pathname.slice(1));
};

const dropDatabase = (name: string) =>
  withAdmin((client) => client.query(`drop database if exists ${name} with (force)`));

/** Clean-up functions that run once after the last suite, if the files do not run in worker processes. */
export const atEnd: (() => Promise<unknown>)[] = [];

/** Creates the template before the timeout of any suite starts. */
export const mochaGlobalSetup = async (): Promise<void> => {
  template ??= makeTemplate();
  process.env.TEST_TEMPLATE = JSON.stringify(await template);
};

/** Removes the template, the shared services and the leftovers of failed suites. */
export const mochaGlobalTeardown = async (): Promise<void> => {
  for (const finish of atEnd) await finish();
  const folders = (await readdir(tmpdir())).filter((name) => name.startsWith(FOLDERS));
  for (const name of folders) await rm(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 3 });
  if (!server) return;
  const { rows } = await withAdmin((client) =>
    client.query<{ datname: string }>('select datname from pg_database where starts_with(datname, $1)', [DATABASES]),
  );
  for (const { datname } of rows) await dropDatabase(datname);
};
