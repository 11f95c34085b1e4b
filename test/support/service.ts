/**
 * Starts the real service for a suite: the whole plugin list, the real content/, a data folder of its own. With
 * TEST_DATABASE_URL set, each service gets a database of its own on that PostgreSQL server; otherwise PGlite.
 * One start is kept as a template, so that the others need no initdb and no sync: Mocha makes it before the processes
 * in which it runs the files, and takes it and all that they left away after them.
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
  /** For child processes that join the same data folder or database. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly contentDir?: string;
  /** `contentDir` has little of the starter content: that is out already, not taken out by this start. */
  readonly startsEmptied?: boolean;
  /** Plugins of the test's own, beside the real ones. */
  readonly more?: readonly AnyPlugin[];
  /** Lines of the log, when a test looks at them. */
  readonly onLog?: (line: string) => void;
}

export const BOOTSTRAP_SECRET = 'only-for-tests';
const server = process.env.TEST_DATABASE_URL ?? '';
/** Told apart from other runs on this machine; the processes of one run know it, and its template, by the environment. */
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
  // Suites share the processor: only a test of it minds.
  MAX_EVENT_LOOP_DELAY: '60000',
  // All tests of a suite come from one address.
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

/** The template after a start on an empty content folder: for content of a suite's own, which would take all of it out. */
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

/** A place of its own, filled with the starter content. */
export const newPlace = async (): Promise<Place> => {
  template ??= makeTemplate();
  return copyOf(await template);
};

/** A place of its own that had the starter content, and has none of it left. */
const emptiedPlace = async (): Promise<Place> => {
  emptied ??= makeEmptied();
  return copyOf(await emptied);
};

const copyOf = async (base: Place): Promise<Place> => {
  const dataDir = await newDataDir();
  // In one call, without a filter: of a thousand small files, those that look at each one take twice the time.
  cpSync(base.dataDir, dataDir, { recursive: true });
  await rm(join(dataDir, 'run'), { recursive: true, force: true });
  const databaseUrl = base.databaseUrl
    ? addressOf(await createDatabase(new URL(base.databaseUrl).pathname.slice(1)))
    : '';
  return { dataDir, databaseUrl };
};

/** A place of its own with nothing in it. */
export const emptyPlace = async (): Promise<Place> => ({
  dataDir: await newDataDir(),
  databaseUrl: server ? addressOf(await createDatabase()) : '',
});

/** Starts a service on a place of its own, or on a given one. */
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

/** What is to be done once, after the last suite, where files do not run in processes that end by themselves. */
export const atEnd: (() => Promise<unknown>)[] = [];

/** The template is made before any suite's own time begins. */
export const mochaGlobalSetup = async (): Promise<void> => {
  template ??= makeTemplate();
  process.env.TEST_TEMPLATE = JSON.stringify(await template);
};

/** Takes away what is left of this run: its template, shared services and what a failed suite left. */
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
