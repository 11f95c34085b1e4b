/**
 * Converts an entry of content/biomarkers to a marker. Errors that the schema cannot detect are reported with the field that
 * causes them.
 */
import type { Marker, MarkerRange, MarkerUnit } from './marker.ts';
import type { BiomarkerEntry, NamedSource, RangeEntry, UnitEntry } from './schemas.ts';
import { isUcum, kindOf, type Molecule, scaleByMolecule } from './ucum.ts';

export type Refuse = (pointer: readonly (string | number)[], words: string) => never;

const sourceOf = ({ name, address }: NamedSource) => ({ name, url: address });

const rangeOf = (range: RangeEntry): MarkerRange => ({
  low: range.low ?? null,
  high: range.high ?? null,
  sex: range.sex,
  ageFrom: range.age_from ?? null,
  ageTo: range.age_to ?? null,
  isPregnant: range.pregnant ?? false,
  kind: range.kind,
  note: range.note ?? '',
  source: sourceOf(range.source),
});

const factorOf = ({ unit, as, factor }: UnitEntry, own: string, molecule: Molecule): number | null =>
  factor ?? (as === own ? 1 : scaleByMolecule(as ?? unit, own, molecule));

const unitsOf = (entry: BiomarkerEntry, own: string, refuse: Refuse): MarkerUnit[] => {
  const molecule = { weight: entry.molecular_weight, charge: entry.charge };
  const others = (entry.units ?? []).map((unit, at): MarkerUnit => {
    if (kindOf(unit.unit) === null && !isUcum(unit.unit)) refuse(['units', at, 'unit'], `"${unit.unit}" is not UCUM`);
    if (unit.factor !== undefined && !unit.source)
      refuse(['units', at, 'factor'], 'needs the source that it was read from');
    const factor = factorOf(unit, own, molecule);
    return factor === null
      ? refuse(['units', at, 'unit'], `UCUM cannot turn "${unit.unit}" into "${own}" with what is given`)
      : { ucum: unit.unit, factor };
  });
  return [{ ucum: own, factor: 1 }, ...others];
};

const checkNumbers = ({ ranges = [], plausible, critical }: BiomarkerEntry, refuse: Refuse): void => {
  const [least, most] = [plausible?.low ?? -Infinity, plausible?.high ?? Infinity];
  const isInside = (value?: number): boolean => value === undefined || (value >= least && value <= most);
  for (const [at, { low, high, age_from: from, age_to: to }] of ranges.entries()) {
    if (low === undefined && high === undefined) refuse(['ranges', at], 'needs low or high');
    if (low !== undefined && high !== undefined && low >= high) refuse(['ranges', at, 'low'], 'is not below high');
    if (from !== undefined && to !== undefined && from > to) refuse(['ranges', at, 'age_from'], 'is above age_to');
    if (!isInside(low) || !isInside(high)) refuse(['ranges', at], 'lies outside what is plausible');
    if (critical?.low !== undefined && Math.min(low ?? Infinity, high ?? Infinity) <= critical.low)
      refuse(['critical', 'low'], 'lies inside a range');
    if (critical?.high !== undefined && Math.max(low ?? -Infinity, high ?? -Infinity) >= critical.high)
      refuse(['critical', 'high'], 'lies inside a range');
  }
  if (!isInside(critical?.low) || !isInside(critical?.high)) refuse(['critical'], 'lies outside what is plausible');
};

const ordinal = (entry: BiomarkerEntry, refuse: Refuse): Pick<Marker, 'ucum' | 'units' | 'digits' | 'plausible'> => {
  if (!entry.scale) refuse(['kind'], 'an ordinal needs its scale');
  if (entry.unit !== undefined) refuse(['unit'], 'an ordinal has no unit');
  return { ucum: '', units: [], digits: 0, plausible: null };
};

const quantity = (entry: BiomarkerEntry, refuse: Refuse): Pick<Marker, 'ucum' | 'units' | 'digits' | 'plausible'> => {
  const { unit = '', digits = 0, plausible } = entry;
  if (!unit || !plausible) refuse(['kind'], 'a quantity needs unit, digits and plausible');
  if (kindOf(unit) === null && !isUcum(unit)) refuse(['unit'], `"${unit}" is not UCUM`);
  checkNumbers(entry, refuse);
  return { ucum: unit, units: unitsOf(entry, unit, refuse), digits, plausible: plausible ?? null };
};

/** @param refuse throws, naming file, line and field. */
export const markerOf = (slug: string, entry: BiomarkerEntry, refuse: Refuse): Marker => ({
  slug,
  name: entry.name,
  names: [entry.name, ...entry.names.filter((name) => name !== entry.name)],
  category: entry.category,
  specimen: entry.specimen,
  kind: entry.kind,
  ...(entry.kind === 'ordinal' ? ordinal(entry, refuse) : quantity(entry, refuse)),
  loinc: entry.loinc ?? [],
  scale: entry.scale ?? [],
  critical: entry.critical
    ? {
        low: entry.critical.low ?? null,
        high: entry.critical.high ?? null,
        source: sourceOf(entry.critical.source),
      }
    : null,
  ranges: (entry.ranges ?? []).map(rangeOf),
});
