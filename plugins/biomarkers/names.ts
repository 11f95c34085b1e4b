/** Names of markers as reports print them: what of a name counts, and when two are one. */
import type { Specimen } from './marker.ts';

/** A name by its words. */
export interface Words {
  /** In their order, specimen and manner of testing left out. */
  readonly words: readonly string[];
  /** As the name itself says. */
  readonly specimen: Specimen | null;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const URINE = set(
  'urine urin urinary harn orina spoturine spoturin sammelurin mictionnelle urinaire urinaria urinario',
);
const BLOOD = set(
  'serum plasma blood blut vollblut edta sang sanguin sangre suero serique plasmatique plasmatico serico sanguineo venous venos capillary serplas serpl',
);
/** Words that say how or when a sample was taken or measured, never what. */
const MANNER = set(
  'in im of or the der des du de la le el en fasting nuchtern jeun ayunas level levels spiegel value wert quant quantitative quantitativ qn calc calculated berechnet automated auto count by',
);

const RATIO = set('ratio quotient rapport cociente indice');

/** "[Mass/volume]" and the like in LOINC's names. */
const PROPERTY =
  /\[(?:mass|moles|#|units|enzymatic activity|volume fraction|entitic (?:volume|mass)|ratio|presence)(?:[ /][a-z ]+)*\]/gi;

/** The letter before a name: S-Ferritin, fP-Glucose and U-Albumin in northern Europe, "S. Creatinine" in India. */
const PREFIX = /^(?:f?(?:s|p|b|sr|sp|pl)|u|du|su)[-–](?=\p{L}{2})|^s\. ?(?=\p{L}{4})/iu;
/** And behind it: "Alkaline Phosphatase, S". */
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
    // British and German spellings of one vowel.
    .replace(/(?<=[a-z])ae|ae(?=m|st)/g, 'a')
    .replace(/oe(?=st|d|s)/g, 'e');

/** Letters and digits apart, so that B12, B-12 and B 12 are one; "%" and "#" are words. */
const split = (text: string): string[] =>
  fold(text.replace(PROPERTY, ' '))
    .replace(/%/g, ' percent ')
    .replace(/#|\babs\b\.?|\babsol\w*/g, ' absolute ')
    .replace(/['’`´]/g, '')
    .replace(/(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])/g, ' ')
    .replace(/\//g, ' / ')
    .split(/[^a-z0-9/]+/)
    .filter(Boolean);

/** "Albumin/Creatinine ratio" and "Albumin Creatinine Ratio" are one; "Cholesterol/HDL" is not HDL cholesterol. */
const slashless = (words: readonly string[]): readonly string[] =>
  words.some((word) => RATIO.has(word)) ? words.filter((word) => word !== '/') : words;

/** Strokes at the ends and beside each other tell nothing once a word between them is gone. */
const trimmed = (words: readonly string[]): readonly string[] =>
  words.filter((word, at) => word !== '/' || (at > 0 && at < words.length - 1 && words[at - 1] !== '/'));

const without = (words: readonly string[], out: ReadonlySet<string>): readonly string[] => {
  const rest = trimmed(words.filter((word) => !out.has(word)));
  return rest.length ? rest : words;
};

/** "White blood cells" are counted in urine as well. */
const CELLS = /^(?:cells?|corpuscles?)$/;
const namesCells = (words: readonly string[]): boolean => words.some((word) => CELLS.test(word));

/** "i.S.", "i. P.", "i.U." of German reports. */
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

/** The same for names with the same words in any order. */
export const orderless = (words: readonly string[]): string =>
  words.includes('/') ? words.join(' ') : [...words].sort().join(' ');
/** The same for names whose blanks alone differ. */
export const joined = (words: readonly string[]): string => words.join('');

/** Letters that OCR takes for each other become one letter. */
export const blurred = (joinedWords: string): string =>
  joinedWords
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .replace(/0/g, 'o')
    .replace(/[1i|]/g, 'l')
    .replace(/5/g, 's')
    .replace(/8/g, 'b');

/** One letter was misread, lost or added. */
export const isOneOff = (a: string, b: string): boolean => {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const rest = (text: string, from: number): string => text.slice(from);
  return rest(a, at + 1) === rest(b, at + 1) || rest(a, at) === rest(b, at + 1) || rest(a, at + 1) === rest(b, at);
};
