/** The commands `npm run backup -- <folder>` and `npm run restore -- <folder>`. */

import type { Config } from '../config.ts';
import { openDatabase } from '../db/database.ts';
import type { Log } from '../log.ts';
import { loadSecrets } from '../secrets.ts';
import { writeBackup } from './backup.ts';
import { restoreBackup } from './restore.ts';

interface Parts {
  readonly config: Config;
  readonly log: Log;
  readonly version: string;
  out(line: string): void;
}

/** Runs the backup command. Exit status: 0 on success, 2 for incorrect usage. */
export const backupCommand = async (parts: Parts, args: readonly string[]): Promise<number> => {
  const [folder, ...more] = args;
  if (!folder || more.length) {
    parts.out('usage: npm run backup -- <new folder>');
    return 2;
  }
  const { config, log, out } = parts;
  const secrets = await loadSecrets(config);
  const db = await openDatabase(config, [], log);
  try {
    const { tables, files, secret } = await writeBackup({ ...parts, db, secrets }, folder);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    out(`${rows.toLocaleString('en-GB')} rows of ${tables.length} tables and ${files.length} files are in ${folder}.`);
    out(
      secret.is_inside
        ? 'The secret that opens what is sealed is in it: keep it where nobody else can read it.'
        : 'It is sealed with APP_SECRET, which is not in it: keep that apart.',
    );
    return 0;
  } finally {
    await db.close();
  }
};

/** Runs the restore command. Exit status: 0 on success, 2 for incorrect usage. */
export const restoreCommand = async (parts: Parts, args: readonly string[]): Promise<number> => {
  const [folder, ...more] = args;
  if (!folder || more.length) {
    parts.out('usage: npm run restore -- <folder of a backup>, into an empty database and data folder');
    return 2;
  }
  const { tables, objects, made_at } = await restoreBackup(parts, folder);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  parts.out(`${rows.toLocaleString('en-GB')} rows of ${made_at} are back.`);
  if (objects === 's3') parts.out('Label images and other objects stayed in the object store: set S3_* as before.');
  parts.out('The search index and the pages are made anew at the next start.');
  return 0;
};
