/** What a value is beside the ranges there are: the printed one first, ours where its population fits. */
import { type Book, type Marker, type MarkerRange, type Person, readUnit } from '#plugins/biomarkers/index.ts';
import { bandsOf, isPlain } from './bands/bands.ts';
import { flagBesideBand, type Judged, judgeByBands } from './bands/judge.ts';
import { styleOf } from './reading/numbers.ts';
import { type Direction, flagOf } from './reading/value-words.ts';
import type { Comparator, Flag } from './report.ts';
import type { SealedReport, StoredMarker } from './sealed-report.ts';

/**
 * What the flag was told from: the laboratory's range or its own mark, ours, or a limit at which a doctor is needed; or why it was not:
 * our sources disagree, the printed range and our limit do (`conflict`), or the number cannot be right in its unit (`implausible`).
 */
export type FlaggedBy =
  | 'printed'
  | 'mark'
  | 'ours'
  | 'critical'
  | 'disagreement'
  | 'conflict'
  | 'implausible'
  | 'nothing';

export interface Assessed {
  /** Its printed range is the one for this person; without bounds where the laboratory printed none that is. */
  readonly kept: StoredMarker;
  /** Null for a name that is none of ours. */
  readonly marker: Marker | null;
  /** In the marker's own unit; null for words, and where the unit does not convert. */
  readonly own: number | null;
  /** The most specific of ours for this person, in the marker's own unit; null: "we hold no sourced range". */
  readonly range: MarkerRange | null;
  /** All of ours that fit, that one first. */
  readonly ranges: readonly MarkerRange[];
  readonly flag: Flag;
  readonly flaggedBy: FlaggedBy;
}

interface Bounds {
  readonly low: number | null;
  readonly high: number | null;
}

/** Adults as far as a birth year can tell: in the year of somebody's eighteenth birthday nobody knows. */
const ageOf = ({ birthYear, collectedAt, createdAt }: Dated): number | null => {
  if (birthYear === null) return null;
  const years = Number((collectedAt ?? createdAt).slice(0, 4)) - birthYear;
  return years === 18 ? 17 : years;
};

type Dated = Pick<SealedReport, 'birthYear' | 'collectedAt' | 'sex' | 'isPregnant'> &
  Partial<Pick<SealedReport, 'isFasting'>> & { readonly createdAt: string };

export const personOf = (report: Dated): Person => ({
  sex: report.sex,
  age: ageOf(report),
  isPregnant: report.isPregnant,
});

/** Beyond it nobody is asked about pregnancy. */
const OLDEST_PREGNANT = 60;

/** Whether enough was told to say whose range it is: a minor's or a pregnant woman's is never an adult's by silence. */
export const isTold = (report: Dated): boolean => {
  const { sex, age, isPregnant } = personOf(report);
  return sex !== null && age !== null && (sex === 'male' || isPregnant !== null || age >= OLDEST_PREGNANT);
};

/** There is a range of ours, and nobody can say whether it is this person's. */
export const isOursHeldBack = (report: Dated, { marker }: Pick<Assessed, 'marker'>): boolean =>
  !isTold(report) && (marker?.ranges.length ?? 0) > 0;

/** Where a number lies beside a range of ours, whose ends belong to it; `unknown` when "less than" or "more than" leaves it open. */
export const flagBeside = ({ low, high }: Bounds, value: number, comparator: Comparator): Flag =>
  flagBesideBand({ low, high, isLowStrict: false, isHighStrict: false }, { value, comparator });

const isCritical = (marker: Marker, own: number, comparator: Comparator): boolean => {
  const { low = null, high = null } = marker.critical ?? {};
  if (low !== null && comparator !== '>' && own <= low) return true;
  return high !== null && comparator !== '<' && own >= high;
};

/** Where sources disagree about a value, none of them is taken for right. */
const flagByOurs = (
  ranges: readonly MarkerRange[],
  own: number,
  comparator: Comparator,
): Pick<Assessed, 'flag' | 'flaggedBy'> => {
  const flags = new Set(ranges.map((range) => flagBeside(range, own, comparator)));
  const [flag = 'unknown'] = flags;
  return flags.size === 1 ? { flag, flaggedBy: 'ours' } : { flag: 'unknown', flaggedBy: 'disagreement' };
};

/** A word on a scale: its first step is what is expected. */
const flagOfWord = ({ scale }: Marker, text: string): Flag => {
  const step = scale.findIndex((word: string) => word.toLowerCase() === text.trim().toLowerCase());
  if (step < 0) return 'unknown';
  return step === 0 ? 'normal' : 'high';
};

type Flagged = Pick<Assessed, 'flag' | 'flaggedBy'>;

/** Only units with a stroke or a per cent sign: "m" and "F" may be people. */
const isInOtherUnit = (text: string, ucum: string): boolean =>
  ucum !== '' &&
  text
    .split(/[\s;,()[\]]+/)
    .filter((word) => /[%/]/.test(word))
    .map((word) => readUnit(word.replace(/^[<>≤≥=\d.]+/, '')))
    .some((unit) => unit !== null && unit !== ucum);

/** By what the laboratory printed, words beside its bounds included. */
const judge = (report: Dated, { range, value, valueText, comparator, ucum }: StoredMarker): Judged => {
  if (value === null) return { flag: 'unknown', range: null, isState: false };
  const style = range.decimal ? { decimal: range.decimal, isSure: true } : styleOf(`${range.text} ${valueText}`);
  // A reference in another unit says nothing of this number.
  const bands = isInOtherUnit(range.text, ucum) ? [] : bandsOf(range.text, style);
  if (bands.length && !isPlain(bands)) {
    const { sex, age, isPregnant } = personOf(report);
    return judgeByBands(bands, { value, comparator }, { sex, age, isPregnant, isFasting: report.isFasting ?? null });
  }
  const [band] = bands;
  const { low, high } = range;
  const { isLowStrict = false, isHighStrict = false } = band ?? {};
  return {
    flag: flagBesideBand({ low, high, isLowStrict, isHighStrict }, { value, comparator }),
    range: { low, high },
    isState: false,
  };
};

/** HH and LL are how laboratories mark what their doctor is telephoned about. */
const isAlarm = (flagText: string, mark: Direction | null): boolean =>
  mark === 'critical' || /^[^a-z]*(?:hh|ll)[^a-z]*$/i.test(flagText);

/** The laboratory's own mark is never contradicted downward. */
const withMark = (found: Flagged, flagText: string): Flagged => {
  const mark = flagText ? flagOf(flagText, true) : null;
  if (found.flag === 'critical' || mark === null || mark === 'normal') return found;
  if (isAlarm(flagText, mark)) return { flag: 'critical', flaggedBy: 'mark' };
  const isOutside = found.flag === 'low' || found.flag === 'high';
  if (mark === 'abnormal') return isOutside ? found : { flag: 'unknown', flaggedBy: 'mark' };
  if (mark === found.flag) return found;
  return isOutside ? { flag: 'unknown', flaggedBy: 'conflict' } : { flag: mark as Flag, flaggedBy: 'mark' };
};

const isImplausible = ({ plausible }: Marker, own: number, comparator: Comparator): boolean =>
  plausible !== null && ((comparator !== '<' && own < plausible.low) || (comparator !== '>' && own > plausible.high));

const byWords = ({ marker, kept }: Pick<Assessed, 'marker' | 'kept'>): Flagged =>
  marker?.kind === 'ordinal'
    ? { flag: flagOfWord(marker, kept.valueText), flaggedBy: 'ours' }
    : { flag: 'unknown', flaggedBy: 'nothing' };

const flagged = (
  { kept, marker, own, ranges }: Omit<Assessed, 'flag' | 'flaggedBy'>,
  { flag: printed, isState }: Judged,
): Flagged => {
  // Until somebody has confirmed it, an impossible number says that its unit or its digits are wrong, and nothing of the person.
  if (marker && own !== null && !kept.confirmed && isImplausible(marker, own, kept.comparator))
    return { flag: 'unknown', flaggedBy: 'implausible' };
  if (marker && own !== null && isCritical(marker, own, kept.comparator))
    return printed === 'normal'
      ? { flag: 'unknown', flaggedBy: 'conflict' }
      : { flag: 'critical', flaggedBy: 'critical' };
  if (printed !== 'unknown') return { flag: printed, flaggedBy: 'printed' };
  if (!ranges.length || own === null) return byWords({ marker, kept });
  const ours = flagByOurs(ranges, own, kept.comparator);
  return isState && ours.flag === 'normal' ? { flag: 'unknown', flaggedBy: 'conflict' } : ours;
};

export const assess = (book: Book, report: Dated, kept: StoredMarker): Assessed => {
  const marker = kept.slug === null ? null : book.bySlug(kept.slug);
  const own =
    marker && kept.value !== null && kept.ucum ? book.convert(marker, kept.value, kept.ucum, marker.ucum) : null;
  const ranges = marker && isTold(report) ? book.rangesFor(marker, personOf(report)) : [];
  const judged = judge(report, kept);
  const { low = null, high = null } = judged.range ?? {};
  const range = kept.value === null ? kept.range : { ...kept.range, low, high };
  const known = { kept: { ...kept, range }, marker, own, range: ranges[0] ?? null, ranges };
  return { ...known, ...withMark(flagged(known, judged), kept.flagText) };
};

export const assessAll = (book: Book, report: Dated & Pick<SealedReport, 'markers'>): readonly Assessed[] =>
  report.markers.map((kept) => assess(book, report, kept));
