/** Puts a backup into an empty database and data folder. */
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

/** @throws OperatorError when it was made by a newer version of the program. */
const checkVersion = (manifest: Manifest): string => {
  const known: readonly string[] = migrations.map(({ name }) => name);
  const unknown = manifest.migrations.filter((name) => !known.includes(name));
  if (unknown.length)
    throw new OperatorError(`The backup is of a newer version (it has ${unknown.join(', ')}): update the program.`);
  return manifest.migrations.at(-1) ?? '';
};

/** What is sealed must open again. */
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
    // An APP_SECRET of today stands before it: what is sealed with the old one opens, as after a rotation.
    if (signOf(secretsOf([made])) !== secret.sign) throw new OperatorError('The secret in the backup is not its own.');
    return;
  }
  if (signOf(await loadSecrets(config)) !== secret.sign)
    throw new OperatorError('APP_SECRET is another one than that of the backup: what is sealed would not open.');
};

/** Migrations put rows into them: these stand in the backup too, as they had become. */
const SEEDED = ['drug_revision'];

/** @throws OperatorError naming a table that has rows. */
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
 * Checks every file first; then rows go in, all or none, and files follow.
 * @throws OperatorError with what stands against it; the database is as empty then as it was.
 */
export const restoreBackup = async ({ config, log, out }: RestoreParts, given: string): Promise<Manifest> => {
  const folder = resolve(given);
  const dataDir = config.text('DATA_DIR');
  const manifest = await readManifest(folder);
  const level = checkVersion(manifest);
  await verifyFiles(folder, manifest);
  await checkSecret(config, manifest, folder);
  openDataFolder(dataDir, config.flag('DATA_DIR_SHARED'));
  // Sooner than rows that name them; a second try writes the same.
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
