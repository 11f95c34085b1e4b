/** Detects sentences that repeat an earlier line in other words. */

/** Stop words, which carry no fact of their own. */
const EMPTY_WORDS = new Set(
  `a an the of to in on and or with for by from as at into out up is are be been being was were has have had do does
  can may it its that this these those they their there which who so if while when where than then such any one no not
  nor other also too all above more most you your`.split(/\s+/),
);

const ENDING = /(?<=[a-z]{3})(?:ies|es|s|ing|ed|d)$/;

const contentWords = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(/[a-z0-9](?:[a-z0-9,.%-]*[a-z0-9])?/g) ?? [])
      .filter((word) => !EMPTY_WORDS.has(word))
      .map((word) => word.replace(ENDING, '')),
  );

/** Minimum number of content words; fewer are too few to compare. */
const FEWEST_WORDS = 4;
const SHARE = 0.8;

/**
 * Returns whether one of the texts contains every figure of the sentence and four fifths of its words. A sentence with a figure
 * of its own is never a repetition.
 */
export const isRestated = (sentence: string, earlier: readonly string[]): boolean => {
  const words = [...contentWords(sentence)];
  if (words.length < FEWEST_WORDS) return false;
  return earlier.some((text) => {
    const said = contentWords(text);
    const found = words.filter((word) => said.has(word)).length;
    return found / words.length >= SHARE && words.every((word) => !/\d/.test(word) || said.has(word));
  });
};
