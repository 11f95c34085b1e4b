/** Logs which packages of node_modules each thread of a program loaded, when the thread ends. Preloaded with `--import`. */
import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';

const loaded = new Set();
registerHooks({
  load(url, context, next) {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
    if (name) loaded.add(name);
    return next(url, context);
  },
});
process.on('exit', () => writeSync(2, `loaded: ${[...loaded].join(' ')}\n`));
