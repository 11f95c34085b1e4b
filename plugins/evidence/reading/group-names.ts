import { findControl } from './control-arm.ts';
import type { Token } from './tokens.ts';

/** Returns the arm that a group's letter or number names: +1 the intervention, -1 the comparator, 0 unknown. */
export type GroupNames = (name: string) => -1 | 0 | 1;

const NAMED = /\b(?:group|arm)s? ?[:(-]? ?([A-Z]{1,3}|\d)\b|\(([A-H]|\d)\)/gi;
const LETTER = /^(?:[A-Z]{1,3}|[a-h]|\d)$/;
const LOOKED_AT = 400;

const namesOf = (arm: string): Set<string> => {
  const found = new Set<string>();
  for (const match of arm.slice(0, LOOKED_AT).matchAll(NAMED)) found.add((match[1] ?? match[2])!.toLowerCase());
  return found;
};

/** Returns the first letters of the longer words of an arm, as in "group P" for propofol. */
const firstLetters = (arm: string): Set<string> =>
  new Set((arm.slice(0, LOOKED_AT).match(/\p{L}{3,}/gu) ?? []).map((word) => word[0]!.toLowerCase()));

const OTHER: Readonly<Record<string, string>> = { a: 'b', b: 'a', '1': '2', '2': '1', i: 'ii', ii: 'i' };

/**
 * Builds a function that resolves "group A", "group 2" or "group P" by the letters in the prompt, else by the first letters of
 * its words.
 */
export const readGroupNames = (intervention: string, comparator: string): GroupNames => {
  const named = [namesOf(intervention), namesOf(comparator)] as const;
  const letters = [firstLetters(intervention), firstLetters(comparator)] as const;
  const control = findControl(intervention, comparator);
  const pick = (sets: readonly [ReadonlySet<string>, ReadonlySet<string>], name: string): -1 | 0 | 1 => {
    const [first, second] = [sets[0].has(name), sets[1].has(name)];
    return first === second ? 0 : first ? 1 : -1;
  };
  return (text) => {
    const name = text.toLowerCase();
    const own = pick(named, name);
    if (own !== 0) return own;
    // The prompt names one of two groups, so the other group is the other arm.
    const other = OTHER[name];
    if (other !== undefined && named[0].size + named[1].size > 0) return -pick(named, other) as -1 | 0 | 1;
    if (!/^[c-z]$/.test(name) || named[0].size + named[1].size > 0) return 0;
    return pick(letters, name) || (name === 'c' ? control : 0);
  };
};

const GROUP_WORD = /^(?:groups?|arms?|gr|grp)$/i;
const JOINS = /^(?:and|or|to|vs|versus|than|with|from|,|\/|&|\.|-|\+|compared|\()$/i;
const LONGEST_LIST = 12;

/** Returns the token indexes of the letters and numbers after "group" or "groups", also in a list such as "groups A, B and C". */
export const findGroupNames = (tokens: readonly Token[]): number[] => {
  const found: number[] = [];
  for (const [index, { text }] of tokens.entries()) {
    if (!GROUP_WORD.test(text)) continue;
    for (let at = index + 1; at < Math.min(tokens.length, index + LONGEST_LIST); at += 1) {
      const word = tokens[at]!.text;
      if (LETTER.test(word) && !(word === 'a' && at > index + 1)) found.push(at);
      else if (at === index + 1 ? word !== '(' && word !== '-' : !JOINS.test(word)) break;
    }
  }
  return found;
};
