/** Builds the view of the results page: critical values first, then unread lines, the review, and the values. */
import { type Static, Type } from 'typebox';
import { type Book, CATEGORY_WORDS, unitText } from '#plugins/biomarkers/index.ts';
import { type Assessed, assessAll, isOursHeldBack, isTold } from './assess.ts';
import { type Flow, flowOf } from './flows.ts';
import {
  DOUBT_WORDS,
  FLAG_WORDS,
  NOT_COMPARED,
  NOTICE_WORDS,
  type Notice,
  OUTCOME_WORDS,
  WARNING_WORDS,
} from './lab-messages.ts';
import { type RangeBar, rangeBar } from './range-bar.ts';
import type { Report } from './sealed-report.ts';
import { populationOf } from './shown.ts';

const Bar = Type.Union([
  Type.Null(),
  Type.Object({ from: Type.Number(), to: Type.Number(), at: Type.Number(), isOff: Type.String() }),
]);

const Row = Type.Object({
  id: Type.String(),
  name: Type.String(),
  rawName: Type.String(),
  href: Type.String(),
  value: Type.String(),
  unit: Type.String(),
  range: Type.String(),
  flag: Type.String(),
  flagWords: Type.String(),
  /** Why we show no range of our own; "" if we show one. */
  noRange: Type.String(),
  ours: Type.Array(
    Type.Object({ text: Type.String(), name: Type.String(), url: Type.String(), population: Type.String() }),
  ),
  bar: Bar,
  snippet: Type.String(),
  crop: Type.String(),
  page: Type.Integer(),
  doubts: Type.Array(Type.String()),
  isHard: Type.Boolean(),
  isSuggested: Type.Boolean(),
  isConfirmed: Type.Boolean(),
  origin: Type.String(),
});
type Row = Static<typeof Row>;

export const ResultsView = Type.Object({
  base: Type.String(),
  flowName: Type.String(),
  notice: Type.String(),
  report: Type.Union([
    Type.Null(),
    Type.Object({
      id: Type.String(),
      revision: Type.Integer(),
      action: Type.String(),
      collectedAt: Type.String(),
      createdAt: Type.String(),
      labName: Type.String(),
      sex: Type.String(),
      birthYear: Type.String(),
      pregnant: Type.String(),
      fasting: Type.String(),
      isTold: Type.Boolean(),
      files: Type.Array(Type.Object({ name: Type.String(), words: Type.String(), isRead: Type.Boolean() })),
      warnings: Type.Array(Type.String()),
      readByLetters: Type.Boolean(),
    }),
  ]),
  critical: Type.Array(Row),
  review: Type.Array(Row),
  groups: Type.Array(Type.Object({ category: Type.String(), rows: Type.Array(Row) })),
  counts: Type.Object({
    outside: Type.Integer(),
    within: Type.Integer(),
    notCompared: Type.Integer(),
    unconfirmed: Type.Integer(),
  }),
  unread: Type.Array(Type.Object({ page: Type.Integer(), text: Type.String() })),
  names: Type.Array(Type.String()),
  isEditing: Type.Boolean(),
});
export type ResultsView = Static<typeof ResultsView>;

const plainNumber = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 6, useGrouping: false });
/** Converted bounds have at most three significant digits, as a laboratory would print them. */
const converted = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3, useGrouping: false });

const boundsText = (low: number | null, high: number | null, unit: string, isConverted: boolean): string => {
  const shownNumber = (value: number): string => (isConverted ? converted : plainNumber).format(value);
  const tail = unit ? ` ${unit}` : '';
  if (low !== null && high !== null) return `${shownNumber(low)} to ${shownNumber(high)}${tail}`;
  if (high !== null) return `up to ${shownNumber(high)}${tail}`;
  return low === null ? '' : `${shownNumber(low)}${tail} and more`;
};

/** Converts our ranges to the printed unit, so that both can be compared directly. */
const oursIn = (book: Book, { kept, marker, ranges }: Assessed) => {
  if (!marker) return [];
  const to = kept.ucum && book.convert(marker, 1, marker.ucum, kept.ucum) !== null ? kept.ucum : marker.ucum;
  const at = (bound: number | null): number | null =>
    bound === null ? null : book.convert(marker, bound, marker.ucum, to);
  return ranges.map((range) => {
    const [low, high] = [at(range.low), at(range.high)];
    const text = boundsText(low, high, unitText(to), to !== marker.ucum);
    return { low, high, text, name: range.source.name, url: range.source.url, population: populationOf(range) };
  });
};

const NO_RANGE = 'we hold no sourced range';
const HELD_BACK = `${NO_RANGE} for what you have told: sex, year of birth or pregnancy is missing`;

/** Minimum confidence to suggest a value as correct; it must also have no doubts. */
const SURE = 0.9;

const barOf = ({ kept }: Assessed, [ours]: readonly { low: number | null; high: number | null }[]): RangeBar | null =>
  rangeBar(kept.range, kept.value) ?? (kept.ucum && ours ? rangeBar(ours, kept.value) : null);

const rowOf = (
  book: Book,
  assessed: Assessed,
  { crops, report }: { readonly crops: string; readonly report: Report },
): Row => {
  const { kept, marker, flag, flaggedBy } = assessed;
  const ours = oursIn(book, assessed);
  return {
    id: kept.markerId,
    name: marker?.name ?? kept.rawName,
    rawName: kept.rawName,
    href: marker ? `/biomarkers/${marker.slug}` : '',
    value: kept.valueText,
    unit: kept.unit,
    range: kept.range.text,
    flag,
    flagWords: (flag === 'unknown' && NOT_COMPARED[flaggedBy]) || FLAG_WORDS[flag],
    noRange: ours.length ? '' : isOursHeldBack(report, assessed) ? HELD_BACK : NO_RANGE,
    ours: ours.map(({ text, name, url, population }) => ({ text, name, url, population })),
    bar: barOf(assessed, ours),
    snippet: kept.snippet,
    crop: kept.hasCrop && !kept.confirmed ? `${crops}/${kept.markerId}` : '',
    page: kept.page,
    doubts: kept.doubts.map((doubt) => DOUBT_WORDS[doubt]),
    isHard: kept.doubts.some((doubt) => /^(implausible|unclear_number|unit_does_not_fit)$/.test(doubt)),
    isSuggested:
      !kept.doubts.length &&
      kept.confidence >= SURE &&
      flag !== 'critical' &&
      !(flag === 'unknown' && NOT_COMPARED[flaggedBy]),
    isConfirmed: kept.confirmed,
    origin: kept.origin,
  };
};

const categoryOf = ({ marker }: Assessed): string => CATEGORY_WORDS[marker?.category ?? ''] ?? 'Other values';

/** Groups the rows by category, in the order of the report. */
const groupsOf = (rows: readonly { readonly row: Row; readonly category: string }[]): ResultsView['groups'] =>
  [...Map.groupBy(rows, ({ category }) => category)].map(([category, some]) => ({
    category,
    rows: some.map(({ row }) => row),
  }));

const EMPTY = { critical: [], review: [], groups: [], unread: [], isEditing: false };
const NO_COUNTS = { outside: 0, within: 0, notCompared: 0, unconfirmed: 0 };

const yesNo = (value: boolean | null): string => (value === null ? '' : value ? 'yes' : 'no');

export const resultsView = (
  book: Book,
  { flow, report, notice, isEditing }: { flow: Flow; report: Report | null; notice: Notice; isEditing: boolean },
): ResultsView => {
  const common = {
    base: flow.base,
    flowName: flow.name,
    notice: notice ? NOTICE_WORDS[notice] : '',
    names: book.markers.map(({ name }) => name),
  };
  if (!report) return { ...common, ...EMPTY, report: null, counts: NO_COUNTS };
  const whole = flow.isPartial ? flowOf(report.testType) : flow;
  const action = `${whole.base}/reports/${report.reportId}`;
  const all = assessAll(book, report).map((assessed) => ({
    assessed,
    row: rowOf(book, assessed, { crops: `${action}/rows`, report }),
    category: categoryOf(assessed),
  }));
  const confirmed = all.filter(({ row }) => row.isConfirmed);
  const open = all.filter(({ row }) => isEditing || !row.isConfirmed);
  const count = (...flags: string[]): number => confirmed.filter(({ row }) => flags.includes(row.flag)).length;
  return {
    ...common,
    base: whole.base,
    report: {
      id: report.reportId,
      revision: report.revision,
      action: `${action}/review`,
      collectedAt: report.collectedAt ?? '',
      createdAt: report.createdAt,
      labName: report.labName,
      sex: report.sex ?? '',
      birthYear: report.birthYear === null ? '' : String(report.birthYear),
      pregnant: yesNo(report.isPregnant),
      fasting: yesNo(report.isFasting),
      isTold: isTold(report),
      files: report.files.map(({ name, outcome }) => ({
        name,
        words: OUTCOME_WORDS[outcome],
        isRead: outcome === 'read',
      })),
      warnings: report.warnings.map((warning) => WARNING_WORDS[warning] ?? warning),
      readByLetters: report.readBy === 'ocr' || report.readBy === 'mixed' || report.readBy === 'model',
    },
    critical: all.filter(({ row }) => row.flag === 'critical').map(({ row }) => row),
    review: open.map(({ row }) => row).sort((a, b) => Number(a.isSuggested) - Number(b.isSuggested)),
    groups: groupsOf(confirmed),
    counts: {
      outside: count('low', 'high', 'critical'),
      within: count('normal'),
      notCompared: count('unknown'),
      unconfirmed: all.length - confirmed.length,
    },
    unread: [...report.unread],
    isEditing,
  };
};
