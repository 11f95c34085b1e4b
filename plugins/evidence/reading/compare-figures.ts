import { type Figure, readFigures } from './figures.ts';
import type { MarkedToken } from './marked-passage.ts';

/** A named arm and its token index; `arm` is +1 for the intervention and -1 for the comparator. */
export interface NamedArm {
  readonly at: number;
  readonly arm: number;
}

const PREPOSITION = /^(?:in|for|with|of|among|on|receiving|under|from|at|given|by)$/;
const BREAK = /^(?:,|;|and|whereas|while|but|vs|versus|than|compared)$/;
const FORWARD = 14;

/** Returns the arm that a preposition links to the figure before it: "3.2 ± 0.4 in the placebo group". */
const armBehind = (
  tokens: readonly MarkedToken[],
  figure: Figure,
  until: number,
  arms: ReadonlyMap<number, number>,
): number => {
  let isTied = false;
  let depth = 0;
  for (let at = figure.at + 1; at < Math.min(until, figure.at + FORWARD, tokens.length); at += 1) {
    const { text, isHint } = tokens[at]!;
    if (isHint) continue;
    if (text === '(' || text === '[') depth += 1;
    else if (text === ')' || text === ']') depth -= 1;
    // The figure is in brackets after its arm: "placebo (3.2), zinc (4.1)".
    if (depth < 0) return 0;
    if (depth > 0) continue;
    const arm = arms.get(at);
    if (arm !== undefined) return isTied ? arm : 0;
    if (BREAK.test(text)) return 0;
    if (PREPOSITION.test(text)) isTied = true;
  }
  return 0;
};

const ofFirst = (figures: readonly (Figure & { readonly owner: number })[], isShare: boolean): number | null => {
  const own = figures.find((one) => one.owner === 1 && one.isShare === isShare);
  const other = figures.find((one) => one.owner === -1 && one.isShare === isShare);
  return own && other ? Math.sign(own.value - other.value) : null;
};

const JOIN = /^(?:and|vs|versus|compared|against|,|\/|to)$/;
const LONGEST_GAP = 5;

/**
 * Returns whether two figures have little more than a unit and a joining word between them, apart from brackets: "3.2 ± 0.4 mg
 * and 4.1".
 */
const isJoined = (tokens: readonly MarkedToken[], first: Figure, second: Figure): boolean => {
  let joined = false;
  let depth = 0;
  let other = 0;
  for (let at = first.at + 1; at < second.at; at += 1) {
    const { text, isHint } = tokens[at]!;
    if (/^[([]$/.test(text)) depth += 1;
    else if (/^[)\]]$/.test(text)) depth -= 1;
    else if (depth > 0 || isHint) continue;
    else if (JOIN.test(text)) joined = true;
    else if (/^\p{L}/u.test(text)) other += 1;
  }
  return joined && other < LONGEST_GAP;
};

/** Compares two adjacent figures with two arms named in the same order: "zinc and placebo: 3.2 and 4.1". */
const compareInOrder = (
  tokens: readonly MarkedToken[],
  figures: readonly Figure[],
  arms: readonly NamedArm[],
): number => {
  const first = arms[0]!;
  const shares = figures.filter(({ isShare }) => isShare);
  const wanted = shares.length > 1 ? shares : figures;
  for (const [index, figure] of wanted.entries()) {
    const next = wanted[index + 1];
    if (next && isJoined(tokens, figure, next)) return Math.sign(figure.value - next.value) * first.arm;
  }
  return 0;
};

/** Compares the figures of both arms in a sentence: +1 when the intervention's is higher, -1 when it is lower, 0 when unclear. */
export const compareFigures = (tokens: readonly MarkedToken[], arms: readonly NamedArm[]): number => {
  if (!arms.some(({ arm }) => arm > 0) || !arms.some(({ arm }) => arm < 0)) return 0;
  const figures = readFigures(tokens);
  const places = new Map(arms.map(({ at, arm }) => [at, arm]));
  let before = 0;
  const owned = figures.map((figure, index) => {
    const behind = armBehind(tokens, figure, figures[index + 1]?.at ?? tokens.length, places);
    while (arms[before] && arms[before]!.at < figure.at) before += 1;
    return { ...figure, owner: behind || (arms[before - 1]?.arm ?? 0) };
  });
  return ofFirst(owned, true) ?? ofFirst(owned, false) ?? compareInOrder(tokens, figures, arms);
};
