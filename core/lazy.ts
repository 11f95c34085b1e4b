/**
 * Loads libraries that most commands do not need on first use, which makes a start faster. Code that can wait uses `await
 * import()`; test/core/start.test.ts lists the modules that no start may load.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Loads a CommonJS library synchronously, for code that cannot wait.
 * @param name of the library; it is loaded once
 * @param Library `typeof import(name)`
 */
export const requireOnce = <Library>(name: string): Library => require(name) as Library;
