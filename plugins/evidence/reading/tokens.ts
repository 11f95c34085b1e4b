/** A word, number or sign of a text with its position in the original characters. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const ENTITY = /&(?:amp;)?(?:nbsp|lt|gt|plusmn|#\d{1,5});|<\/?(?:sub|sup|i|b|em|strong)>/g;
const DASHES = /[\u2010-\u2015\u2212]/g;
const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\n\r\t]/g;
const TOKEN = /\d+(?:\.\d+)?|\p{L}+|[^\s\p{L}\d]/gu;

/** Normalizes dashes, spaces, quotes and decimal points without changing the length, so that offsets remain valid. */
export const unifyCharacters = (text: string): string =>
  text
    .replace(ENTITY, (found) => ' '.repeat(found.length))
    .replace(DASHES, '-')
    .replace(SPACES, ' ')
    .replace(/[\u2018\u2019\u2032]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/\u00b7(?=\d)/g, '.')
    .replace(/[\u2264\u2a7d]/g, '<')
    .replace(/[\u2265\u2a7e]/g, '>');

/** Splits normalized text into words, numbers and signs. Preserves letter case, because it identifies abbreviations. */
export const tokenize = (text: string): Token[] => {
  const tokens: Token[] = [];
  for (const match of text.matchAll(TOKEN))
    tokens.push({ text: match[0], start: match.index, end: match.index + match[0].length });
  return tokens;
};

/** Reduces a lower-case word to a simple stem, so that "reductions" matches "reduction" and "treated" matches "treat". */
export const stem = (word: string): string => {
  if (word.length < 5)
    return word.length === 4 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
  return word
    .replace(/ies$/, 'y')
    .replace(/(?<!s)s$/, '')
    .replace(/(?:ing|ed|ly)$/, '')
    .replace(/e$/, '');
};
