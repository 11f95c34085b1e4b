/**
 * Assigns the segments of a row to value, unit, range and flag: by the header of the table if there is one, otherwise by their
 * order on the page.
 */

import { isForAll } from '../bands/band-words.ts';
import { bandsOf } from '../bands/bands.ts';
import type { ColumnKind, HeaderCell } from './headers.ts';
import { isApart } from './lines.ts';
import { around, type Rectangle, textOf } from './page-words.ts';
import type { Segment } from './segments.ts';
import { flagOf } from './value-words.ts';

export interface Parts {
  readonly value: Segment | null;
  readonly unit: Segment | null;
  readonly range: readonly Segment[];
  readonly flag: Segment | null;
  /** Numbers other than the value that have no known role; they may be an earlier result. */
  readonly others: readonly Segment[];
  readonly texts: readonly Segment[];
  readonly state: Segment | null;
}

/** Column order on pages without table headers: whether values precede the ranges. */
export interface Order {
  readonly isValueFirst: boolean;
}

const overlap = (cell: HeaderCell, part: Rectangle): number =>
  Math.min(cell.right, part.x + part.width) - Math.max(cell.x, part.x);

/**
 * Returns the header cell above a segment: the cell with the largest horizontal overlap. Between two cells, the left one wins,
 * because columns are wider than their headers.
 */
export const cellAbove = (header: readonly HeaderCell[], part: Rectangle): HeaderCell | null => {
  const under = nearest(header, part);
  if (!under || overlap(under, part) > 0 || under.x < part.x) return under;
  const before = header.filter(({ right }) => right <= part.x).toSorted((a, b) => b.right - a.right)[0];
  const isClose = under.x - (part.x + part.width) < 0.6 * part.height;
  return before && !isClose ? before : under;
};

const nearest = (header: readonly HeaderCell[], part: Rectangle): HeaderCell | null => {
  let best: HeaderCell | null = null;
  let most = Number.NEGATIVE_INFINITY;
  for (const cell of header) {
    const shared = overlap(cell, part);
    if (shared > most) {
      most = shared;
      best = cell;
    }
  }
  return best;
};

/**
 * Returns the header cell of the current report among columns headed by dates: the latest date, or the first column with `isSure:
 * false` when a date cannot be read. Returns null if no column is dated or if there is a result column.
 */
export const currentDated = (
  header: readonly HeaderCell[],
): { readonly cell: HeaderCell; readonly isSure: boolean } | null => {
  const dated = header.filter(({ kind }) => kind === 'dated');
  if (!dated.length || header.some(({ kind }) => kind === 'result')) return null;
  const known = dated.filter(({ date }) => date?.day);
  const latest = known.toSorted((a, b) => b.date!.day!.localeCompare(a.date!.day!))[0];
  return { cell: latest ?? dated[0]!, isSure: dated.length === 1 || known.length === dated.length };
};

export const columnOf = (header: readonly HeaderCell[], part: Rectangle): ColumnKind => {
  const cell = cellAbove(header, part);
  if (cell?.kind !== 'dated') return cell?.kind ?? 'other';
  return currentDated(header)?.cell === cell ? 'result' : 'previous';
};

const isValue = ({ kind }: Segment): boolean => kind === 'number' || kind === 'bound' || kind === 'result';
const isRange = ({ kind }: Segment): boolean => kind === 'range' || kind === 'bound';
const asFlag = (segment: Segment): Segment | null => {
  if (segment.kind === 'flag') return segment;
  const direction = segment.kind === 'result' || segment.kind === 'text' ? flagOf(segment.text, true) : null;
  return direction && { ...segment, kind: 'flag', direction };
};
const unitAmong = (segments: readonly Segment[]): Segment | null =>
  segments.find(({ kind, ucum }) => kind === 'unit' && ucum !== null) ??
  segments.find(({ kind }) => kind === 'unit') ??
  null;

/** Returns whether the segment is the code of a site: "01" for the laboratory that made the measurement. */
const isSiteCode = ({ kind, text }: Segment): boolean => kind === 'number' && /^0\d$/.test(text);

/** Combines the low and the high column of one range into a range, or into a bound when only one of them has a number. */
const endsOf = (lows: readonly Segment[], highs: readonly Segment[]): Segment[] => {
  const [low, high] = [lows.find(({ kind }) => kind === 'number'), highs.find(({ kind }) => kind === 'number')];
  if (low && high)
    return [
      {
        ...low,
        kind: 'range',
        words: [...low.words, ...high.words],
        text: `${low.text} - ${high.text}`,
        low: low.number,
        high: high.number,
      },
    ];
  if (low) return [{ ...low, kind: 'bound', comparator: '>' }];
  return high ? [{ ...high, kind: 'bound', comparator: '<' }] : [];
};

const byHeader = (given: readonly Segment[], header: readonly HeaderCell[]): Parts => {
  const isOnlyNumber = given.filter(isValue).length === 1;
  const segments = given.filter((segment) => isOnlyNumber || !isSiteCode(segment));
  const placed: { readonly segment: Segment; readonly column: ColumnKind }[] = [];
  for (const segment of segments) {
    const before = placed.at(-1);
    const column = columnOf(header, around(segment.words));
    // A long reference extends below the next header: "Optimal <100; Near optimal 100-129".
    const runsOn =
      before?.column === 'range' && column === 'flag' && isBeside(before.segment, segment) && asFlag(segment) === null;
    placed.push({ segment, column: runsOn ? 'range' : column });
  }
  const inColumn = (...kinds: ColumnKind[]): Segment[] =>
    placed.filter(({ column }) => kinds.includes(column)).map(({ segment }) => segment);
  const own = inColumn('result');
  const range = [
    ...inColumn('range').filter(({ kind }) => kind !== 'unit'),
    ...endsOf(inColumn('low'), inColumn('high')),
  ];
  const near = inColumn('result', 'name', 'unit', 'flag');
  // A result column always holds the value. A neighbouring column holds it only if the result column is empty and no other column
  // has the number.
  const inResult = own.find(isValue) ?? own.find(({ kind }) => kind === 'range') ?? null;
  const hasResult = header.some(({ kind }) => kind === 'result' || kind === 'dated');
  const value =
    inResult ?? (own.length ? null : (near.find(({ kind }) => kind === 'number') ?? near.find(isValue) ?? null));
  const rest = segments.filter((segment) => segment !== value);
  const others = own.filter((segment) => segment !== value && (segment.kind === 'number' || segment.kind === 'bound'));
  const ranges = range.filter((segment) => segment !== value);
  const besideRange = ranges.length
    ? ranges
    : [...inColumn('unit', 'flag', 'result')].filter((segment) => isRange(segment) && segment !== value);
  const flags = [...inColumn('flag'), ...own, ...near].filter((segment) => segment !== value).map(asFlag);
  const unit =
    unitAmong(inColumn('unit')) ??
    unitAmong(own) ??
    unitAmong(inColumn('range')) ??
    unitAmong(rest.filter((segment) => !inColumn('previous').includes(segment)));
  const used = new Set([value, unit, ...ranges, ...others]);
  return {
    value: hasResult || inResult ? value : null,
    unit,
    range: besideRange,
    flag: flags.find((segment) => segment !== null) ?? null,
    others,
    texts: placed
      .filter(
        ({ segment, column }) =>
          segment.kind === 'text' && !used.has(segment) && (column === 'result' || column === 'name'),
      )
      .map(({ segment }) => segment),
    state: own.find(({ kind }) => kind === 'state') ?? null,
  };
};

/**
 * Returns the segment that is the value: the first number, otherwise a result, bound or range chosen by the column order. In
 * "<0.01 ng/mL <0.04", one of the two bounds is the value.
 */
const valueAmong = (segments: readonly Segment[], order: Order): Segment | null => {
  const numbers = segments.filter((segment) => segment.kind === 'number' && !isSiteCode(segment));
  if (numbers.length) return numbers[0]!;
  const results = segments.filter(({ kind }) => kind === 'result');
  const bounds = segments.filter(({ kind }) => kind === 'bound');
  const ranges = segments.filter(({ kind }) => kind === 'range');
  if (results.length) return order.isValueFirst ? results[0]! : results.at(-1)!;
  if (bounds.length) return order.isValueFirst ? bounds[0]! : bounds.at(-1)!;
  return ranges.length >= 2 ? (order.isValueFirst ? ranges[0]! : ranges.at(-1)!) : null;
};

/**
 * Returns whether the label is a flag. "Low < 40" names a state; in "Low > 40", "Low" is the flag and "> 40" the range that the
 * value is below.
 */
const isMarkOf = (label: Segment, { kind, comparator }: Segment): boolean => {
  if (flagOf(label.text, true) === null) return false;
  if (/low/i.test(label.text)) return kind !== 'bound' || comparator !== '<';
  if (/high/i.test(label.text)) return kind !== 'bound' || comparator !== '>';
  return !/normal/i.test(label.text);
};

const isStage = (segment: Segment | undefined): boolean =>
  /^(?:stage|grade|class|type|stadium|grad)$/i.test(segment?.text ?? '');

/** Returns whether the segment at `at` can be the label of a range: words, or the number in "stage 3". */
const isLabelAt = (segments: readonly Segment[], at: number): boolean => {
  const segment = segments[at];
  if (segment?.kind === 'number') return isStage(segments[at - 1]);
  return /^(?:text|flag|result|state)$/.test(segment?.kind ?? '') && /\p{L}/u.test(segment?.text ?? '');
};

const isBeside = (before: Segment | undefined, after: Segment | undefined): boolean => {
  const [last, first] = [before?.words.at(-1), after?.words[0]];
  return !!last && !!first && !isApart(last, first);
};

const ANY_STYLE = { decimal: 'point', isSure: false } as const;

/**
 * Returns a range together with the adjacent words and ranges, if these state its population or its meaning: "Diabetes >= 6.5",
 * "13-17 (M)".
 */
const withWords = (segments: readonly Segment[], range: Segment, value: Segment | null): readonly Segment[] => {
  const at = segments.indexOf(range);
  let [from, to] = [at, at];
  const belongs = (other: number): boolean =>
    segments[other] !== value &&
    (isLabelAt(segments, other) || (segments[other] !== undefined && isRange(segments[other]!)));
  while (belongs(from - 1) && isBeside(segments[from - 1], segments[from])) from -= 1;
  while (belongs(to + 1) && isBeside(segments[to], segments[to + 1])) to += 1;
  const said = segments.slice(from, to + 1);
  const labels = said.filter((segment) => !isRange(segment));
  const [only] = labels;
  if (!only || (labels.length === 1 && isMarkOf(only, range))) return [range];
  const bands = bandsOf(textOf(said.flatMap(({ words }) => words)), ANY_STYLE);
  const isSaid = bands.some(({ meaning, condition }) => meaning !== 'range' || !isForAll(condition));
  return isSaid && bands.every(({ meaning }) => meaning !== 'unknown') ? said : [range];
};

const byOrder = (given: readonly Segment[], order: Order): Parts => {
  const value = valueAmong(given, order);
  const labelled = new Set(
    given.filter((one) => one !== value && isRange(one)).flatMap((one) => withWords(given, one, value)),
  );
  const labels = [...labelled].filter((one) => !isRange(one));
  const ranges = given.filter((segment) => labelled.has(segment) && segment !== value);
  const segments = given.filter((segment) => !labels.includes(segment));
  const at = value ? segments.indexOf(value) : -1;
  const rest = segments.filter((segment) => segment !== value);
  const behind = segments.slice(at + 1);
  const words = rest.filter(({ kind }) => kind === 'result');
  // Beside a result in words, a second such word is the expected result. Beside a number, it is a flag.
  const range = ranges.length
    ? ranges
    : value?.kind === 'result'
      ? words.slice(0, 1)
      : rest.filter(({ kind }) => kind === 'state').slice(0, 1);
  const flag =
    rest
      .filter((segment) => !range.includes(segment))
      .map(asFlag)
      .find((segment) => segment !== null) ?? null;
  return {
    value,
    unit: unitAmong(behind) ?? unitAmong(rest),
    range,
    flag,
    others: rest.filter((segment) => segment.kind === 'number' && !isSiteCode(segment)),
    texts: rest.filter((segment) => segment.kind === 'text' && segment.text.replace(/[^\p{L}\d]/gu, '').length > 0),
    state: rest.find(({ kind }) => kind === 'state') ?? null,
  };
};

export const partsOf = (segments: readonly Segment[], header: readonly HeaderCell[] | null, order: Order): Parts =>
  header ? byHeader(segments, header) : byOrder(segments, order);
