/** argv → boot → serve | generate | config | migrate | jobs | a plugin's command. The only process.exit. */

import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { processIo } from './cli-io.ts';
import { closeUmask } from './data-folder.ts';
import { createLog } from './log.ts';

// Before anything is written, by whatever part or child process.
closeUmask();

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
const { runToEnd } = await import('./cli.ts');

void runToEnd(process.argv.slice(2), processIo).then((status) => process.exit(status));
