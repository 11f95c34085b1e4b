/** The words of a product's texts and of a query: folded alike, numbers joined with what stands beside them. */
import { foldName } from '#core/search/name-index.ts';

const isNumber = (word: string): boolean => /^\d+$/.test(word);
const LONGEST = 40;

/**
 * "Omega-3 1,200 mg" gives omega, 3, omega3, 1200, mg, 1200mg: writers put a blank there or not. Repeats are dropped.
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

/** The words of a query in order: joined forms are left to the documents. */
export const queryWords = (text: string): readonly string[] => [
  ...new Set(
    foldName(text.replace(/(\d)[,.\u2009](?=\d{3}\b)/g, '$1'))
      .split(' ')
      .filter(Boolean)
      .map((word) => word.slice(0, LONGEST)),
  ),
];
