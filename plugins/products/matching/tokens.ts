import { foldName } from '#core/search/name-index.ts';

/** Folded words; letters and digits part, so that "Vitamin D-3", "vitamin D3" and "VITAMIN D 3" are the same three. */
export const tokensOf = (text: string): string[] => {
  const folded = foldName(text)
    .replace(/(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu, ' ')
    // "Co Q10", "Co-Q-10" and "CoQ10" are one name.
    .replace(/\bco q 10\b/g, 'coq 10');
  return folded ? folded.split(' ') : [];
};
