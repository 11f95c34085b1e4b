/**
 * Maps LanguaL codes of labels to plain words, as in the download of 2026; the list of 2019 uses the same codes with other
 * words.
 */
import type { Coded } from './label.ts';

const FORMS: Readonly<Record<string, string>> = {
  E0155: 'Tablet or Pill',
  E0159: 'Capsule',
  E0161: 'Softgel Capsule',
  E0162: 'Powder',
  E0164: 'Bar',
  E0165: 'Liquid',
  E0172: 'Other (e.g. tea bag)',
  E0174: 'Lozenge',
  E0176: 'Gummy or Jelly',
  E0177: '',
};

const TYPES: Readonly<Record<string, string>> = {
  A1299: 'Mineral',
  A1302: 'Vitamin',
  A1305: 'Amino acid/Protein',
  A1306: 'Botanical',
  A1309: 'Non-Nutrient/Non-Botanical',
  A1310: 'Fat/Fatty Acid',
  A1315: 'Multi-Vitamin and Mineral (MVM)',
  A1316: 'Single Vitamin and Mineral',
  A1317: 'Botanical with Nutrients',
  A1325: 'Other Combinations',
  A1326: 'Fiber and Other Nutrients',
};

const CLAIMS: Readonly<Record<string, string>> = {
  P0065: 'Nutrient',
  P0115: 'All Other',
  P0124: 'Health',
  P0264: 'Qualified Health',
  P0265: 'Structure/Function',
  // "No dietary claim or use"
  P0276: '',
};

const GROUPS: Readonly<Record<string, string>> = {
  P0192: 'Children 1 to 3 years',
  P0250: 'Adults and children 4 years and above',
  P0253: 'Pregnant and lactating women',
  P0266: 'Infants under 12 months',
};

export type CodeTable = 'form' | 'type' | 'claim' | 'group';
const TABLES: Readonly<Record<CodeTable, Readonly<Record<string, string>>>> = {
  form: FORMS,
  type: TYPES,
  claim: CLAIMS,
  group: GROUPS,
};

const CODES_BY_WORDS: Readonly<Record<'form' | 'type', ReadonlyMap<string, string>>> = {
  form: new Map(Object.entries(FORMS).map(([code, words]) => [words.toLowerCase(), code])),
  type: new Map(Object.entries(TYPES).map(([code, words]) => [words.toLowerCase(), code])),
};

/** Returns the words for a code, those of the file when the code is unknown, or "" for a code without a meaning. */
export const wordsOf = (table: CodeTable, code: string, given: string): string => TABLES[table][code] ?? given.trim();

/** Parses "Capsule [E0159]", or bare words, for which the code is looked up. Returns null when there is nothing. */
export const readCoded = (table: 'form' | 'type', text: string): Coded | null => {
  const [, given = '', code = ''] = /^(.*?)\s*(?:\[([A-Z]\d{4})\])?\s*$/s.exec(text) ?? [];
  if (code) return { code, words: wordsOf(table, code, given) };
  const words = given.trim();
  if (!words) return null;
  return { code: CODES_BY_WORDS[table].get(words.toLowerCase()) ?? '', words };
};

/** Parses "Structure function claims [P0265]; …" into plain words, without codes that have no meaning. */
export const readCodedList = (table: 'claim' | 'group', text: string): string[] =>
  text
    .split(/;\s*/)
    .map((part) => {
      const [, given = '', code = ''] = /^(.*?)\s*(?:\[([A-Z]\d{4})\])?\s*$/s.exec(part) ?? [];
      return wordsOf(table, code, given);
    })
    .filter((words) => words !== '');
