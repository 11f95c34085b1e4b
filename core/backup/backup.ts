/**
 * Writes a backup: a folder with all data that cannot be rebuilt, i.e. rows, objects, and the secret with which rows are sealed.
 */
import { cp, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { IsolationLevel } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from '../config.ts';
import type { OpenDatabase } from '../db/database.ts';
import { OperatorError } from '../errors.ts';
import type { Secrets } from '../secrets.ts';
import { dumpTable } from './dump.ts';
import { digestOf, FORMAT, MANIFEST, type Manifest } from './manifest.ts';
import { readSequences, readTables } from './tables.ts';

export const SECRET_FILE = 'app-secret';
export const OBJECTS_FOLDER = 'objects';

/** Returns an identifier of the secret, which does not reveal it. */
export const signOf = (secrets: Secrets): string => secrets.pseudonym('backup', 'sign').slice(0, 16);

export interface BackupParts {
  readonly config: Config;
  readonly db: OpenDatabase;
  readonly secrets: Secrets;
  readonly version: string;
  out(line: string): void;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const filesBelow = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
};

/** Copies the files that are not in the database; the secret is included only when it does not come from a setting. */
const copyFiles = async ({ config }: BackupParts, folder: string): Promise<Manifest['files']> => {
  const dataDir = config.text('DATA_DIR');
  const wanted = [
    ...(config.text('APP_SECRET') ? [] : [SECRET_FILE]),
    ...(config.text('S3_ENDPOINT') ? [] : [OBJECTS_FOLDER]),
  ];
  for (const name of wanted)
    if (await exists(join(dataDir, name)))
      await cp(join(dataDir, name), join(folder, 'files', name), { recursive: true });
  const files = (await filesBelow(join(folder, 'files'))).sort();
  return Promise.all(
    files.map(async (path) => ({
      path: relative(folder, path).split(sep).join('/'),
      bytes: (await stat(path)).size,
      sha256: await digestOf(path),
    })),
  );
};

/** Dumps all rows from one snapshot of the database, so that concurrent writes do not affect the backup. */
const dumpRows = ({ db, out }: BackupParts, folder: string) =>
  db.orm.em.fork().transactional(
    async (fork) => {
      const em = fork as EntityManager;
      const tables: Manifest['tables'] = [];
      for (const table of await readTables(em)) {
        const file = `tables/${table.name}.jsonl.gz`;
        const { rows, sha256 } = await dumpTable(em, table, join(folder, file));
        tables.push({ name: table.name, columns: [...table.columns], rows, file, sha256 });
        if (rows) out(`${table.name}: ${rows.toLocaleString('en-GB')} rows`);
      }
      return { tables, sequences: [...(await readSequences(em))] };
    },
    { isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true },
  );

/**
 * Writes a backup. It gets its name only when it is complete: an interrupted run leaves a folder that ends in `.partial`.
 * @throws OperatorError when the folder already exists.
 */
export const writeBackup = async (parts: BackupParts, given: string): Promise<Manifest> => {
  const folder = resolve(given);
  if (await exists(folder)) throw new OperatorError(`${folder} is there already: name a new folder.`);
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(join(partial, 'tables'), { recursive: true, mode: 0o700 });
  // Rows come first: an object is never deleted before the rows that refer to it.
  const { tables, sequences } = await dumpRows(parts, partial);
  const files = await copyFiles(parts, partial);
  const manifest: Manifest = {
    format: FORMAT,
    made_at: new Date().toISOString(),
    version: parts.version,
    database: parts.db.kind,
    migrations: (await parts.db.orm.migrator.getExecuted()).map(({ name }) => name),
    tables,
    sequences,
    files,
    objects: parts.config.text('S3_ENDPOINT') ? 's3' : 'files',
    secret: { sign: signOf(parts.secrets), is_inside: files.some(({ path }) => path === `files/${SECRET_FILE}`) },
  };
  await writeFile(join(partial, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600, flush: true });
  await mkdir(dirname(folder), { recursive: true });
  await rename(partial, folder);
  return manifest;
};
