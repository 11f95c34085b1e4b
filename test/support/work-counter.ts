/**
 * Counts work instead of time: block executions, and characters that string and regular expression methods read. Both are
 * independent of the load of the machine. Backtracking within a regular expression and copies of a string are not counted.
 */
import { Session } from 'node:inspector/promises';

type Method = (...given: unknown[]) => unknown;

/** Returns the minimum number of characters or items that a call on a string, a regular expression or an array reads. */
const looks = (
  self: unknown,
  given: readonly unknown[],
  { name, result, from }: { name: string; result: unknown; from: number },
): number => {
  if (self instanceof RegExp) {
    const end = result === true && (self.sticky || self.global) ? self.lastIndex : String(given[0]).length;
    return Math.max(1, (self.sticky && result === false ? from : end) - from);
  }
  if (Array.isArray(self)) return name === 'join' ? String(result).length : self.length;
  const text = String(self);
  if (typeof result !== 'number') return text.length;
  const start = typeof given[1] === 'number' ? Math.max(0, given[1]) : 0;
  return Math.max(1, (result < 0 ? text.length : result) - start);
};

const WATCHED: readonly (readonly [object, readonly string[]])[] = [
  [String.prototype, ['indexOf', 'includes', 'split', 'replace', 'replaceAll', 'search', 'trim', 'trimStart']],
  [RegExp.prototype, ['test']],
  [Array.prototype, ['join', 'map', 'filter', 'flatMap', 'find']],
];

const OURS = /\/(?:core|plugins)\/|node_modules\/(?:saxes|htmlparser2|yaml)\//;

/** Returns the number of block executions and characters that `work` takes. */
export const countWork = async (work: () => Promise<unknown> | unknown): Promise<number> => {
  const session = new Session();
  session.connect();
  let characters = 0;
  const originals: (readonly [object, string, Method])[] = [];
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    for (const [prototype, names] of WATCHED)
      for (const name of names) {
        const original = Reflect.get(prototype, name) as Method;
        originals.push([prototype, name, original]);
        const counted = function (this: unknown, ...given: unknown[]): unknown {
          const from = this instanceof RegExp && (this.sticky || this.global) ? this.lastIndex : 0;
          const result = Reflect.apply(original, this, given);
          characters += looks(this, given, { name, result, from });
          return result;
        };
        Reflect.set(prototype, name, counted);
      }
    try {
      await work();
    } finally {
      for (const [prototype, name, original] of originals) Reflect.set(prototype, name, original);
    }
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const steps = result
      .filter(({ url }) => OURS.test(url))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
      .reduce((sum, count) => sum + count, 0);
    return steps + characters;
  } finally {
    await session.post('Profiler.stopPreciseCoverage').catch(() => undefined);
    session.disconnect();
  }
};
