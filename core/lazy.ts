/**
 * Libraries that most commands do without: a start is quicker when each is loaded with the first call that needs it.
 * A call that may wait says `await import()`; test/core/start.test.ts lists what no start loads.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * For calls that cannot wait.
 * @param name of a CommonJS library, which is loaded once
 * @param Library `typeof import(name)`
 */
export const requireOnce = <Library>(name: string): Library => require(name) as Library;
