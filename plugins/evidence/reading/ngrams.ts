import type { MarkedToken } from './marked-passage.ts';
import { ROLE } from './roles.ts';
import { signalFeatures } from './signals.ts';
import { governingFeatures, skeletonGrams } from './skeleton.ts';
import { readValence } from './valence.ts';

const KEYWORDS = new Set(
  'significant significantly not no higher lower greater less more fewer increased increase increases decreased decrease decreases reduced reduction reduce improved improvement improve longer shorter better worse than vs versus compared between from with difference differences different similar comparable neither did superior inferior both groups favour respectively tended trend rose fell higher but however although baseline same unchanged affect effect non lowest highest smaller larger faster slower decline gain loss'.split(
    ' ',
  ),
);
const ARMS = new Set(['_I', '_C']);
const LONGEST_NGRAM = 4;
const OUTCOMES_LOOKED_AT = 3;
const IMPROVES = /^(?:improv\w*|better|superior)$/;

/** Returns the 32-bit FNV-1a hash over UTF-16 code units. */
export const hashFeature = (name: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index += 1) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  return hash >>> 0;
};

/**
 * Replaces words of the prompt with their role and figures with one placeholder; consecutive words of one role become one token.
 */
const abstractTokens = (tokens: readonly MarkedToken[]): string[] => {
  const names: string[] = [];
  for (const { text, roles, isHint } of tokens) {
    if (isHint) names.push(`<${text}>`);
    else if (roles !== 0) {
      const arms = roles & (ROLE.intervention | ROLE.comparator);
      const name =
        arms === ROLE.intervention ? '_I' : arms === ROLE.comparator ? '_C' : roles & ROLE.outcome ? '_O' : '_X';
      if (names.at(-1) !== name) names.push(name);
    } else names.push(/^\d/.test(text) ? '_N' : text);
  }
  return names;
};

const clamp = (value: number): number => Math.max(-2, Math.min(2, value));

/**
 * Adds features for the sums of the words "up" and "down" in a passage: all of them, those near the outcome, and the last one.
 */
const addVotes = (names: readonly string[], outcomes: readonly number[], add: (name: string) => void): number => {
  let [all, near, last] = [0, 0, 0];
  names.forEach((name, index) => {
    if (name !== '<up>' && name !== '<down>') return;
    last = name === '<up>' ? 1 : -1;
    all += last;
    if (outcomes.some((place) => Math.abs(place - index) <= 6)) near += last;
  });
  // Added several times, so that the vote weighs more than one n-gram among hundreds.
  for (let copy = 0; copy < 4; copy += 1) add(`V${clamp(all)}#${copy}`);
  add(`VN${clamp(near)}`);
  add(`VL${last}`);
  add(`VV${Math.sign(all)},${Math.sign(near)}`);
  return Math.sign(near) || Math.sign(all);
};

/**
 * Returns the hashed features of a marked passage: n-grams, n-grams of its keywords and of its skeleton, words around the
 * outcome, votes, and the votes combined with the words and the valence of the outcome.
 */
export const extractFeatures = (tokens: readonly MarkedToken[], outcome: string | null, control = 0): Set<number> => {
  const names = abstractTokens(tokens);
  const found = new Set<number>();
  const add = (name: string): void => void found.add(hashFeature(name));
  const addGrams = (words: readonly string[], shortest: number, mark: string): void => {
    for (let from = 0; from < words.length; from += 1)
      for (let size = shortest; size <= LONGEST_NGRAM && from + size <= words.length; size += 1)
        add(mark + words.slice(from, from + size).join(' '));
  };
  const isKey = (name: string): boolean => KEYWORDS.has(name) || name[0] === '<' || ARMS.has(name);
  addGrams(names, 1, '');
  addGrams(
    names.filter((name) => name === '_O' || isKey(name)),
    2,
    'K:',
  );
  const outcomes = names.flatMap((name, index) => (name === '_O' ? [index] : []));
  for (const place of outcomes.slice(0, OUTCOMES_LOOKED_AT))
    for (let index = Math.max(0, place - 8); index < Math.min(names.length, place + 20); index += 1)
      if (isKey(names[index]!)) add(`O:${index < place ? '-' : '+'}${names[index]}`);
  const vote = addVotes(names, outcomes, add);
  for (const gram of skeletonGrams(tokens)) add(gram);
  for (const name of governingFeatures(tokens)) add(name);
  if (outcome !== null) {
    const valence = readValence(outcome);
    const improves = names.some((name) => IMPROVES.test(name));
    for (let copy = 0; copy < 3; copy += 1) add(`VO${vote},${valence},${improves}#${copy}`);
    for (const name of signalFeatures(tokens, valence, control)) add(name);
    for (const word of outcomeWords(outcome)) {
      add(`ow:${word},c${control}`);
      add(`ow:${word}`);
      add(`ow:${word}${vote}`);
      if (improves) add(`ow:${word}improves`);
    }
  }
  add(`len${Math.min(6, Math.floor(names.length / 12))}`);
  return found;
};

/**
 * Returns the words of an outcome. They are features because outcomes such as "time to …" and "reduction …" tend to change in one
 * direction.
 */
const outcomeWords = (outcome: string): readonly string[] => outcome.slice(0, 400).toLowerCase().match(/\S+/g) ?? [];

/** Returns the words and the pairs of words of a marked passage. */
export const shortGrams = (tokens: readonly MarkedToken[]): string[] => {
  const names = abstractTokens(tokens);
  return [...names, ...names.slice(1).map((name, index) => `${names[index]} ${name}`)];
};
