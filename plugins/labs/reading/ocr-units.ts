/** Corrects units that OCR misread. Only unambiguous errors are corrected; between two existing units, the marker decides. */
import { type Book, type Marker, readUnit } from './book.ts';

const repairs: readonly (readonly [RegExp, string])[] = [
  // A vertical bar or a one for the final l.
  [/[|1I!]$/, 'l'],
  [/\.$/, ''],
  [/^[uU][lL|I1/]{1,2}$/, 'U/l'],
  [/^\/?n[l|I1]$/, '/nl'],
  [/^\/?[uµp][l|I1]$/, '/µl'],
  // Misread sign or position of the power: "x1073/uL", "10”3/uL", "x10%3/uL".
  [/^([x×*]?)10[^\d/]{0,2}7?([369]|12)\/([unpµ]?[lL])$/, 'x10^$2/$3'],
  [/^[x×]?1[0O]E([369])\/?([unpµ]?[lL])$/, 'x10^$1/$2'],
  // Misread sign for micro.
  [/^(?:pu|pi|ju|jt|fu|ii|[HhyYwj4])(?=(?:g|mol|IU|kat)\/)/, 'u'],
  [/^(?:p|u)[o0q]\/(?=d|m|l)/i, 'ug/'],
  [/^m[lI1|i]+[uU]\//, 'mIU/'],
  [/^me(?=g\/)/, 'mc'],
  [/^meg(?=\/)/, 'meq'],
  [/^[¢q](?=\/[dlL])/, 'g'],
  [/^(m[lL]\/min\/1[.,]73) ?m\S{0,3}$/, '$1m2'],
  [/^u[lI1|][uU]\//, 'uIU/'],
  [/^[lI1|]U\//, 'IU/'],
  [/\/d[^lL]?$/, '/dL'],
  [/(?<=[a-z])[iI1|l](?=dL$|mL$)/, '/'],
];

/** Returns the units that the letters may represent, likeliest first. */
const spellings = (text: string): string[] => {
  const all = [text];
  for (const [pattern, by] of repairs)
    for (const one of [...all]) if (pattern.test(one)) all.push(one.replace(pattern, by));
  return all;
};

/** Returns the units that OCR turns into this one: "pmol/L" may be "µmol/L", and "10*6/L" may be "10*6/µL". */
const confused = (ucum: string): string[] => [
  ...(/^p(?:g|mol|kat)/.test(ucum) ? [ucum.replace(/^p/, 'u')] : []),
  ...(/^10\*[36]\/(?:L|pL)$/.test(ucum) ? [ucum.replace(/\/.*/, '/uL')] : []),
  ...(/\/\(24\.h\)$/.test(ucum) ? [ucum.replace(/\/\(24\.h\)$/, '/dL')] : []),
  ...(/^p\[IU\]/.test(ucum) ? [ucum.replace(/^p/, 'u')] : []),
];

const isListed = (marker: Marker, ucum: string): boolean => marker.units.some((unit) => unit.ucum === ucum);

export interface OcrUnit {
  readonly ucum: string;
  /** Chosen between two units that this marker is reported in. */
  readonly isUnsure: boolean;
}

/**
 * Resolves a power whose exponent was not read: if exactly one unit of the marker makes the number plausible, returns that one,
 * otherwise null.
 */
const ofLostPower = (book: Book, marker: Marker, { text, value }: PrintedUnit): OcrUnit | null => {
  const under = /^[x×*]?10\D{0,3}[/]([unµp]?)[lL]$/.exec(text);
  if (!under || value === null || !marker.plausible) return null;
  const { low, high } = marker.plausible;
  const fitting = marker.units.filter(({ ucum }) => {
    if (!/^10\*/.test(ucum) || /\/L$/.test(ucum) !== (under[1] === '')) return false;
    const own = book.convert(marker, value, ucum, marker.ucum);
    return own !== null && own >= low && own <= high;
  });
  return fitting.length === 1 ? { ucum: fitting[0]!.ucum, isUnsure: true } : null;
};

export interface PrintedUnit {
  readonly text: string;
  /** The number before the unit. */
  readonly value: number | null;
}

/** Returns the unit of a marker's row; "" if it cannot be determined. */
export const ocrUnit = (book: Book, marker: Marker | null, printed: PrintedUnit): OcrUnit => {
  const { text } = printed;
  const read = [...new Set(spellings(text).flatMap((one) => readUnit(one) ?? []))];
  if (!marker) return { ucum: read[0] ?? '', isUnsure: false };
  const lost = read.length ? null : ofLostPower(book, marker, printed);
  if (lost) return lost;
  const all = [...new Set(read.flatMap((one) => [one, ...confused(one)]))];
  const listed = all.filter((one) => isListed(marker, one));
  if (listed.length) return { ucum: listed[0]!, isUnsure: listed.length > 1 };
  const fitting = all.filter((one) => book.convert(marker, 1, one, marker.ucum) !== null);
  return { ucum: fitting[0] ?? read[0] ?? '', isUnsure: fitting.length > 1 };
};

/** Returns whether the letters are a unit in any reading. */
export const isOcrUnit = (text: string): boolean =>
  /[/%]|^[uU][lLI1|]{1,2}$|^nl$/.test(text) && spellings(text).some((one) => readUnit(one) !== null);
