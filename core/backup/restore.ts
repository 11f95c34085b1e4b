/** Restores a backup into an empty database and data folder. */
import { cp, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import { migrations } from '../../migrations/index.ts';
import type { Config } from '../config.ts';
import { openDataFolder } from '../data-folder.ts';
import { openDatabase } from '../db/database.ts';
import { OperatorError } from '../errors.ts';
import type { Log } from '../log.ts';
import { loadSecrets, secretsOf } from '../secrets.ts';
import { OBJECTS_FOLDER, SECRET_FILE, signOf } from './backup.ts';
import { loadTable, setSequences, withoutTriggers, withReferencesLast } from './load.ts';
import { type Manifest, readManifest, verifyFiles } from './manifest.ts';
import { quoted, readTables } from './tables.ts';

export interface RestoreParts {
  readonly config: Config;
  readonly log: Log;
  out(line: string): void;
}

/**
 * Returns the last migration of the backup.
 * @throws OperatorError when a newer version of the program made the backup.
 */
const checkVersion = (manifest: Manifest): string => {
  const known: readonly string[] = migrations.map(({ name }) => name);
  const unknown = manifest.migrations.filter((name) => !known.includes(name));
  if (unknown.length)
    throw new OperatorError(`The backup is of a newer version (it has ${unknown.join(', ')}): update the program.`);
  return manifest.migrations.at(-1) ?? '';
};

/** Checks that the restored installation will have the secret with which the backup's data is sealed. */
const checkSecret = async (config: Config, { secret }: Manifest, folder: string): Promise<void> => {
  const dataDir = config.text('DATA_DIR');
  const made = secret.is_inside ? await readFile(join(folder, 'files', SECRET_FILE), 'utf8') : null;
  const there = await readFile(join(dataDir, SECRET_FILE), 'utf8').catch(() => null);
  if (made !== null && there !== null && made !== there)
    throw new OperatorError(`${join(dataDir, SECRET_FILE)} is another secret than the backup's: name a new DATA_DIR.`);
  const set = config.text('APP_SECRET') !== '';
  if (made !== null || !set) {
    if (made === null)
      throw new OperatorError('The backup was made with APP_SECRET set, and is sealed with it: set the same one.');
    // An APP_SECRET that is set now takes precedence; data sealed with the old secret still decrypts, as after a rotation.
    if (signOf(secretsOf([made])) !== secret.sign) throw new OperatorError('The secret in the backup is not its own.');
    return;
  }
  if (signOf(await loadSecrets(config)) !== secret.sign)
    throw new OperatorError('APP_SECRET is another one than that of the backup: what is sealed would not open.');
};

/** Tables into which migrations insert rows; the backup contains these rows, too, in their later state. */
const SEEDED = ['drug_revision'];

/**
 * Checks that the database is empty.
 * @throws OperatorError that names a table with rows.
 */
const checkEmpty = async (em: EntityManager): Promise<void> => {
  for (const { name } of await readTables(em)) {
    if (SEEDED.includes(name)) continue;
    const rows = (await em.execute(`select 1 from ${quoted(name)} limit 1`)) as unknown[];
    if (rows.length)
      throw new OperatorError(
        `The database is not empty (${name} has rows): restore into a new one, or into a new DATA_DIR.`,
      );
  }
};

const checkTables = async (em: EntityManager, { tables }: Manifest): Promise<void> => {
  const known = new Map((await readTables(em)).map((table) => [table.name, table]));
  for (const { name, columns } of tables) {
    const missing = columns.filter((column) => !known.get(name)?.columns.includes(column));
    if (!known.has(name) || missing.length)
      throw new OperatorError(`The database has no ${name}${missing.length ? ` with ${missing.join(', ')}` : ''}.`);
  }
};

/**
 * Restores a backup. It verifies every file first; then all rows are inserted in one transaction, and files follow.
 * @throws OperatorError with the obstacle; the database is then unchanged.
 */
export const restoreBackup = async ({ config, log, out }: RestoreParts, given: string): Promise<Manifest> => {
  const folder = resolve(given);
  const dataDir = config.text('DATA_DIR');
  const manifest = await readManifest(folder);
  const level = checkVersion(manifest);
  await verifyFiles(folder, manifest);
  await checkSecret(config, manifest, folder);
  openDataFolder(dataDir, config.flag('DATA_DIR_SHARED'));
  // Files are copied before the rows that refer to them; a retry writes the same files.
  for (const name of [SECRET_FILE, OBJECTS_FOLDER])
    if (manifest.files.some(({ path }) => path === `files/${name}` || path.startsWith(`files/${name}/`)))
      await cp(join(folder, 'files', name), join(dataDir, name), { recursive: true });
  const db = await openDatabase(config, [], log, { upTo: level });
  try {
    await db.orm.em.fork().transactional(async (fork) => {
      const em = fork as EntityManager;
      await checkEmpty(em);
      await checkTables(em, manifest);
      for (const name of SEEDED) await em.execute(`delete from ${quoted(name)}`);
      const loadAll = async (): Promise<void> => {
        for (const table of manifest.tables) {
          await loadTable(em, table, join(folder, table.file));
          if (table.rows) out(`${table.name}: ${table.rows.toLocaleString('en-GB')} rows`);
        }
      };
      await withoutTriggers(em, manifest.tables, () => withReferencesLast(em, loadAll));
      await setSequences(em, manifest.sequences);
    });
    await db.orm.migrator.up();
    await db.orm.em.fork().getConnection().execute('analyze');
  } finally {
    await db.close();
  }
  return manifest;
};
