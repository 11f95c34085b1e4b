/** One word of a text, folded so that different spellings match: "β-Alanine" gives beta, alanine; "CoQ10" gives coq, 10. */
export interface Token {
  readonly word: string;
  /** Whether the text writes the word in capitals only; separates NAC and EPA from ordinary words. */
  readonly capitals: boolean;
  readonly start: number;
}

const GREEK: Readonly<Record<string, string>> = {
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  δ: 'delta',
  ω: 'omega',
  κ: 'kappa',
  λ: 'lambda',
};

// Folds British and American spellings of a word to the same letters; the result need not be a word.
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/haem/g, 'hem'],
  [/aem(?=i)/g, 'em'],
  [/oed/g, 'ed'],
  [/oest/g, 'est'],
  [/rrhoe/g, 'rrhe'],
  [/paed/g, 'ped'],
  [/^foet/g, 'fet'],
  [/our(?=s?$)/g, 'or'],
  [/sulph/g, 'sulf'],
  [/fibre/g, 'fiber'],
  [/is(?=(?:e|ed|ing|ation|es)$)/g, 'iz'],
  [/yoghurt/g, 'yogurt'],
];

const CACHE_LIMIT = 50_000;
const folded = new Map<string, string>();

const fold = (word: string): string => {
  const known = folded.get(word);
  if (known !== undefined) return known;
  let plain = word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[αβγδωκλ]/g, (letter) => GREEK[letter] ?? letter);
  for (const [pattern, spelling] of SPELLINGS) plain = plain.replace(pattern, spelling);
  if (folded.size >= CACHE_LIMIT) folded.clear();
  folded.set(word, plain);
  return plain;
};

/** Splits a text into folded words; separates letters from digits ("b12" gives b, 12) and drops a possessive 's. */
export const tokenise = (text: string): Token[] => {
  const tokens: Token[] = [];
  for (const match of text.matchAll(/\p{L}[\p{L}\p{M}]*|\p{N}+/gu)) {
    const word = match[0];
    if (word === 's' && /['\u2019]/.test(text.charAt(match.index - 1))) continue;
    tokens.push({ word: fold(word), capitals: word.length > 1 && word === word.toUpperCase(), start: match.index });
  }
  return tokens;
};
