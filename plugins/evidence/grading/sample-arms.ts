import { type FoundNumber, ONES } from './number-words.ts';
import { nEquals, type SampleCandidate, scoreAround } from './sample-candidates.ts';

const COUNT = 'two|three|four|five|six|seven|eight|nine|ten|[2-9]|10';
const GROUPS = new RegExp(
  `\\b(${COUNT}) (?:[a-z-]+ ){0,3}(?:groups|arms|treatments)\\b|\\b(?:one of|into|1 of) (?:the )?(${COUNT})\\b`,
);
const PER_GROUP_BEFORE = new RegExp(
  `\\b(${COUNT}) (?:[a-z-]+ ){0,2}groups(?: each)? (?:of|with|composed of|comprising|consisting of) $|\\b(in each (?:group|arm),? (?:there were )?|each group (?:had|comprised|included|consisted of|with|of) |groups of )$`,
);
const PER_GROUP_AFTER =
  /^\s?(?:\)|,)?\s?(?:[a-z]+ ){0,2}?(?:in each|in both|per|for each|each|in every|\/ ?group|\/ ?arm)\b(?! (?:of (?:the )?)?(?:day|week|month|year|kg|case))/;

const toCount = (word: string | undefined): number => ONES[word ?? ''] ?? (Number(word) || 0);

const groupsIn = (text: string): number => {
  const match = GROUPS.exec(text);
  const named = toCount(match?.[1] ?? match?.[2]);
  return named > 0 ? named : /\bplacebo|\bcontrol group|\bgroups\b/.test(text) ? 2 : 0;
};

/**
 * Multiplies the size of one arm by the number of groups: "32 patients in each group", "(n = 20 per group)", "two groups of 14
 * women".
 */
export const perGroup = (text: string, candidates: readonly SampleCandidate[]): SampleCandidate | null => {
  const bare = nEquals(text).map(({ value, start, end }) => ({ n: value, score: 0, at: start, phrase: '', end }));
  for (const arm of [...candidates, ...bare]) {
    const before = PER_GROUP_BEFORE.exec(text.slice(Math.max(0, arm.at - 60), arm.at));
    if (before === null && !PER_GROUP_AFTER.test(text.slice(arm.end, arm.end + 30))) continue;
    if (/\b(?:subgroup|subset|subsample|random sample) of $/.test(text.slice(Math.max(0, arm.at - 30), arm.at)))
      continue;
    const groups = toCount(before?.[1]) || groupsIn(text);
    return groups === 0 ? null : { ...arm, n: arm.n * groups, score: 5 };
  }
  return null;
};

const LAST_WORD = /([a-z]+),? ?[([]? ?n\s?[=:]\s?$/;

/** Finds counts in brackets after the people that they count: "Players (n = 28) were allocated". */
export const fromNounWithN = (text: string, nouns: ReadonlySet<string>): SampleCandidate[] => {
  const found: SampleCandidate[] = [];
  for (const { value, start, end } of nEquals(text)) {
    const noun = LAST_WORD.exec(text.slice(Math.max(0, start - 24), start))?.[1] ?? '';
    if (!nouns.has(noun) || PER_GROUP_AFTER.test(text.slice(end, end + 30))) continue;
    found.push({ n: value, score: 2.5 + scoreAround(text, start, end), at: start, phrase: '', end });
  }
  return found;
};

const isSameList = (gap: string): boolean =>
  gap.length <= 160 && !/\. [a-z]/.test(gap.replace(/\b(?:vs|e\.g|i\.e)\. /g, ' '));

const total = (arms: readonly FoundNumber[]): number => arms.reduce((sum, arm) => sum + arm.value, 0);

/** Adds up arms written as "(n = 31) … (n = 33)" in one sentence; a single "n = 64" is the whole sample. */
export const fromArms = (text: string): SampleCandidate | null => {
  const found = nEquals(text).filter(({ end }) => !PER_GROUP_AFTER.test(text.slice(end, end + 30)));
  const first = found[0];
  if (first === undefined) return null;
  const arms = [first];
  for (const next of found.slice(1, 10)) {
    if (!isSameList(text.slice(arms.at(-1)!.end, next.start))) break;
    arms.push(next);
  }
  const rest = total(arms.slice(1));
  // A list may start with its own total: "(n = 64) … (n = 32) … (n = 32)".
  const n = arms.length > 2 && rest > 0 && first.value >= rest ? first.value : first.value + rest;
  return { n, score: arms.length > 1 ? 4.5 : 2.5, at: first.start, phrase: '', end: arms.at(-1)!.end };
};

const MEN = /^(?:\S+ ){0,3}(?:men|males|boys)$/;
const WOMEN = /^(?:\S+ ){0,3}(?:women|females|girls)$/;

/** Adds up two adjacent counts of the sexes: "14 males, 14 females". */
export const addSexes = (text: string, candidates: readonly SampleCandidate[]): SampleCandidate | null => {
  for (const [index, left] of candidates.entries()) {
    const right = candidates[index + 1];
    if (right === undefined) continue;
    const both =
      (MEN.test(left.phrase) && WOMEN.test(right.phrase)) || (WOMEN.test(left.phrase) && MEN.test(right.phrase));
    const gap = text.slice(left.end, right.at);
    if (!both || gap.length > 60 || /[.)] [a-z]|\bor\b|\bvs\b|versus/.test(gap)) continue;
    const score = Math.max(left.score, right.score, 3.5) + (gap.length < 8 ? 1 : 0);
    return { n: left.n + right.n, score, at: left.at, phrase: '', end: right.end };
  }
  return null;
};
