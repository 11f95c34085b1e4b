/** Generates alternative spellings of words in a title, as a searcher may type them. */
import { misspell } from './rerank-data.ts';

/** Compounds that occur in the texts: hyphenated ones, and single words. */
export interface KnownCompounds {
  /** Hyphenated forms by their joined form: `follow-up` by `followup`. */
  readonly hyphened: ReadonlyMap<string, string>;
  readonly closed: ReadonlySet<string>;
}

/** Words of a title, and the same words in another spelling. */
export interface Variation {
  readonly written: string;
  readonly varied: string;
}

type Next = (below: number) => number;

/**
 * A kind of variation; `vary` returns null for words that have only one spelling. Words are passed in pairs; the second may be
 * empty.
 */
export interface Variant {
  readonly name: string;
  vary(first: string, second: string, knowledge: { known: KnownCompounds; next: Next }): Variation | null;
}

export function knownCompounds(texts: readonly string[]): KnownCompounds {
  const hyphened = new Map<string, string>();
  const closed = new Set<string>();
  for (const text of texts) {
    for (const word of text.toLowerCase().match(/[a-z]+(?:-[a-z]+)*/g) ?? []) {
      const parts = word.split('-');
      if (parts.length === 1) closed.add(word);
      if (parts.length === 2 && parts.every((part) => part.length > 2)) hyphened.set(parts.join(''), word);
    }
  }
  return { hyphened, closed };
}

const one =
  (change: (word: string, next: Next) => string): Variant['vary'] =>
  (first, _, { next }) => {
    const varied = change(first, next);
    return varied === first ? null : { written: first, varied };
  };

const two =
  (change: (first: string, second: string, known: KnownCompounds) => string | null): Variant['vary'] =>
  (first, second, { known }) => {
    const varied = change(first.toLowerCase(), second.toLowerCase(), known);
    return varied === null ? null : { written: `${first} ${second}`, varied };
  };

const HYPHENED = /^[a-z]{2,}-[a-z]{2,}$/i;
const GREEK: readonly (readonly [string, string])[] = [
  ['α', 'alpha'],
  ['β', 'beta'],
  ['γ', 'gamma'],
  ['δ', 'delta'],
  ['κ', 'kappa'],
  ['ω', 'omega'],
];
const greekToName = (word: string): string =>
  GREEK.reduce((text, [letter, name]) => text.replaceAll(letter, name), word);
const nameToGreek = (word: string): string =>
  GREEK.reduce((text, [letter, name]) => text.replace(new RegExp(`^${name}(?=-|$)`, 'i'), letter), word);

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const numberToDigits = (word: string): string => {
  const value = NUMBERS.indexOf(word.toLowerCase());
  return value > 1 ? String(value) : word;
};
const digitsToNumber = (word: string): string => (/^([2-9]|1[0-2])$/.test(word) ? NUMBERS[Number(word)]! : word);

/** British and American spellings, from dictionaries and not from the index's own rules. */
const SPELLINGS: readonly (readonly [string, string])[] = (
  'anaemi/anemi haemoglobin/hemoglobin haemodialysis/hemodialysis haematolog/hematolog ischaem/ischem glycaem/glycem ' +
  'lipidaem/lipidem uraem/urem leukaem/leukem oestr/estr oedema/edema diarrhoea/diarrhea foet/fet oesophag/esophag ' +
  'paediatr/pediatr gynaecolog/gynecolog anaesth/anesth tumour/tumor behaviour/behavior fibre/fiber centre/center ' +
  'litre/liter programme/program randomis/randomiz hospitalis/hospitaliz supplementis/supplementiz utilis/utiliz ' +
  'characteris/characteriz minimis/minimiz sulph/sulf labour/labor colour/color ageing/aging caesarean/cesarean'
)
  .split(' ')
  .map((pair) => pair.split('/') as [string, string]);
const spelt =
  (from: 0 | 1): ((word: string) => string) =>
  (word) => {
    const found = SPELLINGS.find((pair) => word.toLowerCase().includes(pair[from]));
    return found ? word.toLowerCase().replace(found[from], found[1 - from]!) : word;
  };

const isLong = (word: string): boolean => /^[a-z]{8,}$/i.test(word);
const UNIT = /^(?:mg|g|mcg|µg|iu|ml|kg|weeks?|months?|days?|years?|hours?)$/;

export const VARIANTS: readonly Variant[] = [
  { name: 'hyphen as a blank', vary: one((word) => (HYPHENED.test(word) ? word.replace('-', ' ') : word)) },
  { name: 'hyphen left out', vary: one((word) => (HYPHENED.test(word) ? word.replace('-', '') : word)) },
  {
    name: 'blank as a hyphen',
    vary: two((first, second, { hyphened }) => (hyphened.has(first + second) ? `${first}-${second}` : null)),
  },
  {
    name: 'two words as one',
    vary: two((first, second, { hyphened, closed }) =>
      first.length > 2 && second.length > 2 && (hyphened.has(first + second) || closed.has(first + second))
        ? first + second
        : null,
    ),
  },
  {
    name: 'one word as two',
    vary: (word, _, { known }) => {
      const apart = known.hyphened.get(word.toLowerCase());
      return apart ? { written: word, varied: apart.replace('-', ' ') } : null;
    },
  },
  { name: 'Greek letter by name (α → alpha)', vary: one(greekToName) },
  { name: 'Greek letter for its name (alpha → α)', vary: one(nameToGreek) },
  {
    name: 'n-3 for omega-3, and the reverse',
    vary: one((word) =>
      /^n-[36]/i.test(word) ? word.replace(/^n/i, 'omega') : word.replace(/^(?:omega|ω)-(?=[36])/i, 'n-'),
    ),
  },
  { name: 'number by its word (12 → twelve)', vary: one(digitsToNumber) },
  { name: 'number by its digits (twelve → 12)', vary: one(numberToDigits) },
  {
    name: 'number and unit as one (500 mg → 500mg)',
    vary: two((first, second) => (/^[\d.,]+$/.test(first) && UNIT.test(second) ? first + second : null)),
  },
  {
    name: 'hyphen of a number (12-week → 12 weeks)',
    vary: one((word) => word.replace(/^(\d+)-(week|month|day|year|hour)s?$/i, '$1 $2s')),
  },
  { name: 'British as American', vary: one(spelt(0)) },
  { name: 'American as British', vary: one(spelt(1)) },
  {
    name: 'plural and singular',
    vary: one((word) =>
      isLong(word)
        ? /[^su]s$/.test(word)
          ? word.slice(0, -1)
          : /[a-z]$/.test(word) && !/(?:s|y|ed|ing|ly|al|ic|ive|ous)$/.test(word)
            ? `${word}s`
            : word
        : word,
    ),
  },
  {
    name: 'one slip of the fingers',
    vary: one((word, next) => (isLong(word) ? misspell(word.toLowerCase(), next) : word)),
  },
  {
    name: 'last third of a word cut off',
    vary: one((word) => (isLong(word) ? word.slice(0, Math.ceil((word.length * 2) / 3)) : word)),
  },
];
