/** What a change of the API takes away from those who call it. */
import type { ApiPromise, Entry, Operation } from './api-promise.ts';

const CLASSES = ['public', 'limited', 'key', 'admin'];
/** A number that must not fall, and one that must not rise. */
const CEILINGS = ['maximum', 'maxLength', 'maxItems'];
const FLOORS = ['minimum', 'minLength', 'minItems'];

const missing = (before: readonly string[], now: readonly string[]): readonly string[] =>
  before.filter((value) => !now.includes(value));

const narrowedBounds = (before: Entry['bounds'], now: Entry['bounds']): readonly string[] =>
  Object.entries(now).flatMap(([name, value]) => {
    const held = before[name];
    if (held === value) return [];
    if (held !== undefined && CEILINGS.includes(name)) return Number(value) < Number(held) ? [`${name} fell`] : [];
    if (held !== undefined && FLOORS.includes(name)) return Number(value) > Number(held) ? [`${name} rose`] : [];
    return [`${name} is new or another`];
  });

/** What was taken must still be. `any` takes everything. */
const takesLess = (before: Entry, now: Entry): readonly string[] => [
  ...(now.required && !before.required ? ['is needed now'] : []),
  ...(now.types.includes('any') ? [] : missing(before.types, now.types).map((type) => `takes no ${type} any more`)),
  ...(now.values ? missing(before.values ?? ['any value'], now.values).map((value) => `takes ${value} no more`) : []),
  ...narrowedBounds(before.bounds, now.bounds),
];

/** What was told must still be, in the same types: values may be added, as readers are told. */
const tellsLess = (before: Entry, now: Entry): readonly string[] => [
  ...(before.required && !now.required ? ['may be missing now'] : []),
  ...(before.types.includes('any') ? [] : missing(now.types, before.types).map((type) => `may be ${type} now`)),
];

const compare = (
  before: Readonly<Record<string, Entry>>,
  now: Readonly<Record<string, Entry>>,
  rule: (before: Entry, now: Entry) => readonly string[],
): string[] =>
  Object.entries(before).flatMap(([path, entry]) => {
    const found = now[path];
    return found ? rule(entry, found).map((what) => `${path} ${what}`) : [`${path} is gone`];
  });

const newAndNeeded = (before: Operation, now: Operation): string[] =>
  Object.entries(now.takes)
    .filter(([path, { required }]) => {
      const [, parent = ''] = /^(.*)(?:\.[^.[{]+|\[\]|\{\})$/.exec(path) ?? [];
      // Below something that is new itself, and may be left out, nothing new is asked of anybody.
      return required && !(path in before.takes) && !(parent && !(parent in before.takes));
    })
    .map(([path]) => `${path} is new and needed`);

const ofOperation = (before: Operation, now: Operation): string[] => [
  ...(CLASSES.indexOf(now.access) > CLASSES.indexOf(before.access) ? [`access is ${now.access} now`] : []),
  ...missing(before.statuses, now.statuses).map((status) => `status ${status} is gone`),
  ...compare(before.takes, now.takes, takesLess),
  ...newAndNeeded(before, now),
  ...Object.entries(before.answers).flatMap(([kind, entries]) => {
    const found = now.answers[kind];
    return found ? compare(entries, found, tellsLess).map((what) => `${kind}: ${what}`) : [`${kind} is gone`];
  }),
];

/** In words; empty when every call that worked works, and is told no less. */
export const breachesOf = (before: ApiPromise, now: ApiPromise): string[] =>
  Object.entries(before).flatMap(([name, operation]) => {
    const found = now[name];
    return found ? ofOperation(operation, found).map((what) => `${name}: ${what}`) : [`${name} is gone`];
  });
