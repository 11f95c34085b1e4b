/** Normalizes marker names as reports print them, so that two names can be compared. */
import type { Specimen } from './marker.ts';

/** A name split into normalized words. */
export interface Words {
  /** Words in their original order, without those for the specimen and the method. */
  readonly words: readonly string[];
  /** Specimen that the name states; null when it states none. */
  readonly specimen: Specimen | null;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const URINE = set(
  'urine urin urinary harn orina spoturine spoturin sammelurin mictionnelle urinaire urinaria urinario',
);
const BLOOD = set(
  'serum plasma blood blut vollblut edta sang sanguin sangre suero serique plasmatique plasmatico serico sanguineo venous venos capillary serplas serpl',
);
/** Words that describe how or when a sample was taken or measured, never the analyte. */
const MANNER = set(
  'in im of or the der des du de la le el en fasting nuchtern jeun ayunas level levels spiegel value wert quant quantitative quantitativ qn calc calculated berechnet automated auto count by',
);

const RATIO = set('ratio quotient rapport cociente indice');

/** Matches the property in LOINC names, such as "[Mass/volume]". */
const PROPERTY =
  /\[(?:mass|moles|#|units|enzymatic activity|volume fraction|entitic (?:volume|mass)|ratio|presence)(?:[ /][a-z ]+)*\]/gi;

/**
 * Matches the specimen letter before a name: S-Ferritin, fP-Glucose and U-Albumin in northern Europe, "S. Creatinine" in India.
 */
const PREFIX = /^(?:f?(?:s|p|b|sr|sp|pl)|u|du|su)[-–](?=\p{L}{2})|^s\. ?(?=\p{L}{4})/iu;
/** Matches the specimen letter after a name: "Alkaline Phosphatase, S". */
const SUFFIX = /, ?(?:s|p|sp|wb)$/i;

const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[α]/g, ' alpha ')
    .replace(/[β]/g, ' beta ')
    .replace(/[γ]/g, ' gamma ')
    // Maps the British and German spellings of a vowel to one spelling.
    .replace(/(?<=[a-z])ae|ae(?=m|st)/g, 'a')
    .replace(/oe(?=st|d|s)/g, 'e');

/** Splits a name into words. Letters and digits are separated, so that B12, B-12 and B 12 are equal; "%" and "#" become words. */
const split = (text: string): string[] =>
  fold(text.replace(PROPERTY, ' '))
    .replace(/%/g, ' percent ')
    .replace(/#|\babs\b\.?|\babsol\w*/g, ' absolute ')
    .replace(/['’`´]/g, '')
    .replace(/(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])/g, ' ')
    .replace(/\//g, ' / ')
    .split(/[^a-z0-9/]+/)
    .filter(Boolean);

/**
 * Removes slashes from names of ratios, so that "Albumin/Creatinine ratio" equals "Albumin Creatinine Ratio". Other names keep
 * them, because "Cholesterol/HDL" is not HDL cholesterol.
 */
const slashless = (words: readonly string[]): readonly string[] =>
  words.some((word) => RATIO.has(word)) ? words.filter((word) => word !== '/') : words;

/** Removes slashes at the ends and adjacent slashes, which carry no meaning once the word between them is removed. */
const trimmed = (words: readonly string[]): readonly string[] =>
  words.filter((word, at) => word !== '/' || (at > 0 && at < words.length - 1 && words[at - 1] !== '/'));

const without = (words: readonly string[], out: ReadonlySet<string>): readonly string[] => {
  const rest = trimmed(words.filter((word) => !out.has(word)));
  return rest.length ? rest : words;
};

/** Matches words for cells. "White blood cells" are counted in urine as well, so "blood" states no specimen there. */
const CELLS = /^(?:cells?|corpuscles?)$/;
const namesCells = (words: readonly string[]): boolean => words.some((word) => CELLS.test(word));

/** Matches the specimen in German reports: "i.S.", "i. P.", "i.U.". */
const GERMAN = /\bi\.? ?([spu])\.?$/i;

export const wordsOf = (text: string): Words => {
  const prefix = PREFIX.exec(text.trim())?.[0] ?? '';
  const german = GERMAN.exec(text.trim());
  const bare = text
    .trim()
    .slice(prefix.length)
    .replace(german ? GERMAN : SUFFIX, '');
  const all = split(bare);
  const dry = without(all, URINE);
  const isUrine = dry.length < all.length || /^(?:u|du|su)[-–]/i.test(prefix) || german?.[1]?.toLowerCase() === 'u';
  const clear = without(dry, BLOOD);
  const isBlood = (clear.length < dry.length && !namesCells(dry)) || german !== null || prefix !== '';
  return { words: slashless(without(clear, MANNER)), specimen: isUrine ? 'urine' : isBlood ? 'blood' : null };
};

/** Returns a key that is equal for names with the same words in any order; names with a slash keep their order. */
export const orderless = (words: readonly string[]): string =>
  words.includes('/') ? words.join(' ') : [...words].sort().join(' ');
/** Returns a key that is equal for names that differ only in spaces. */
export const joined = (words: readonly string[]): string => words.join('');

/** Maps letters that OCR confuses to one letter. */
export const blurred = (joinedWords: string): string =>
  joinedWords
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .replace(/0/g, 'o')
    .replace(/[1i|]/g, 'l')
    .replace(/5/g, 's')
    .replace(/8/g, 'b');

/** Returns whether two texts differ by one misread, lost or added letter. */
export const isOneOff = (a: string, b: string): boolean => {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const rest = (text: string, from: number): string => text.slice(from);
  return rest(a, at + 1) === rest(b, at + 1) || rest(a, at) === rest(b, at + 1) || rest(a, at + 1) === rest(b, at);
};
