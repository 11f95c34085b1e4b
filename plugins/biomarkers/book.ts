/** Provides all biomarker data as plain data and pure functions, so that processes without a database can use it too. */
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
   * Returns the markers that a printed name may mean, best match first, or [] when there is none. `specimen` and `ucum` (of the
   * printed unit) decide between markers of the same name (glucose in blood or urine; neutrophils in % or count).
   */
  named(text: string, hints?: Hints): readonly NamedMarker[];
  /** Converts a value between two UCUM units of this marker; returns null when the conversion is not defined. */
  convert(marker: Marker, value: number, from: string, to: string): number | null;
  /** Returns the range that fits a person, or null when none fits or when a fact that the range depends on is unknown. */
  rangeFor(marker: Marker, person: Person): MarkerRange | null;
  /** Returns all ranges that fit, the most specific first. */
  rangesFor(marker: Marker, person: Person): readonly MarkerRange[];
}

/** Returns the factor that converts a number in the unit to the marker's own unit, or null when no listed unit defines it. */
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

/** @param markers plain data, as parsed from JSON or produced by a structured clone. */
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
