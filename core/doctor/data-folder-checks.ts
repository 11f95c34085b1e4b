/** Checks DATA_DIR: whether it is writable, has free space, and contains a secret and a published site. */
import { constants } from 'node:fs';
import { access, mkdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FOLDER_MODE, looseIn } from '../data-folder.ts';
import { createLog } from '../log.ts';
import { isStrongSecret } from '../secrets.ts';
import { openCurrent } from '../site/builds.ts';
import { readCurrent } from '../site/site-layout.ts';
import { type Diagnosis, type Finding, fail, ok, warn } from './finding.ts';

const MEGABYTE = 1024 * 1024;
/**
 * Free space in megabytes that causes a warning and an error: a build of all pages needs about 1,500 in addition to the previous
 * one.
 */
const [LITTLE, TOO_LITTLE] = [4_000, 300];

export const checkFolder = async ({ dataDir }: Diagnosis): Promise<Finding> => {
  const file = join(dataDir, `.doctor-${process.pid}`);
  try {
    await mkdir(dataDir, { recursive: true, mode: FOLDER_MODE });
    await writeFile(file, '');
    await rm(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return fail(
      'data-dir',
      `${dataDir} cannot be written (${code}).`,
      'Give it to the user that runs the service, or set DATA_DIR.',
    );
  }
  const { bavail, bsize } = await statfs(dataDir);
  const free = Math.round((bavail * bsize) / MEGABYTE);
  const message = `${dataDir} can be written; ${free} MB are free.`;
  if (free < TOO_LITTLE)
    return fail('data-dir', message, 'Make room: the database and the next build of pages need it.');
  return free < LITTLE
    ? warn('data-dir', message, `A full build of pages needs up to ${LITTLE} MB.`)
    : ok('data-dir', message);
};

/** Maximum number of listed paths; further ones are only counted. */
const MOST_NAMED = 5;

/** Checks that no other user has access: all files are health data, secrets, or written by the service only. */
export const checkModes = ({ dataDir, text }: Diagnosis): Finding => {
  const loose = [...looseIn(dataDir)];
  if (!loose.length) return ok('data-modes', 'No other user can read or write anything in it.');
  const named = loose.slice(0, MOST_NAMED).map(({ path, mode }) => `${path} (${mode.toString(8)})`);
  const more = loose.length > MOST_NAMED ? [`${loose.length - MOST_NAMED} more`] : [];
  const message = `Other users may read or write ${[...named, ...more].join(', ')}.`;
  return text('DATA_DIR_SHARED') === 'true'
    ? warn('data-modes', message, 'DATA_DIR_SHARED=on: see to it that the volume keeps them out by other means.')
    : fail('data-modes', message, `chmod -R go-rwx ${dataDir}, which the next start does for what it owns.`);
};

export const checkSecret = async ({ dataDir, text }: Diagnosis): Promise<Finding> => {
  const secret = text('APP_SECRET');
  if (secret) {
    return isStrongSecret(secret)
      ? ok('app-secret', 'APP_SECRET is set, and long enough.')
      : fail(
          'app-secret',
          'APP_SECRET is short or repeats itself.',
          'Set 43 random characters (`openssl rand -base64 32`), and put the previous value in APP_SECRET_PREVIOUS.',
        );
  }
  const file = join(dataDir, 'app-secret');
  const found = await stat(file).catch(() => null);
  if (!found) return ok('app-secret', 'It is made at the first start.');
  if (found.mode & 0o077) return fail('app-secret', `${file} can be read by others.`, `chmod 600 ${file}`);
  if (!isStrongSecret((await readFile(file, 'utf8')).trim()))
    return fail(
      'app-secret',
      `${file} is damaged.`,
      'Restore it from a back-up: what it sealed opens with nothing else.',
    );
  return text('DATABASE_URL')
    ? warn(
        'app-secret',
        'It lies in DATA_DIR, where no other node has it.',
        'With several nodes set APP_SECRET to the same on all; keep it apart from back-ups of the database.',
      )
    : ok('app-secret', 'It lies in DATA_DIR; a back-up without it cannot open health data.');
};

/** Maximum time between the build and a later change, in minutes. */
const LAG_MINUTES = 15;

export const checkSite = async (diagnosis: Diagnosis): Promise<Finding> => {
  const siteDir = join(diagnosis.dataDir, 'site');
  const readable = await access(siteDir, constants.R_OK).then(
    () => true,
    () => false,
  );
  const current = readable ? await readCurrent(siteDir) : null;
  if (!current)
    return warn(
      'published-site',
      'No pages are published: each is made when it is asked for.',
      'npm run generate, or leave it to the server (GENERATE_PAGES=auto).',
    );
  const open = await openCurrent(siteDir, createLog('silent'));
  if (!open) return fail('published-site', `${current.build} is damaged.`, 'npm run generate -- --full');
  const { madeAt, pages } = open.index.names.about;
  const message = `${current.build}: ${pages} pages, made ${madeAt.slice(0, 19)}Z`;
  if (current.held)
    return warn('published-site', `${message}, held by a roll-back.`, 'npm run generate, when it may go on.');
  const rows = await diagnosis.query('select max(at) as at from change_log');
  const changedAt = rows?.[0]?.at;
  const lag = changedAt ? (new Date(String(changedAt)).getTime() - Date.parse(madeAt)) / 60_000 : 0;
  return lag > LAG_MINUTES
    ? warn('published-site', `${message}; something changed ${Math.round(lag)} minutes later.`, 'npm run generate')
    : ok('published-site', `${message}.`);
};
