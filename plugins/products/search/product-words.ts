/** Tokenizes the texts of products and queries: both are folded, and numbers are joined with their neighbours. */
import { foldName } from '#core/search/name-index.ts';

const isNumber = (word: string): boolean => /^\d+$/.test(word);
const LONGEST = 40;

/**
 * Returns the distinct words of a text: "Omega-3 1,200 mg" gives omega, 3, omega3, 1200, mg, 1200mg, because spelling with or
 * without a space varies.
 */
export const productWords = (text: string): readonly string[] => {
  const plain = foldName(text.replace(/(\d)[,.\u2009](?=\d{3}\b)/g, '$1')).split(' ');
  const words = new Set<string>();
  plain.forEach((word, at) => {
    if (word) words.add(word.slice(0, LONGEST));
    const before = plain[at - 1];
    if (before && word && isNumber(before) !== isNumber(word)) words.add((before + word).slice(0, LONGEST));
  });
  return [...words];
};

/** Returns the words of a query in order, without joined forms, which only documents have. */
export const queryWords = (text: string): readonly string[] => [
  ...new Set(
    foldName(text.replace(/(\d)[,.\u2009](?=\d{3}\b)/g, '$1'))
      .split(' ')
      .filter(Boolean)
      .map((word) => word.slice(0, LONGEST)),
  ),
];
