/** argv → boot → serve | generate | config | migrate | jobs | a plugin's command. The only process.exit. */

import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { AppError, ContentError, OperatorError } from './errors.ts';
import { createLog } from './log.ts';
import { RegistryError } from './registry.ts';

const explain = (error: unknown): string => {
  if (
    error instanceof OperatorError ||
    error instanceof ContentError ||
    error instanceof RegistryError ||
    error instanceof AppError
  )
    return error.message;
  if ((error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')) return (error as Error).message;
  return (error as Error).stack ?? String(error);
};

// A reader that closes the pipe early (`| head`) has had enough: no trace, no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

// Node would print the whole error, with the row that a database refused.
process.on('uncaughtException', (error) => {
  createLog('info').error('crashed', { error });
  process.exit(1);
});

// What was compiled once is kept beside the installed packages, which halves the time to load it. Where nothing can be
// written there, or NODE_COMPILE_CACHE names another folder, this does nothing.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
const run = async (args: readonly string[]): Promise<number> => (await import('./cli.ts')).run(args);

run(process.argv.slice(2)).then(
  (status) => process.exit(status),
  (error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  },
);
