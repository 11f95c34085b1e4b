/** A word, number or sign of a text with its place in the original characters; hints have no place of their own. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const ENTITY = /&(?:amp;)?(?:nbsp|lt|gt|plusmn|#\d{1,5});|<\/?(?:sub|sup|i|b|em|strong)>/g;
const DASHES = /[\u2010-\u2015\u2212]/g;
const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\n\r\t]/g;
const TOKEN = /\d+(?:\.\d+)?|\p{L}+|[^\s\p{L}\d]/gu;

/** Unifies dashes, spaces, quotes and decimal dots one character for one, so that offsets stay valid. */
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

/** Splits unified text into words, numbers and signs. Letter case is kept: abbreviations are recognised by it. */
export const tokenize = (text: string): Token[] => {
  const tokens: Token[] = [];
  for (const match of text.matchAll(TOKEN))
    tokens.push({ text: match[0], start: match.index, end: match.index + match[0].length });
  return tokens;
};

/** Reduces a lower-case word to a crude stem: enough to match "reductions" with "reduction" and "treated" with "treat". */
export const stem = (word: string): string => {
  if (word.length < 5)
    return word.length === 4 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
  return word
    .replace(/ies$/, 'y')
    .replace(/(?<!s)s$/, '')
    .replace(/(?:ing|ed|ly)$/, '')
    .replace(/e$/, '');
};
