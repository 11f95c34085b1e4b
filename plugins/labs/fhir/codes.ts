/** Selects the LOINC code of a value: one whose property matches the unit, and which names no method that we cannot know. */
import type { Book, Marker } from '#plugins/biomarkers/index.ts';
import type { StoredMarker } from '../sealed-report.ts';

/** LOINC's property names for each kind of unit, as in its long names. */
const PROPERTIES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:[munpf]?mol)\/[a-z]*L$/i, ['Moles/volume']],
  [/^(?:[kmunpf]?g)\/[a-z]*L$/i, ['Mass/volume']],
  [/^(?:10\*\d+|)\/[a-z]*L$/i, ['#/volume']],
  [/^[munk]?U\/[a-z]*L$/i, ['Enzymatic activity/volume', 'Catalytic activity/volume']],
  [/^(?:[munk]?\[IU\]|[munk]?\[arb'U\])\/[a-z]*L$/i, ['Units/volume', 'Enzymatic activity/volume']],
  [/^%$/, ['Volume Fraction', 'Pure volume fraction', 'Mass Ratio', 'Mass fraction', '#/100 leukocytes']],
  [/^[f]L$/i, ['Entitic volume', 'Entitic mean volume']],
  [/^pg$/i, ['Entitic mass']],
  [/^mm\/h$/i, ['Velocity']],
];

const propertyIn = (name: string): string | null => /\[([^\]]+)\]/.exec(name)?.[1] ?? null;

const fitsUnit = (name: string, ucum: string): boolean => {
  const property = propertyIn(name);
  // A name without a property cannot be verified against the unit.
  return property !== null && PROPERTIES.some(([unit, properties]) => unit.test(ucum) && properties.includes(property));
};

/**
 * Returns whether the name has a qualifier such as "by calculation" or "--fasting", which applies only to some results of the
 * marker.
 */
const saysMore = (name: string): boolean => / by |--/.test(name);

export interface Coding {
  readonly code: string;
  readonly display: string;
}

/**
 * Returns the code that came with the value, otherwise the marker's first code that matches the unit; null if none is certain.
 */
export const loincOf = (
  book: Book,
  marker: Marker,
  { loinc, ucum }: Pick<StoredMarker, 'loinc' | 'ucum'>,
): Coding | null => {
  const came =
    loinc && book.byLoinc(loinc)?.slug === marker.slug ? marker.loinc.find(({ code }) => code === loinc) : null;
  const fitting = came ?? marker.loinc.find(({ name }) => fitsUnit(name, ucum) && !saysMore(name));
  return fitting ? { code: fitting.code, display: fitting.name } : null;
};
