/** Applies a person's review to a report: each value is confirmed, corrected, removed or left for later. */

import { type Book, type Marker, readUnit, type Specimen } from './reading/book.ts';
import type { Doubt, TestType } from './report.ts';
import { enteredMarker, type SealedReport, type StoredMarker } from './sealed-report.ts';
import { readTyped, readTypedRange } from './typed.ts';

/** Fields of one value as sent by its form row; a field that was not sent remains unchanged. */
export interface MarkerEdit {
  readonly name?: string;
  readonly value?: string;
  readonly unit?: string;
  readonly range?: string;
  /** Checkbox "this is right". */
  readonly ok?: string;
  /** Checkbox beside an implausible number: "I have looked again". */
  readonly sure?: string;
  readonly remove?: string;
}

export interface Review {
  readonly labName?: string;
  readonly collectedAt?: string | null;
  readonly sex?: 'female' | 'male' | null;
  readonly birthYear?: number | null;
  readonly isPregnant?: boolean | null;
  readonly isFasting?: boolean | null;
  readonly markers: Readonly<Record<string, MarkerEdit>>;
  readonly added: readonly MarkerEdit[];
}

/** Maximum number of values per report. */
export const MOST_MARKERS = 400;

/** Doubts that require a second look at the number; the checkbox "this is right" alone does not resolve them. */
const HARD: readonly Doubt[] = ['implausible', 'unclear_number', 'unit_does_not_fit'];

const isHard = (doubt: Doubt): boolean => HARD.includes(doubt);

/** Returns the doubts that follow from the value itself, whether it was read or typed. */
export const doubtsOf = (book: Book, value: Pick<StoredMarker, 'slug' | 'value' | 'unit' | 'ucum'>): Doubt[] => {
  const marker = value.slug === null ? null : book.bySlug(value.slug);
  if (!marker) return ['unknown_marker'];
  if (marker.kind === 'ordinal' || value.value === null) return [];
  if (!value.unit) return ['no_unit'];
  if (!value.ucum) return ['unknown_unit'];
  const own = book.convert(marker, value.value, value.ucum, marker.ucum);
  if (own === null) return ['unit_does_not_fit'];
  const { low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY } = marker.plausible ?? {};
  return own < low || own > high ? ['implausible'] : [];
};

/** Context of a review: the known markers and the type of the test. */
interface Place {
  readonly book: Book;
  readonly testType: TestType;
}

const SPECIMENS: Readonly<Record<TestType, Specimen | null>> = { blood: 'blood', urine: 'urine', other: null };

/** Returns the marker of a typed name if the match is certain, otherwise null. */
const namedBy = ({ book, testType }: Place, name: string, ucum: string): Marker | null => {
  const ours = book.markers.find((marker) => marker.name.toLowerCase() === name.toLowerCase());
  if (ours) return ours;
  const [best, next] = book.named(name, { ucum: ucum || null, specimen: SPECIMENS[testType] });
  if (!best || best.certainty < 1) return null;
  return next && next.certainty === best.certainty ? null : best.marker;
};

const ucumOf = (book: Book, slug: string | null, unit: string): string => {
  if (unit) return readUnit(unit) ?? '';
  const marker = slug === null ? null : book.bySlug(slug);
  // A ratio, a pH and a specific gravity are printed without a unit.
  return marker && /^(\{ratio\}|\[pH\]|1|\{[a-zA-Z ]+\})$/.test(marker.ucum) ? marker.ucum : '';
};

const changed = (sent: string | undefined, before: string): string | null => {
  const text = sent?.normalize('NFC').replace(/\s+/g, ' ').trim();
  return text === undefined || text === before ? null : text;
};

/** Returns the value corrected by the form's fields; the same object if no field differs. */
const corrected = (place: Place, kept: StoredMarker, edit: MarkerEdit): StoredMarker => {
  const { book } = place;
  const shownName = (kept.slug === null ? null : book.bySlug(kept.slug)?.name) ?? kept.rawName;
  const [name, unit] = [changed(edit.name, shownName), changed(edit.unit, kept.unit)];
  const [value, range] = [changed(edit.value, kept.valueText), changed(edit.range, kept.range.text)];
  if (name === null && unit === null && value === null && range === null) return kept;
  const unitNow = unit ?? kept.unit;
  const slug = name === null ? kept.slug : (namedBy(place, name, readUnit(unitNow) ?? '')?.slug ?? null);
  const typed = value === null ? null : readTyped(value);
  const now = {
    ...kept,
    origin: kept.origin === 'by_hand' ? ('by_hand' as const) : ('corrected' as const),
    confirmed: false,
    slug,
    rawName: name !== null && slug === null ? name : kept.rawName,
    unit: unitNow,
    ucum: unit === null && name === null ? kept.ucum : ucumOf(book, slug, unitNow),
    ...(typed && { value: typed.value, valueText: typed.text, comparator: typed.comparator }),
    ...(range !== null && { range: readTypedRange(range) }),
  };
  const unclear = typed && (typed.isEither || typed.isUnclear) ? (['unclear_number'] as const) : [];
  return { ...now, doubts: [...doubtsOf(book, now), ...unclear] };
};

const reviewed = (place: Place, kept: StoredMarker, edit: MarkerEdit | undefined): StoredMarker => {
  if (!edit) return kept;
  const now = corrected(place, kept, edit);
  if (!edit.ok) return now.confirmed ? { ...now, confirmed: false } : now;
  const isHeld = now.doubts.some(isHard) && !edit.sure;
  return { ...now, confirmed: !isHeld, ...(now.confirmed || isHeld ? {} : { confidence: 1 }) };
};

const nextId = (markers: readonly StoredMarker[]): number =>
  1 + Math.max(0, ...markers.map(({ markerId }) => Number(markerId.slice(1)) || 0));

/** Returns whether the row of the form is empty: without a name and without a value. */
const isEmpty = ({ name = '', value = '' }: MarkerEdit): boolean => !name.trim() && !value.trim();

const addedMarker = (place: Place, edit: MarkerEdit, id: number): StoredMarker => {
  const { book } = place;
  const typed = readTyped(edit.value ?? '');
  const [rawName, unit] = [(edit.name ?? '').trim(), (edit.unit ?? '').trim()];
  const slug = namedBy(place, rawName, readUnit(unit) ?? '')?.slug ?? null;
  const ucum = ucumOf(book, slug, unit);
  const value = { slug, value: typed.value, unit, ucum };
  const unclear = typed.isEither || typed.isUnclear ? (['unclear_number'] as const) : [];
  const doubts = [...doubtsOf(book, value), ...unclear];
  const made = enteredMarker(`m${id}`, {
    ...value,
    rawName,
    valueText: typed.text,
    comparator: typed.comparator,
    range: readTypedRange(edit.range ?? ''),
    doubts,
  });
  return { ...made, confirmed: !doubts.some(isHard) || Boolean(edit.sure) };
};

export const applyReview = (place: Place, report: SealedReport, review: Review): SealedReport => {
  const stay = report.markers.filter(({ markerId }) => !review.markers[markerId]?.remove);
  const markers = stay.map((kept) => reviewed(place, kept, review.markers[kept.markerId]));
  let id = nextId(report.markers);
  for (const edit of review.added) if (!isEmpty(edit)) markers.push(addedMarker(place, edit, id++));
  const { labName, collectedAt, sex, birthYear, isPregnant, isFasting } = review;
  return {
    ...report,
    ...(labName !== undefined && { labName }),
    ...(collectedAt !== undefined && { collectedAt }),
    ...(sex !== undefined && { sex }),
    ...(birthYear !== undefined && { birthYear }),
    ...(isPregnant !== undefined && { isPregnant }),
    ...(isFasting !== undefined && { isFasting }),
    markers: markers.slice(0, MOST_MARKERS),
  };
};
