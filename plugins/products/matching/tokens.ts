import { foldName } from '#core/search/name-index.ts';

/**
 * Tokenizes a text into folded words. Letters and digits are separated, so that "Vitamin D-3", "vitamin D3" and "VITAMIN D 3"
 * give the same three tokens.
 */
export const tokensOf = (text: string): string[] => {
  const folded = foldName(text)
    .replace(/(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu, ' ')
    // "Co Q10", "Co-Q-10" and "CoQ10" are the same name.
    .replace(/\bco q 10\b/g, 'coq 10');
  return folded ? folded.split(' ') : [];
};
