/**
 * Parses units as laboratories print them (English, German, French, Spanish, and with OCR errors) to UCUM, and formats UCUM
 * units.
 */
import { AMOUNTS, COUNTS, PER, WHOLE } from './unit-words.ts';

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Replaces superscripts: "10⁹" → "10^9", "m²" → "m2", "mm³" → "mm3". */
const flatten = (text: string): string =>
  text
    .replace(
      /10([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g,
      (_, power: string) => `10^${[...power].map((c) => SUPERSCRIPTS.indexOf(c)).join('')}`,
    )
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (c) => String(SUPERSCRIPTS.indexOf(c)));

const tidy = (printed: string): string =>
  flatten(printed)
    .normalize('NFC')
    .replace(/[µμ]/g, 'u')
    .replace(/[×✕]/g, 'x')
    .replace(/[|∕⁄]/g, '/')
    .trim()
    .replace(/^\(([^()]*)\)$|^\[([^[\]]*)\]$/, (_, round: string, square: string) => (round ?? square).trim())
    .replace(/ ?\((?:calc[a-z.]*|ber[a-z.]*|ngsp|dcct|ifcc)\)$|,? (?:ngsp|dcct|ifcc)$/i, '')
    .replace(/\s*\/\s*/g, '/')
    .replace(/(?<=\/mol) (?:of )?h[a-zä]*(?:moglobin)?$/i, '')
    .replace(/\s+per\s+/gi, '/')
    .replace(/\s+/g, ' ')
    .trim();

/** Matches "10*3", "x10^3", "10E9", "x 10 3", and "103" whose superscript was lost. */
const POWER = /^(?:x ?)?10 ?(?:\*{1,2}|\^|e|exp)? ?\+?0?(3|6|9|12)(?: ?(?:cells|zellen|cellules|c[eé]lulas))?$/i;

const countOf = (text: string): string | null => {
  const power = POWER.exec(text)?.[1];
  return power ? `10*${power}` : (COUNTS.get(text.toLowerCase().replace(/\.$/, '')) ?? null);
};

/** Spelling variants for OCR errors: l, I and 1 are confused, m is read as rn, g as q. */
const VARIANTS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replace(/[1|]$/, 'l').replace(/i$/, 'l'),
  (text) => text.replace(/rn/g, 'm').replace(/q/g, 'g'),
  (text) => text.replace(/mo[i1]/g, 'mol').replace(/l(?=u$|e$)/, 'i'),
];

const wordIn = (words: ReadonlyMap<string, string>, text: string): string | null => {
  const key = text.toLowerCase().replace(/\./g, '').replace(/ /g, '');
  for (const variant of VARIANTS) {
    const found = words.get(variant(key));
    if (found !== undefined) return found;
  }
  return null;
};

const CREATININE = /^(mg|g|mmol|mol)(?: ?\{creat\}| ?(?:of )?(?:crea|krea|cr)[a-zé.]*)$/i;
const TIMES = /^(?:24 ?(?:h|hr|hrs|hours?|std|stunden|heures?|horas?)|d|day|tag|die|jour|d[ií]a|\(24\.h\))\.?$/i;

const perOf = (text: string): string | null => {
  const creatinine = CREATININE.exec(text)?.[1];
  if (creatinine) return `${creatinine.toLowerCase()}{creat}`;
  return TIMES.test(text) ? '(24.h)' : wordIn(PER, text);
};

const AREA = /^ml\/min(?:ut[eo]?)?(?:\/|\/?\()(?:\{?1[.,]73 ?_?(?:m ?\^?2|sqm|sq m|qm)\}?)\)?$/i;
const ASSAY = / ?\{?(FEU|DDU)\}?$/i;

/** `G/l` and `T/l` are counts; only a lower-case `g` is a mass there. */
const BIG = new Map([
  ['G/L', '10*9/L'],
  ['T/L', '10*12/L'],
]);

const ratioOf = (text: string): string | null => {
  const [over = '', ...under] = text.split('/');
  if (!under.length || under.length > 1) return null;
  const per = perOf(under[0] ?? '');
  if (per === null) return null;
  if (over === '' || /^(?:cells?|zellen|cellules|c[eé]lulas|\{cells\}|#)$/i.test(over)) return `/${per}`;
  const amount = countOf(over) ?? wordIn(AMOUNTS, over);
  return amount === null ? null : `${amount}/${per}`;
};

/** Restores a slash that was read as a letter: "mgldL". */
const lostSlash = (text: string): string => text.replace(/^([a-z]{1,4})[lI1]((?:d|m|u)[lI1])$/i, '$1/$2');

const readPlain = (text: string): string | null => {
  const big = /^[GT]\/[lL]$/.test(text) ? BIG.get(text.toUpperCase()) : undefined;
  if (big) return big;
  if (AREA.test(text)) return 'mL/min/{1.73_m2}';
  return WHOLE.get(text.toLowerCase().replace(/\.$/, '')) ?? ratioOf(text) ?? ratioOf(lostSlash(text));
};

/** Parses a printed unit to UCUM; returns null when it is not recognized. Never guesses between two units. */
export const readUnit = (printed: string): string | null => {
  if (printed.length > 40) return null;
  const text = tidy(printed);
  if (!text) return null;
  const assay = ASSAY.exec(text);
  const unit = readPlain(assay ? text.slice(0, assay.index) : text);
  return unit !== null && assay ? `${unit}{${assay[1]?.toUpperCase()}}` : unit;
};

const RAISED = (digits: string): string => [...digits].map((digit) => SUPERSCRIPTS[Number(digit)]).join('');

const SHOWN = new Map([
  ['{ratio}', 'ratio'],
  ['{INR}', 'INR'],
  ['[pH]', 'pH'],
  ['{score}', 'score'],
  ['mL/min/{1.73_m2}', 'mL/min/1.73 m²'],
  ['/[HPF]', '/HPF'],
  ['/[LPF]', '/LPF'],
  ["{Ehrlich'U}/dL", 'EU/dL'],
  ['1', ''],
]);

/** Formats a UCUM unit for display: "10³/µL", "mg/dL", "µIU/mL", "mg/24 h". */
export const unitText = (ucum: string): string =>
  SHOWN.get(ucum) ??
  ucum
    .replace(/10\*(\d+)/, (_, power: string) => `10${RAISED(power)}`)
    .replace(/(^|\/)u(?=g|mol|L|eq|kat|U|\[|m)/g, '$1µ')
    .replace('[IU]', 'IU')
    .replace("[arb'U]", 'AU')
    .replace('meq', 'mEq')
    .replace('osm', 'Osm')
    .replace('(24.h)', '24 h')
    .replace('{creat}', ' creatinine')
    .replace(/\{(\w+)\}/, ' $1');
