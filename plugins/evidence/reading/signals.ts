import type { ArrowSource, MarkedToken } from './marked-passage.ts';
import { ROLE } from './roles.ts';
import { findOutcome } from './skeleton.ts';
import type { Valence } from './valence.ts';

const SIGNS: Readonly<Record<string, number>> = {
  up: 1,
  down: -1,
  rise: 1,
  fall: -1,
};
const CLAUSE = /^(?:[.;]|whereas|while|but|although|however)$/;
const COPIES = 3;

interface Arrow {
  readonly sign: number;
  readonly source: ArrowSource;
  readonly isGood: boolean;
  readonly isSure: boolean;
  readonly isNear: boolean;
}

/** Returns the first and last token of the clause that contains the outcome. */
const outcomeClause = (tokens: readonly MarkedToken[]): readonly [number, number] => {
  const span = findOutcome(tokens);
  if (!span) return [0, tokens.length - 1];
  let [from, to] = span;
  while (from > 0 && !(CLAUSE.test(tokens[from - 1]!.text) && !tokens[from - 1]!.isHint)) from -= 1;
  while (to < tokens.length - 1 && !(CLAUSE.test(tokens[to]!.text) && !tokens[to]!.isHint)) to += 1;
  return [from, to];
};

const readArrows = (tokens: readonly MarkedToken[]): Arrow[] => {
  const [from, to] = outcomeClause(tokens);
  const found: Arrow[] = [];
  for (const [at, { text, isHint, source, isGood }] of tokens.entries()) {
    const sign = isHint && source ? SIGNS[text] : undefined;
    if (sign === undefined || !source) continue;
    const isSure = text === 'up' || text === 'down';
    found.push({ sign, source, isGood: isGood === true, isSure, isNear: at >= from && at <= to + 1 });
  }
  return found;
};

const sum = (arrows: readonly Arrow[]): number =>
  Math.max(
    -2,
    Math.min(
      2,
      arrows.reduce((total, { sign }) => total + sign, 0),
    ),
  );

const firstArm = (tokens: readonly MarkedToken[]): string => {
  const arms = ROLE.intervention | ROLE.comparator;
  const first = tokens.find(({ roles, isHint }) => !isHint && (roles & arms) !== 0 && (roles & arms) !== arms);
  return first ? (first.roles & ROLE.intervention ? 'I' : 'C') : '-';
};

/** Returns features that combine the arrows of a passage, by their origin and by whether they are in the outcome's clause. */
export const signalFeatures = (tokens: readonly MarkedToken[], valence: Valence, control: number): string[] => {
  const arrows = readArrows(tokens);
  const near = arrows.filter(({ isNear }) => isNear);
  const bySource = (from: readonly Arrow[], sources: readonly ArrowSource[]): number =>
    sum(from.filter(({ source, isGood }) => sources.includes(source) && !isGood));
  const good = sum(arrows.filter(({ isGood }) => isGood));
  const words = bySource(near, ['word', 'change']);
  const figures = bySource(near, ['figures', 'pair']);
  const ratio = bySource(near, ['ratio']);
  const features = [
    `Sw${words}`,
    `Sf${figures}`,
    `Sr${ratio}`,
    `Swa${bySource(arrows, ['word', 'change'])}`,
    `Sfa${bySource(arrows, ['figures'])}`,
    `Spa${bySource(arrows, ['pair'])}`,
    `Sra${bySource(arrows, ['ratio'])}`,
    `Sg${good}`,
    `Sgv${good},${valence}`,
    `Swf${Math.sign(words)},${Math.sign(figures)},${Math.sign(ratio)},${Math.sign(good)}`,
    `Sfirst${firstArm(tokens)},${control}`,
    `Sprior${valence},${control},${Math.sign(words + figures + ratio)},${Math.sign(good)}`,
  ];
  const copies: string[] = [];
  for (let copy = 0; copy < COPIES; copy += 1) for (const name of features) copies.push(`${name}#${copy}`);
  return copies;
};
