/**
 * Converts a FHIR observation, R4 or DSTU2, to a value of a report. Malformed members are ignored and never raise an error. Pure.
 */

import { type Book, type Marker, readUnit } from '../reading/book.ts';
import type { Comparator, Doubt, PrintedRange } from '../report.ts';
import { doubtsOf } from '../review.ts';
import type { StoredMarker } from '../sealed-report.ts';
import { readTyped } from '../typed.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Reason why an observation was skipped. */
export type Skip = 'withdrawn' | 'vital_sign' | 'no_value' | 'no_name' | 'twice' | 'too_many';

export interface ReadObservation {
  readonly value: Omit<StoredMarker, 'markerId'>;
  /** The sender's identifier of the observation; "" if it has none. */
  readonly key: string;
  readonly marker: Marker | null;
  readonly labName: string;
  /** Day of the draw; null if only the day of the result is given, or neither. */
  readonly drawnOn: string | null;
  /** Day of the result. */
  readonly issuedOn: string | null;
}

/** Member that we add to a resource, so that each of its parts keeps the key of the whole. */
export const KEY = 'ekb:key';
const LONGEST = 200;
const LOINC = 'http://loinc.org';

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the first object of a list, or the object itself: DSTU2 has one where R4 has several. */
const one = (value: unknown): Json => {
  const first = Array.isArray(value) ? value[0] : value;
  return isObject(first) ? first : {};
};
const many = (value: unknown, most = Number.POSITIVE_INFINITY): readonly Json[] =>
  (Array.isArray(value) ? (value.length > most ? value.slice(0, most) : value) : [value]).filter(isObject);

/** Returns the text with at most 200 characters, as well-formed Unicode and without control characters. */
export const text = (value: unknown): string =>
  typeof value === 'string'
    ? value
        .slice(0, LONGEST)
        .toWellFormed()
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
        .replace(/[\u0000-\u001f\u007f]+/g, ' ')
        .trim()
    : '';

const finite = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
/** Rounds to 12 significant digits, which undoes floating-point artefacts such as 0.34999999999999998 for 0.35. */
const plain = (value: number): number => Number(value.toPrecision(12));

/** Maximum number of codings to read; real concepts have a handful. */
const MOST_CODINGS = 50;

const codings = (
  concept: unknown,
): readonly { readonly system: string; readonly code: string; readonly display: string }[] =>
  many(one(concept).coding, MOST_CODINGS).map(({ system, code, display }) => ({
    system: text(system),
    code: text(code),
    display: text(display),
  }));

const DAY = /^(\d{4}-\d{2}-\d{2})(?:T|$)/;

/** Returns the day as written, in the time zone of the sample; null for a partial, non-existent, future or pre-1900 date. */
const dayOf = (value: unknown): string | null => {
  const day = DAY.exec(text(value))?.[1];
  if (!day) return null;
  const time = Date.parse(`${day}T00:00:00Z`);
  const isReal = Number.isFinite(time) && new Date(time).toISOString().startsWith(day);
  return isReal && day >= '1900-01-01' && time <= Date.now() + 86_400_000 ? day : null;
};

const SIGNS = new Map<string, Comparator>([
  ['<', '<'],
  ['<=', '<'],
  ['>', '>'],
  ['>=', '>'],
]);

type Measured = Pick<StoredMarker, 'value' | 'valueText' | 'comparator' | 'unit' | 'ucum'>;

/**
 * Returns the given code if it is a UCUM code that fits the marker, otherwise the UCUM code of the unit as laboratories print it.
 */
const ucumOf = (book: Book, marker: Marker | null, { code, unit }: Json): string => {
  const [coded, printed] = [text(code), text(unit)];
  if (marker && coded && book.convert(marker, 1, coded, marker.ucum) !== null) return coded;
  return readUnit(coded) ?? readUnit(printed) ?? '';
};

const quantityOf = (book: Book, marker: Marker | null, quantity: Json): Measured | null => {
  const number = finite(quantity.value);
  if (number === null) return null;
  const sign = SIGNS.has(text(quantity.comparator)) ? text(quantity.comparator) : '';
  const value = plain(number);
  return {
    value,
    valueText: `${sign}${value}`,
    comparator: SIGNS.get(sign) ?? '=',
    unit: text(quantity.unit) || text(quantity.code),
    ucum: ucumOf(book, marker, quantity),
  };
};

const wordsOf = (words: string): Measured | null => {
  if (!words) return null;
  const { value, comparator, text: shown } = readTyped(words);
  return { value, valueText: shown, comparator, unit: '', ucum: '' };
};

const measuredIn = (book: Book, marker: Marker | null, observation: Json): Measured | null =>
  (isObject(observation.valueQuantity) ? quantityOf(book, marker, observation.valueQuantity) : null) ??
  wordsOf(
    text(observation.valueString) ||
      text(one(observation.valueCodeableConcept).text) ||
      (codings(observation.valueCodeableConcept)[0]?.display ?? ''),
  );

/** Returns the printed range. Bounds in another unit than the value are stored as text only. */
const rangeIn = (observation: Json, unit: string): PrintedRange => {
  const normal = many(observation.referenceRange).find(({ type }) => {
    const [kind] = codings(type);
    return !kind || kind.code === 'normal' || kind.code === 'N';
  });
  if (!normal) return { low: null, high: null, text: '' };
  const [low, high] = [one(normal.low), one(normal.high)];
  const isOfUnit = (bound: Json): boolean =>
    !text(bound.unit) || !unit || text(bound.unit) === unit || text(bound.code) === unit;
  const [from, to] = [low, high].map((bound) => (isOfUnit(bound) ? finite(bound.value) : null)) as [
    number | null,
    number | null,
  ];
  const [least, most] = [from, to].map((bound) => (bound === null ? null : plain(bound))) as [
    number | null,
    number | null,
  ];
  const made =
    least !== null && most !== null
      ? `${least} - ${most}`
      : most !== null
        ? `< ${most}`
        : least !== null
          ? `> ${least}`
          : '';
  return { low: least, high: most, text: text(normal.text) || made };
};

interface Named {
  readonly marker: Marker | null;
  readonly rawName: string;
  readonly loinc: string | null;
  readonly doubts: readonly Doubt[];
  readonly confidence: number;
}

/**
 * Identifies the marker by its LOINC code. Falls back to the name only if the code is unknown, and then marks the value for
 * review.
 */
const namedBy = (book: Book, code: unknown, ucum: string | null): Named => {
  const all = codings(code);
  const loincs = all
    .filter(({ system, code: own }) => system === LOINC && /^\d{1,7}-\d$/.test(own))
    .map((coding) => coding.code);
  const rawName = text(one(code).text) || (all.find(({ display }) => display)?.display ?? '');
  const known = loincs.find((own) => book.byLoinc(own) !== null);
  if (known) {
    const marker = book.byLoinc(known);
    return { marker, rawName: rawName || (marker?.name ?? ''), loinc: known, doubts: [], confidence: 1 };
  }
  const loinc = loincs[0] ?? null;
  const meant = rawName ? book.named(rawName, { ucum }).filter(({ certainty }) => certainty === 1) : [];
  const marker = meant.length === 1 ? (meant[0]?.marker ?? null) : null;
  if (!marker)
    return {
      marker,
      rawName: rawName || loinc || '',
      loinc,
      doubts: meant.length ? ['several_markers'] : [],
      confidence: 0.5,
    };
  return { marker, rawName, loinc, doubts: loinc ? ['unclear_name'] : [], confidence: 0.8 };
};

const WITHDRAWN = new Set(['entered-in-error', 'cancelled', 'registered']);

const isVital = (category: unknown): boolean =>
  many(category).some((one) => codings(one).some(({ code }) => code === 'vital-signs'));

const labNameOf = ({ performer }: Json): string => {
  for (const { display } of many(performer)) {
    const name = text(display);
    if (name) return name;
  }
  return '';
};

/** Properties that are stated once per observation and apply to all of its parts. */
export interface Whole extends Pick<ReadObservation, 'key' | 'labName' | 'drawnOn' | 'issuedOn'> {
  /** Reason why none of its values is read; null if they are. */
  readonly skip: Skip | null;
}

/**
 * Reads the members that all parts share. It is called once per observation, because a hostile file can contain any number of
 * parts.
 */
export const readWhole = (observation: Json): Whole => ({
  skip: WITHDRAWN.has(text(observation.status)) ? 'withdrawn' : isVital(observation.category) ? 'vital_sign' : null,
  key: text(observation[KEY]),
  labName: labNameOf(observation),
  drawnOn: dayOf(observation.effectiveDateTime) ?? dayOf(one(observation.effectivePeriod).start),
  issuedOn: dayOf(observation.issued),
});

/**
 * Reads one value, or returns the reason why it was skipped.
 * @param part the observation itself, or one of its components.
 */
export const readObservation = (
  book: Book,
  part: Json,
  { skip, ...whole }: Whole = readWhole(part),
): ReadObservation | Skip => {
  if (skip) return skip;
  const ucum = readUnit(text(one(part.valueQuantity).code) || text(one(part.valueQuantity).unit));
  const { marker, rawName, loinc, doubts, confidence } = namedBy(book, part.code, ucum);
  if (!rawName) return 'no_name';
  const measured = measuredIn(book, marker, part);
  if (!measured) return 'no_value';
  const slug = marker?.slug ?? null;
  return {
    value: {
      ...measured,
      slug,
      rawName,
      loinc,
      range: rangeIn(part, measured.unit),
      flagText: codings(part.interpretation)[0]?.code ?? '',
      confidence,
      doubts: [...doubts, ...doubtsOf(book, { ...measured, slug })],
      page: 0,
      box: { x: 0, y: 0, width: 0, height: 0 },
      snippet: '',
      confirmed: false,
      origin: 'read',
      hasCrop: false,
    },
    marker,
    ...whole,
  };
};
