/** Interprets the name of a row: its text, a unit within it, and the markers that it may mean. */
import { type Book, type NamedMarker, readUnit, type Specimen } from './book.ts';
import { qualifiedWords } from './qualified-names.ts';

export interface NameReading {
  /** As printed, without bullets, numbering and leader dots. */
  readonly text: string;
  readonly named: readonly NamedMarker[];
  /** Unit within the name: "Glucose (mg/dL)"; "" if there is none. */
  readonly unit: string;
  /** Certainty of the first of `named`, 0 to 1. */
  readonly certainty: number;
  readonly loinc: string | null;
}

export interface Hints {
  readonly specimen: Specimen | null;
  readonly ucum: string | null;
}

/** Certainty above which a name is listed letter for letter. */
const SURE = 0.95;

const loincPattern = /(?<![\d-])\d{3,5}-\d(?![\d-])/g;
/** Words for the method of measurement, which do not identify the marker. */
const method =
  /[,;]?\s*[([]?\b(?:enzymatic|hexokinase|jaffe|kinetic|eclia|clia|cmia|elisa|ise|calculated|calc\.?|berechnet|calculé|calculado|photometr\w*|turbidimetr\w*|immunoturb\w*|nephelometr\w*|hplc|lc\/?ms(?:\/?ms)?|ia|ifcc|ngsp|dcct|friedewald|martin\/?hopkins|ckd-?epi(?: 20\d\d)?|mdrd|westergren|3rd gen(?:eration|\.)?|4th gen(?:eration|\.)?|automated|manual|non-?fasting|fasting|nüchtern|à jeun|venous|random|by mass spec\w*)\b\.?\s*[)\]]?\s*$/iu;

const clean = (text: string): string =>
  text
    .replace(loincPattern, ' ')
    .replace(/(?:\.\s?){3,}|_{2,}|…/g, ' ')
    .replace(/^(?:[-–•·*▪►>#]+|\d{1,3}[.)]|\(\d+\)|\d{4,8})\s+/u, '')
    .replace(/[¹²³⁴⁵⁶⁷⁸⁹⁰†‡§]+$/u, '')
    .replace(/\s+0\d$/, '')
    .replace(/[\s:.,;=*-]+$/u, '')
    .replace(/^[\s:.,;=|*]+/u, '')
    .replace(/\s+/g, ' ')
    .trim();

interface Variant {
  readonly text: string;
  readonly share: number;
  readonly unit: string;
}

/** Removes a unit in brackets or after the name. A bare "%" remains, because it distinguishes a fraction from a count. */
const withoutUnit = (text: string): Variant | null => {
  const bracket = /^(.+?),?\s*[([]([^()[\]]+(?:\([^()]*\))?)[)\]]$/.exec(text) ?? /^(.+?),\s*(\S+)$/.exec(text);
  if (bracket && readUnit(bracket[2]!) !== null) return { text: bracket[1]!, share: 1, unit: bracket[2]! };
  const words = text.split(' ');
  for (let count = Math.min(3, words.length - 1); count > 0; count -= 1) {
    const unit = words.slice(-count).join(' ');
    if (unit.length > 1 && readUnit(unit) !== null) return { text: words.slice(0, -count).join(' '), share: 1, unit };
  }
  return null;
};

/** Returns the variants of a name, from the full text to the text without unit, method and footnote mark. */
const variantsOf = (text: string): Variant[] => {
  const whole = { text, share: 1, unit: '' };
  const unit = withoutUnit(text);
  const all = unit ? [whole, unit] : [whole];
  // "S. Creatinine" is serum creatinine.
  const bare = text.replace(/^(?:s|sr|p|pl)\. ?(?=\p{L}{3})/iu, '');
  if (bare !== text) all.push({ ...whole, text: bare });
  for (const variant of [...all]) {
    const bare = variant.text.replace(method, '').trim();
    if (bare !== variant.text && bare.length > 1) all.push({ ...variant, text: bare, share: 0.95 });
  }
  for (const variant of [...all]) {
    const unmarked = variant.text.replace(/\s+[A-Z\d]$|\s*\(\d\)$|[*†‡^]+$/u, '');
    if (unmarked !== variant.text && unmarked.length > 3) all.push({ ...variant, text: unmarked, share: 0.7 });
  }
  return all;
};

const codeIn = (text: string, book: Book): string | null =>
  text.match(loincPattern)?.find((code) => book.byLoinc(code)) ?? null;

export const readName = (printed: string, book: Book, hints: Hints): NameReading => {
  const text = clean(printed);
  const loinc = codeIn(printed, book);
  let best: NameReading = { text, named: [], unit: '', certainty: 0, loinc };
  if (!/\p{L}{2}|^\p{L}$|^[A-Z]\d/u.test(text) && !loinc) return best;
  if (!loinc && qualifiedWords(text) > 0) {
    const named = book.named(text, hints).filter(({ certainty }) => certainty > SURE);
    return { ...best, named, certainty: named[0]?.certainty ?? 0 };
  }
  for (const variant of variantsOf(text)) {
    const named = book.named(variant.text, {
      ...hints,
      ucum: hints.ucum ?? (variant.unit ? readUnit(variant.unit) : null),
    });
    const certainty = (named[0]?.certainty ?? 0) * variant.share;
    if (certainty > best.certainty) best = { text, named, unit: variant.unit, certainty, loinc };
  }
  if (!best.unit && /%/.test(text)) best = { ...best, unit: '%' };
  else if (!best.unit)
    best = {
      ...best,
      unit: best.named.length ? '' : (variantsOf(text).find(({ unit }) => unit.length > 1)?.unit ?? ''),
    };
  return best;
};
