/** The installation's own secret: from APP_SECRET, or made once and kept in DATA_DIR. */
import { createHmac, randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';

export interface Secrets {
  /** A keyed hash for what must be recognised and never read, such as an address: hex, 256 bits. */
  pseudonym(purpose: string, value: string): string;
}

/** Two processes that start at once end with one secret: a link is made once. */
const kept = async (path: string): Promise<string> => {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(temporary, randomBytes(32).toString('base64url'), { mode: 0o600 });
  await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(temporary, { force: true });
  return readFile(path, 'utf8');
};

export const loadSecrets = async (config: Config): Promise<Secrets> => {
  const secret = config.text('APP_SECRET') || (await kept(join(config.text('DATA_DIR'), 'app-secret')));
  return {
    pseudonym: (purpose, value) => createHmac('sha256', secret).update(`${purpose}\0${value}`).digest('hex'),
  };
};
