/**
 * Converts text into index terms, for English biomedical text. Documents and queries go through the same steps:
 * fold characters, split into words and compounds, drop stop words, normalise spelling, stem.
 */
import { americanise } from './spelling.ts';
import { stem } from './stemmer.ts';

/** Part of every index version: change it whenever the terms of any text may change. */
export const ANALYSER_VERSION = 'en-2';

const LONGEST_WORD = 40;
const MEMO_SIZE = 200_000;

/** The list is short on purpose: negations (no, not, without) and quantities are not in it, they carry meaning in findings. */
const STOP_WORDS = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have how i in into is it its may might my of on or ' +
    'our should so such than that the their them then there these they this those to us was we were what when where ' +
    'which while who whom whose why will with would you your'
  ).split(' '),
);

const GREEK = new Map(
  Object.entries({ α: 'alpha', β: 'beta', γ: 'gamma', δ: 'delta', ε: 'epsilon', ζ: 'zeta', η: 'eta', θ: 'theta' })
    .concat(Object.entries({ ι: 'iota', κ: 'kappa', λ: 'lambda', μ: 'mu', ν: 'nu', ξ: 'xi', ο: 'omicron', π: 'pi' }))
    .concat(Object.entries({ ρ: 'rho', σ: 'sigma', ς: 'sigma', τ: 'tau', υ: 'upsilon', φ: 'phi', χ: 'chi' }))
    .concat(Object.entries({ ψ: 'psi', ω: 'omega' })),
);

const LATIN = new Map(Object.entries({ æ: 'ae', œ: 'oe', ø: 'o', ß: 'ss', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }));

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII as a whole.
const ASCII = /^[\x00-\x7f]*$/;
const ASCII_TOKEN = /[a-z0-9]+(?:(?:[-']|(?<=\d)[.,](?=\d))[a-z0-9]+)*/g;
const UNICODE_TOKEN = /[\p{L}\p{N}]+(?:(?:[-']|(?<=\d)[.,](?=\d))[\p{L}\p{N}]+)*/gu;
const ASCII_WORD = /[a-z0-9]+/g;
const UNICODE_WORD = /[\p{L}\p{N}]+/gu;
/** Matches a number with a unit: "500mg" is also indexed as "500 mg". */
const AMOUNT = /^(\d+(?:\.\d+)?)(mg|g|kg|mcg|ug|ng|iu|ml|dl|l|kcal|mmol|nmol|h|hr|wk|weeks?|days?|months?|years?)$/;
const VITAMIN_LETTER = /^([a-ek])(\d{0,2})$/;

/**
 * Returns the text in lower case and compatibility form, without accents, with Greek letters spelt out and with one kind
 * of hyphen and apostrophe.
 */
export function foldCharacters(text: string): string {
  if (ASCII.test(text)) return foldNames(text.toLowerCase());
  const folded = text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/μ(?=g\b)/g, 'mc')
    .replace(/\p{Script=Greek}/gu, (letter) => GREEK.get(letter) ?? letter)
    .replace(/[æœøßłđðþı]/g, (letter) => LATIN.get(letter) ?? letter)
    .replace(/[‐‑‒–−]/g, '-')
    .replace(/[’ʼ′‘]/g, "'")
    .normalize('NFC');
  return foldNames(folded);
}

/** Unifies nutrient names that are written in several ways: n-3 and ω-3; 25(OH)D and 25-hydroxyvitamin D. */
function foldNames(text: string): string {
  let folded = text;
  if (folded.includes('n-')) folded = folded.replace(/\bn-([369])\b/g, 'omega-$1');
  if (folded.includes('(oh)')) {
    folded = folded
      .replace(/\b1,25-?\s*\(oh\)\s*2-?\s*(?:vit(?:amin)?)?\s*d/g, '1,25-dihydroxyvitamin d')
      .replace(/\b25-?\s*\(oh\)-?\s*(?:vit(?:amin)?)?\s*d/g, '25-hydroxyvitamin d');
  }
  return folded;
}

/** Returns the terms of a text in reading order, with repeats. Never throws; words of more than 40 characters are truncated. */
export function analyse(text: string): string[] {
  return termsOf(foldCharacters(text));
}

/** Returns the terms of a text, and its words folded but not stemmed; neither contains stop words. */
export function analyseBoth(text: string): { terms: string[]; words: string[] } {
  const folded = foldCharacters(text);
  return { terms: termsOf(folded), words: wordsOf(folded) };
}

function wordsOf(folded: string): string[] {
  const found = folded.match(ASCII.test(folded) ? ASCII_WORD : UNICODE_WORD) ?? [];
  return found.filter((word) => !STOP_WORDS.has(word)).map((word) => word.slice(0, LONGEST_WORD));
}

function termsOf(folded: string): string[] {
  const pattern = ASCII.test(folded) ? ASCII_TOKEN : UNICODE_TOKEN;
  const terms: string[] = [];
  let vitamins = false;
  let directly = false;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(folded); match !== null; match = pattern.exec(folded)) {
    const token = match[0];
    const letter = vitamins ? VITAMIN_LETTER.exec(token) : null;
    if (letter && (directly || token !== 'a')) {
      emitVitamin(letter, terms);
      directly = false;
      continue;
    }
    emitToken(token, terms);
    directly = token.endsWith('vitamin') || token === 'vitamins';
    // In "vitamins C, D and E" the list continues after a conjunction.
    vitamins = directly || (vitamins && (token === 'and' || token === 'or'));
  }
  return terms;
}

/** Adds vitamind to the terms of "vitamin d", so that the name weighs more than its two words and equals "vitamin-d". */
function emitVitamin(match: RegExpExecArray, terms: string[]): void {
  const [token, letter, digits] = match;
  if (!STOP_WORDS.has(token)) terms.push(token);
  terms.push(`vitamin${token}`);
  if (digits && (letter === 'd' || letter === 'k')) terms.push(`vitamin${letter}`);
}

function emitToken(token: string, terms: string[]): void {
  if (!/[-'.,]/.test(token)) {
    emitWord(token, terms);
    return;
  }
  const parts = token
    .replace(/'s(?=-|$)/g, '')
    .replaceAll("'", '')
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .split(/[-,]/);
  for (const part of parts) emitWord(part, terms);
  if (parts.length > 1 && parts.length <= 4) {
    const joined = parts.join('');
    if (joined.length <= LONGEST_WORD) terms.push(termOf(joined));
  }
}

function emitWord(word: string, terms: string[]): void {
  if (word === '' || STOP_WORDS.has(word)) return;
  terms.push(termOf(word));
  // coq10 and omega3 are also indexed as "CoQ 10" and "omega 3".
  const mixed = /^([a-z]{3,})(\d{1,3})$/.exec(word);
  if (mixed) terms.push(termOf(mixed[1]!), mixed[2]!);
  const amount = AMOUNT.exec(word);
  if (amount) terms.push(amount[1]!, termOf(amount[2]!));
}

const memo = new Map<string, string>();

/** Returns the index term of one folded word; words with digits are not stemmed. */
function termOf(word: string): string {
  const known = memo.get(word);
  if (known !== undefined) return known;
  const cut = word.length > LONGEST_WORD ? word.slice(0, LONGEST_WORD) : word;
  const term = /^[a-z]+$/.test(cut) ? stem(americanise(cut)) : cut;
  if (memo.size >= MEMO_SIZE) memo.clear();
  memo.set(word, term);
  return term;
}

/** One word of a query as typed, and the terms that a document must contain to match it. */
export interface QueryWord {
  readonly written: string;
  /** The term of the word, or of a compound joined to one word; a document with this term matches. */
  readonly whole: string;
  /** The terms of the parts of a compound; a document with all of them matches too. Empty for a plain word. */
  readonly parts: readonly string[];
}

/** The distinct terms of a query in reading order, and its words as typed for the list of matched words. */
export interface AnalysedQuery {
  readonly terms: readonly string[];
  /** The distinct words, folded but not stemmed, as the n-gram retriever indexes them. */
  readonly plain: readonly string[];
  readonly words: readonly QueryWord[];
}

/** Analyses a query as typed: any text is valid; punctuation and operators have no meaning. */
export function analyseQuery(text: string): AnalysedQuery {
  const words: QueryWord[] = [];
  for (const raw of new Set(text.split(/\s+/))) {
    const written = raw.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
    const terms = analyse(written);
    const whole = analyse(written.replace(/[-‐‑–]/g, ''))[0] ?? terms[0];
    if (whole === undefined || terms.length === 0) continue;
    words.push({ written, whole, parts: terms.filter((term) => term !== whole) });
  }
  const both = analyseBoth(text);
  return { terms: [...new Set(both.terms)], plain: [...new Set(both.words)], words };
}
