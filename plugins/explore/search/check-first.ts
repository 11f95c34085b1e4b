/** Checks the interaction of the two things that a query names; the result is shown before everything else. */
import { type Static, Type } from 'typebox';
import {
  check,
  type InteractionServices,
  pairToDo,
  SEVERITY_WORDS,
  type Severity,
} from '#plugins/interactions/index.ts';
import type { Sides } from './interaction-hits.ts';
import type { QueryName } from './query-names.ts';

export const CheckView = Type.Object({
  title: Type.String(),
  severity: Type.Union([Type.Object({ code: Type.String(), word: Type.String() }), Type.Null()]),
  /** Advice; "" when there is no severity. */
  toDo: Type.String(),
  text: Type.String(),
  /** How uncertain names were interpreted; "" when all are certain. */
  doubt: Type.String(),
  href: Type.String(),
  /** Authorities that have information on what this base does not cover. */
  authorities: Type.Array(Type.Object({ name: Type.String(), url: Type.String() })),
  /** Address of the checker with all names of the query; "" when there are only these two. */
  allHref: Type.String(),
});
export type CheckView = Static<typeof CheckView>;

const listOf = (names: readonly QueryName[]): string => names.map(({ name }) => name).join(', ');

const addressOf = (given: Readonly<Record<string, string>>): string => `/interactions?${new URLSearchParams(given)}`;

const doubtOf = (names: readonly QueryName[]): string =>
  names
    .filter(({ sure }) => !sure)
    .map(({ words, name }) => `“${words}” was read as ${name}: check that this is what you mean.`)
    .join(' ');

/** Returns the pair to check: a supplement and a medicine, otherwise the first two of a kind. */
const firstTwo = ({ subjects, medicines }: Sides): readonly [QueryName, QueryName] | null => {
  const [a, b] = subjects.length && medicines.length ? [subjects[0], medicines[0]] : [...medicines, ...subjects];
  return a && b ? [a, b] : null;
};

/**
 * Checks the first supplement with the first medicine, or else two of a kind. Two medicines always give a result, although such
 * pairs are not covered. Two supplements give one only when an interaction is recorded, because most such queries ask for
 * something else. Returns null when the query names no pair.
 */
export const checkFirst = async (
  interactions: InteractionServices,
  { subjects, medicines }: Sides,
): Promise<CheckView | null> => {
  const pair = firstTwo({ subjects, medicines });
  if (!pair) return null;
  const [subject, medicine] = pair;
  const book = await interactions.book();
  const answer = await check(book, interactions.names(book), { supplement: subject.name, drug: medicine.name });
  if (!medicines.length && !answer.found) return null;
  const severity = 'severity' in answer ? (answer.severity as Severity) : null;
  const several = subjects.length > 1 || medicines.length > 1;
  return {
    title: `${subject.name} and ${medicine.name}`,
    severity: severity && { code: severity, word: SEVERITY_WORDS[severity] },
    toDo: severity && 'action' in answer ? pairToDo(severity, answer.action) : '',
    text: 'effect' in answer ? String(answer.effect) : String('message' in answer ? answer.message : ''),
    doubt: doubtOf([subject, medicine]),
    href: addressOf({ supplement: subject.name, drug: medicine.name }),
    authorities: 'authorities' in answer ? [...(answer.authorities ?? [])] : [],
    allHref: several ? addressOf({ s: listOf(subjects), d: listOf(medicines) }) : '',
  };
};
