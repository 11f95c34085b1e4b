/** Converts a row to a value of a report: selects its marker and collects its doubts. */

import { bandsOf, isPlain } from '../bands/bands.ts';
import type { Doubt, PrintedRange, ReadValue } from '../report.ts';
import { type Book, type Marker, type NamedMarker, readUnit } from './book.ts';
import { type Checked, doubtsOf } from './checks.ts';
import type { NumberStyle } from './numbers.ts';
import { ocrUnit } from './ocr-units.ts';
import { around, type PageWords, textOf } from './page-words.ts';
import type { Row } from './rows.ts';
import type { Segment } from './segments.ts';

export interface ValueContext {
  readonly book: Book;
  readonly page: PageWords;
  readonly style: NumberStyle;
  /** Whether the report prints flags at all. */
  readonly hasFlags: boolean;
}

const isUrineStrip = (marker: Marker): boolean => marker.kind === 'ordinal';

/** Returns a score for how well the marker fits the value, unit and specimen of the row; higher is better. */
const fitOf = (book: Book, { marker }: NamedMarker, row: Row, ucum: string): number => {
  const value = row.parts.value;
  const isWord = value?.kind === 'result' || value?.kind === 'range';
  let fit = isWord === isUrineStrip(marker) ? 2 : 0;
  if (ucum && !isUrineStrip(marker)) fit += book.convert(marker, 1, ucum, marker.ucum) === null ? -2 : 2;
  if (row.specimen && marker.specimen === row.specimen) fit += 1;
  const own =
    value?.number && ucum && !isUrineStrip(marker) ? book.convert(marker, value.number.value, ucum, marker.ucum) : null;
  if (own !== null && marker.plausible) fit += own >= marker.plausible.low && own <= marker.plausible.high ? 1 : -1;
  return fit;
};

interface Chosen {
  readonly marker: Marker | null;
  readonly certainty: number;
  readonly isOneOfSeveral: boolean;
  readonly loinc: string | null;
}

/**
 * Returns whether the name says "random" or "after a meal" while all our ranges are for fasting people. That is a different test
 * with the same name.
 */
const isUnfasted = ({ marker }: NamedMarker, name: string): boolean =>
  /(?<!\p{L})(?:random|non-? ?fasting|post-? ?prandial|after (?:a )?meal|gelegenheit\p{L}*|nicht nüchtern)(?!\p{L})/iu.test(
    name,
  ) &&
  marker.ranges.length > 0 &&
  marker.ranges.every(({ note }) => /fasting/.test(note));

const choose = (book: Book, row: Row, ucum: string): Chosen => {
  const name = { ...row.name, named: row.name.named.filter((one) => !isUnfasted(one, row.name.text)) };
  const byCode = name.loinc ? book.byLoinc(name.loinc) : null;
  if (byCode) {
    const agrees = !name.named.length || name.named.some(({ marker }) => marker.slug === byCode.slug);
    return { marker: byCode, certainty: 1, isOneOfSeveral: !agrees, loinc: name.loinc };
  }
  const [first] = name.named;
  if (!first) return { marker: null, certainty: 0, isOneOfSeveral: false, loinc: null };
  const near = name.named.filter(({ certainty }) => certainty >= first.certainty - 0.05);
  const ranked = near.map((one) => ({ one, fit: fitOf(book, one, row, ucum) })).sort((a, b) => b.fit - a.fit);
  const isOneOfSeveral = ranked.length > 1 && ranked[0]!.fit - ranked[1]!.fit < 1;
  return { marker: ranked[0]!.one.marker, certainty: name.certainty, isOneOfSeveral, loinc: null };
};

const withoutOddBrackets = (text: string): string =>
  /[([]/.test(text) === /[)\]]/.test(text) ? text : text.replace(/[()[\]]/g, '').trim();

const rangeOf = (
  segments: readonly Segment[],
  style: NumberStyle,
): { printed: PrintedRange; low: Segment['low']; high: Segment['high'] } => {
  const sides = segments.filter(({ kind }) => kind === 'range' || kind === 'bound');
  const text = withoutOddBrackets(
    segments
      .map((segment) => segment.text)
      .join(' ')
      .replaceAll(' ;', ';'),
  );
  const [only] = sides;
  const bands = bandsOf(text, style);
  // A range for some people only, or one that names a state, is judged when the person is known (assess.ts).
  if (!only || sides.length > 1 || (bands.length > 0 && !isPlain(bands)))
    return {
      printed: { low: null, high: null, text, ...(bands.length ? { decimal: style.decimal } : {}) },
      low: null,
      high: null,
    };
  const low = only.kind === 'range' ? only.low : only.comparator === '>' ? only.number : null;
  const high = only.kind === 'range' ? only.high : only.comparator === '<' ? only.number : null;
  return { printed: { low: low?.value ?? null, high: high?.value ?? null, text }, low, high };
};

const nameDoubts = (row: Row, { marker, certainty, isOneOfSeveral }: Chosen): Doubt[] => {
  const doubts: Doubt[] = [];
  if (!marker) doubts.push('unknown_marker');
  else if (certainty < 0.9 || row.isNameDoubtful) doubts.push('unclear_name');
  if (isOneOfSeveral) doubts.push('several_markers');
  return doubts;
};

const rowDoubts = (row: Row, marker: Marker | null): Doubt[] => {
  const { value, others } = row.parts;
  const doubts: Doubt[] = [];
  if (others.length || row.isColumnDoubtful) doubts.push('several_values');
  if (value?.isMended) doubts.push('unclear_number');
  const isWord = value?.kind === 'result' || value?.kind === 'range';
  // A word where a number is expected, unless it says "not detected".
  if (marker?.kind === 'quantity' && isWord) doubts.push('unclear_number');
  return doubts;
};

/** Factor by which each doubt reduces the confidence. */
const left: Readonly<Record<Doubt, number>> = {
  unknown_marker: 0.5,
  several_markers: 0.5,
  unclear_name: 0.6,
  no_unit: 0.6,
  unknown_unit: 0.5,
  unit_does_not_fit: 0.4,
  implausible: 0.2,
  far_from_range: 0.5,
  unclear_number: 0.4,
  lost_decimal_point: 0.2,
  decimal_comma: 0.5,
  flag_disagrees: 0.4,
  several_values: 0.5,
  twice_in_report: 0.8,
  percent_or_count: 0.4,
  poor_scan: 0.5,
  from_model: 0.4,
};

/**
 * Computes the confidence of a value, 0 to 0.99.
 * @param read how certain the recognition of the letters is, 0 to 1.
 */
export const confidenceOf = (read: number, certainty: number, doubts: readonly Doubt[]): number => {
  const rest = doubts.reduce((share, doubt) => share * left[doubt], read * (0.5 + 0.5 * certainty));
  return Math.round(Math.min(0.99, rest) * 1000) / 1000;
};

const poor = 0.6;

/** Returns whether another OCR pass read other digits. */
const isRival = (text: string, rival: string | undefined): boolean =>
  rival !== undefined && /\d/.test(rival) && rival.replace(/[^\d.,<>]/g, '') !== text.replace(/[^\d.,<>]/g, '');

const share = (number: number, whole: number): number =>
  Math.round(Math.min(1, Math.max(0, number / whole)) * 1e4) / 1e4;

/** Builds the value of a row, with its marker, doubts and confidence. */
export const readValueOf = (row: Row, { book, page, hasFlags, style }: ValueContext): ReadValue => {
  const { parts, name } = row;
  const value = parts.value!;
  const unit = parts.unit?.text ?? name.unit;
  const isOcr = page.readBy !== 'text';
  const asPrinted = parts.unit?.ucum ?? (name.unit ? (readUnit(name.unit) ?? '') : '');
  const chosen = choose(book, row, asPrinted);
  const mended =
    isOcr && unit
      ? ocrUnit(book, chosen.marker, { text: unit, value: value.number?.value ?? null })
      : { ucum: asPrinted, isUnsure: false };
  const { ucum } = mended;
  const { printed, low, high } = rangeOf(parts.range, style);
  const number = value.kind === 'number' || value.kind === 'bound' ? value.number : null;
  const checked: Checked = {
    marker: chosen.marker,
    number,
    text: value.text,
    comparator: value.comparator,
    unit,
    ucum,
    low,
    high,
    rangeText: printed.text,
    direction: parts.flag?.direction ?? null,
    isOcr,
    hasFlags,
  };
  const letters = Math.min(...value.words.map((word) => word.confidence));
  const doubts = [...nameDoubts(row, chosen), ...rowDoubts(row, chosen.marker), ...doubtsOf(book, checked)];
  if (letters < poor) doubts.push('poor_scan');
  if (value.words.some(({ rival }) => isRival(value.text, rival))) doubts.push('unclear_number');
  if (mended.isUnsure) doubts.push('unknown_unit');
  const box = around(row.words);
  return {
    slug: chosen.marker?.slug ?? null,
    rawName: name.text,
    loinc: chosen.loinc,
    value: number?.value ?? null,
    valueText: value.text,
    comparator: value.comparator,
    unit,
    ucum,
    range: printed,
    flagText: parts.flag?.text ?? '',
    confidence: confidenceOf(letters, chosen.certainty, [...new Set(doubts)]),
    doubts: [...new Set(doubts)],
    page: page.page,
    box: {
      x: share(box.x, page.width),
      y: share(box.y, page.height),
      width: share(box.width, page.width),
      height: share(box.height, page.height),
    },
    snippet: textOf(row.words).slice(0, 300),
  };
};

/** Marks values whose marker occurs in several rows: one of them may be an earlier result, or another sample. */
export const withRepeats = (values: readonly ReadValue[]): ReadValue[] => {
  const counts = new Map<string, number>();
  for (const { slug } of values) if (slug) counts.set(slug, (counts.get(slug) ?? 0) + 1);
  return values.map((value) => {
    if (!value.slug || counts.get(value.slug)! < 2) return value;
    const doubts: Doubt[] = [...value.doubts, 'twice_in_report'];
    return { ...value, doubts, confidence: Math.round(value.confidence * left.twice_in_report * 1000) / 1000 };
  });
};
