import type { MarkedToken } from './marked-passage.ts';
import { AGAINST, DOWN, UP } from './orientation.ts';
import { ROLE } from './roles.ts';

const DENIAL = new Set(
  'no not nor neither non without similar comparable same unchanged unaffected equal failed did'.split(' '),
);
const BETTER = /^(?:improv\w*|better|superior|benefi\w*|favou?r\w*|effective\w*)$/;
const WORSE = /^(?:worse\w*|inferior|impair\w*|deteriorat\w*)$/;
const CLAUSE_END = new Set(['.', ';', 'but', 'whereas', 'while', 'although', 'however', 'and', ',']);
const LONGEST = 6;

const classOf = ({ text, roles, isHint }: MarkedToken): string | null => {
  if (isHint) return `<${text}>`;
  if (roles & ROLE.outcome) return 'O';
  const arms = roles & (ROLE.intervention | ROLE.comparator);
  if (arms === ROLE.intervention) return 'I';
  if (arms === ROLE.comparator) return 'C';
  if (BETTER.test(text)) return 'better';
  if (WORSE.test(text)) return 'worse';
  if (UP.has(text)) return 'up';
  if (DOWN.has(text)) return 'down';
  if (AGAINST.has(text)) return 'than';
  if (DENIAL.has(text)) return 'not';
  if (text === 'respectively') return 'resp';
  return CLAUSE_END.has(text) ? text : null;
};

/** Returns n-grams over the sequence of arms, outcome, words of change, negation and comparison; all other words are left out. */
export const skeletonGrams = (tokens: readonly MarkedToken[]): string[] => {
  const classes: string[] = [];
  for (const token of tokens) {
    const name = classOf(token);
    if (name !== null && classes.at(-1) !== name) classes.push(name);
  }
  const grams: string[] = [];
  for (const [mark, names] of [
    ['S:', classes],
    ['B:', classes.filter((name) => !/^[,.;<a]/.test(name) && name !== 'O')],
  ] as const)
    for (let from = 0; from < names.length; from += 1)
      for (let size = 2; size <= LONGEST && from + size <= names.length; size += 1)
        grams.push(mark + names.slice(from, from + size).join(' '));
  return grams;
};

const SIGNS: Readonly<Record<string, number>> = {
  up: 2,
  down: -2,
  rise: 1,
  fall: -1,
};
const SPAN = 12;
const AUXILIARY = new Set('was were is are be been had showed did'.split(' '));

/** Returns the first and last token of the part of a passage that contains most different words of the outcome. */
export const findOutcome = (tokens: readonly MarkedToken[]): readonly [number, number] | null => {
  let best: readonly [number, number] | null = null;
  let most = 0;
  for (const [from, token] of tokens.entries()) {
    if (token.isHint || !(token.roles & ROLE.outcome)) continue;
    const seen = new Set<string>();
    for (let at = from; at < Math.min(tokens.length, from + SPAN); at += 1) {
      const { text, roles, isHint } = tokens[at]!;
      if (isHint || !(roles & ROLE.outcome) || seen.has(text)) continue;
      seen.add(text);
      const score = seen.size - (at - from) / 100;
      if (score > most) [most, best] = [score, [from, at]];
    }
  }
  return best;
};

/** Returns features for the word of change that governs the outcome: its sign, and its position before or after the outcome. */
export const governingFeatures = (tokens: readonly MarkedToken[]): string[] => {
  const span = findOutcome(tokens);
  if (!span) return ['G:none'];
  const look = (
    from: number,
    step: 1 | -1,
  ): { readonly sign: number; readonly far: number; readonly verb: boolean } => {
    let verb = false;
    for (let at = from, far = 0; at >= 0 && at < tokens.length && far < 60; at += step, far += 1) {
      const { text, isHint } = tokens[at]!;
      const sign = isHint ? SIGNS[text] : undefined;
      if (sign !== undefined) return { sign, far: far < 5 ? 0 : far < 15 ? 1 : 2, verb };
      if (!isHint && AUXILIARY.has(text)) verb = true;
      if (!isHint && (text === '.' || text === ';' || text === 'whereas' || text === 'while' || text === 'but')) break;
    }
    return { sign: 0, far: 3, verb };
  };
  const [left, right] = [look(span[0] - 1, -1), look(span[1] + 1, 1)];
  const rightGoverns = right.sign !== 0 && (left.sign === 0 || right.verb || (right.far === 0 && left.far > 0));
  const governing = rightGoverns ? right.sign : left.sign;
  const features = [
    `G:L${left.sign}${left.far}${left.verb}`,
    `G:R${right.sign}${right.far}${right.verb}`,
    `G:LR${left.sign},${right.sign},${right.verb}`,
    `G:all${left.sign},${left.far},${left.verb},${right.sign},${right.far},${right.verb}`,
  ];
  for (let copy = 0; copy < 5; copy += 1) features.push(`G:${governing}#${copy}`);
  return features;
};
