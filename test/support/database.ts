/** Reads and changes the database of a service directly, as an operator with psql would. */
import { join } from 'node:path';
import { Client } from 'pg';
import { openEmbedded } from '../../core/db/embedded.ts';
import { createLog } from '../../core/log.ts';
import type { TestService } from './service.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Runs one statement in a separate transaction; `?` marks a parameter. */
export const sql = (service: TestService, text: string, parameters: readonly unknown[] = []): Promise<readonly Row[]> =>
  service.runtime.db.write((em) => em.execute(text, [...parameters])) as Promise<readonly Row[]>;

/** Returns the result of a `select count(*)`. */
export const countOf = async (service: TestService, from: string, parameters: readonly unknown[] = []) => {
  const [row] = await sql(service, `select count(*)::int as count from ${from}`, parameters);
  return row?.count as number;
};

/** Connects to the same database as another program would: over the socket in the data folder, or to the server. */
export const connectTo = async (environment: Readonly<Record<string, string>>): Promise<Client> => {
  const { DATABASE_URL, DATA_DIR = '' } = environment;
  const client = new Client(
    DATABASE_URL
      ? { connectionString: DATABASE_URL }
      : { host: join(DATA_DIR, 'run'), user: 'postgres', database: 'postgres' },
  );
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

/** Runs statements on the database of a place that no service is using. */
export const tamperWith = async (
  { dataDir, databaseUrl }: { readonly dataDir: string; readonly databaseUrl: string },
  text: string,
): Promise<readonly Row[]> => {
  const embedded = databaseUrl ? null : await openEmbedded(dataDir, createLog('silent'));
  const client = await connectTo({ DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) });
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
    await embedded?.close();
  }
};

/** Moves every quota window ahead by its length, so that the real minute or day does not end during a test. */
export const holdWindows = (service: TestService): Promise<unknown> =>
  sql(
    service,
    `update quota_window set window_start = window_start
     + case bucket when 'minute' then interval '1 minute' else interval '1 day' end`,
  );
