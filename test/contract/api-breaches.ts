/** Finds breaking changes between two versions of the API contract. */
import type { ApiPromise, Entry, Operation } from './api-promise.ts';

const CLASSES = ['public', 'limited', 'key', 'admin'];
/** Ceilings must not fall and floors must not rise. */
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

/** Lists inputs that are no longer accepted. The type `any` accepts everything. */
const takesLess = (before: Entry, now: Entry): readonly string[] => [
  ...(now.required && !before.required ? ['is needed now'] : []),
  ...(now.types.includes('any') ? [] : missing(before.types, now.types).map((type) => `takes no ${type} any more`)),
  ...(now.values ? missing(before.values ?? ['any value'], now.values).map((value) => `takes ${value} no more`) : []),
  ...narrowedBounds(before.bounds, now.bounds),
];

/** Lists response members that lost a guarantee. New values are allowed, because the docs tell clients to expect them. */
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
      // A required member of a new parent is not a breaking change here: a required parent is reported itself.
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

/** Describes the breaking changes; empty if every call that worked still works and returns at least as much. */
export const breachesOf = (before: ApiPromise, now: ApiPromise): string[] =>
  Object.entries(before).flatMap(([name, operation]) => {
    const found = now[name];
    return found ? ofOperation(operation, found).map((what) => `${name}: ${what}`) : [`${name} is gone`];
  });
