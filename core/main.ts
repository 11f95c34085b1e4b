/** argv → boot → serve | generate | config | migrate | jobs | a plugin's command. The only process.exit. */

import { runToEnd } from './cli.ts';
import { createLog } from './log.ts';
import { ofThisProcess } from './surroundings.ts';

// A reader that closes the pipe early (`| head`) has had enough: no trace, no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

// Node would print the whole error, with the row that a database refused.
process.on('uncaughtException', (error) => {
  createLog('info').error('crashed', { error });
  process.exit(1);
});

void runToEnd(process.argv.slice(2), ofThisProcess).then((status) => process.exit(status));
