/** The entry point of the program: runs the command that the arguments name. Only here is process.exit called. */

import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { processIo } from './cli-io.ts';
import { closeUmask } from './data-folder.ts';
import { createLog } from './log.ts';

// The umask is set before any module or child process writes a file.
closeUmask();

// When the reader closes the pipe early (`| head`), the program exits without an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

// Node would print the whole error, which may contain the row that a database rejected.
process.on('uncaughtException', (error) => {
  createLog('info').error('crashed', { error });
  process.exit(1);
});

// The compile cache is stored next to the installed packages and halves the load time. This has no effect when the folder is not
// writable, or when NODE_COMPILE_CACHE names another folder.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
const { runToEnd } = await import('./cli.ts');

void runToEnd(process.argv.slice(2), processIo).then((status) => process.exit(status));
