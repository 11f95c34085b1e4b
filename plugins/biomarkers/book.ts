/** All that is known of biomarkers as plain data and pure functions, for a process without a database as well. */
import type { Marker, MarkerRange, Person } from './marker.ts';
import { createNaming, type Hints, type NamedMarker } from './naming.ts';
import { rangeFor, rangesFor } from './ranges.ts';
import { clean, scale } from './ucum.ts';

export type { Hints, NamedMarker } from './naming.ts';

export interface Book {
  readonly markers: readonly Marker[];
  bySlug(slug: string): Marker | null;
  byLoinc(code: string): Marker | null;
  /**
   * Markers that a printed name may mean, best first; [] when none. `specimen` and `ucum` (of the printed unit) decide between
   * namesakes (glucose in blood or urine; neutrophils in % or count).
   */
  named(text: string, hints?: Hints): readonly NamedMarker[];
  /** A number of one UCUM unit in another, for this marker; null when it cannot be said. */
  convert(marker: Marker, value: number, from: string, to: string): number | null;
  /** The range that fits a person; null when none does, or when what it depends on was not told. */
  rangeFor(marker: Marker, person: Person): MarkerRange | null;
  /** All that fit, the most specific first. */
  rangesFor(marker: Marker, person: Person): readonly MarkerRange[];
}

/** A number in the unit times this is the number in the marker's own; null when nothing that is listed tells. */
const factorOf = (marker: Marker, ucum: string): number | null => {
  const listed = marker.units.find((unit) => unit.ucum === ucum);
  if (listed) return listed.factor;
  for (const unit of marker.units) {
    const toListed = scale(ucum, unit.ucum);
    if (toListed !== null) return toListed * unit.factor;
  }
  return null;
};

const convert: Book['convert'] = (marker, value, from, to) => {
  const [one, other] = [factorOf(marker, from), factorOf(marker, to)];
  return one === null || other === null ? null : clean((value * one) / other);
};

/** @param markers plain data, as it comes out of JSON or a structured clone. */
export const createBook = (markers: readonly Marker[]): Book => {
  const slugs = new Map(markers.map((marker) => [marker.slug, marker]));
  const codes = new Map(markers.flatMap((marker) => marker.loinc.map(({ code }) => [code, marker] as const)));
  return {
    markers,
    bySlug: (slug) => slugs.get(slug) ?? null,
    byLoinc: (code) => codes.get(code) ?? null,
    named: createNaming(markers, (marker, ucum) => factorOf(marker, ucum) !== null),
    convert,
    rangeFor,
    rangesFor,
  };
};
