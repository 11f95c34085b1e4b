/** Merges two readings of one image: each finds words that the other misses, and differences become rivals. */
import type { Word } from './page-words.ts';

const share = (a0: number, a1: number, b0: number, b1: number): number =>
  (Math.min(a1, b1) - Math.max(a0, b0)) / Math.min(a1 - a0, b1 - b0);

/** Returns whether two words overlap. */
const meet = (a: Word, b: Word): boolean =>
  share(a.x, a.x + a.width, b.x, b.x + b.width) > 0.4 && share(a.y, a.y + a.height, b.y, b.y + b.height) > 0.4;

const bare = (text: string): string => text.replace(/[|_'"“”‘’`~]/g, '');

/** Groups the words of both readings that overlap. */
const groupsOf = (first: readonly Word[], second: readonly Word[]): { first: Word[]; second: Word[] }[] => {
  const group = new Map<Word, { first: Word[]; second: Word[] }>();
  const groups = new Set<{ first: Word[]; second: Word[] }>();
  for (const word of first) {
    const own = { first: [word], second: [] };
    group.set(word, own);
    groups.add(own);
  }
  for (const word of second) {
    const met = [...new Set(first.filter((other) => meet(other, word)).map((other) => group.get(other)!))];
    const [own = { first: [], second: [] }, ...rest] = met;
    groups.add(own);
    own.second.push(word);
    for (const other of rest) {
      own.first.push(...other.first);
      own.second.push(...other.second);
      groups.delete(other);
      for (const moved of other.first) group.set(moved, own);
    }
  }
  return [...groups];
};

const sureness = (words: readonly Word[]): number =>
  words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) /
  (words.reduce((sum, { text }) => sum + text.length, 0) || 1);

const joined = (words: readonly Word[]): string =>
  bare(
    [...words]
      .sort((a, b) => a.x - b.x)
      .map(({ text }) => text)
      .join(''),
  );

const least = 0.35;

/**
 * Returns whether a word that only one reading found is probably real: dust is sometimes read as letters, but rarely as a number.
 */
const isLikely = ({ text, confidence }: Word): boolean => confidence >= least || /\d/.test(text);

export const merged = (first: readonly Word[], second: readonly Word[]): Word[] =>
  groupsOf(first, second).flatMap(({ first: a, second: b }) => {
    if (!a.length || !b.length) return [...a, ...b].filter(isLikely);
    const [one, other] = sureness(a) >= sureness(b) ? [a, b] : [b, a];
    if (joined(one) === joined(other))
      return one.map((word) => ({ ...word, confidence: Math.min(0.99, word.confidence + 0.05) }));
    const rival = joined(other);
    return one.map((word) => ({ ...word, rival: one.length === 1 ? rival : (word.rival ?? rival) }));
  });
