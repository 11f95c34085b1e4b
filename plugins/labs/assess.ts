/** Assesses a value against the available ranges: first the printed range, then ours if it applies to this person. */
import { type Book, type Marker, type MarkerRange, type Person, readUnit } from '#plugins/biomarkers/index.ts';
import { bandsOf, isPlain } from './bands/bands.ts';
import { flagBesideBand, type Judged, judgeByBands } from './bands/judge.ts';
import { styleOf } from './reading/numbers.ts';
import { type Direction, flagOf } from './reading/value-words.ts';
import type { Comparator, Flag } from './report.ts';
import type { SealedReport, StoredMarker } from './sealed-report.ts';

/**
 * Basis of the flag: the range or the flag printed by the laboratory, our range, or a critical limit at which a doctor is needed.
 * Otherwise the reason why there is no flag: our sources disagree, the printed range and our limit disagree (`conflict`), or the
 * number is impossible in its unit (`implausible`).
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
  /**
   * The stored value. Its printed range is the one for this person, without bounds if the laboratory printed none for this
   * person.
   */
  readonly kept: StoredMarker;
  /** Null if the name is not in our list. */
  readonly marker: Marker | null;
  /** Value in the marker's own unit; null for words, and if the unit does not convert. */
  readonly own: number | null;
  /** Our most specific range for this person, in the marker's own unit; null if we have no sourced range. */
  readonly range: MarkerRange | null;
  /** All of our ranges that apply, `range` first. */
  readonly ranges: readonly MarkerRange[];
  readonly flag: Flag;
  readonly flaggedBy: FlaggedBy;
}

interface Bounds {
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * Returns the age in years. In the year of the eighteenth birthday the birth year alone cannot show that the person is an adult,
 * so the age is 17.
 */
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

/** Age from which the pregnancy question is not asked. */
const OLDEST_PREGNANT = 60;

/**
 * Returns whether enough is known about the person to select a range. A missing answer never gives a minor or a pregnant woman
 * the range of an adult.
 */
export const isTold = (report: Dated): boolean => {
  const { sex, age, isPregnant } = personOf(report);
  return sex !== null && age !== null && (sex === 'male' || isPregnant !== null || age >= OLDEST_PREGNANT);
};

/** Returns whether we have a range, but do not know whether it applies to this person. */
export const isOursHeldBack = (report: Dated, { marker }: Pick<Assessed, 'marker'>): boolean =>
  !isTold(report) && (marker?.ranges.length ?? 0) > 0;

/**
 * Returns the flag of a number relative to one of our ranges, whose ends are inclusive; `unknown` if "less than" or "more than"
 * leaves it open.
 */
export const flagBeside = ({ low, high }: Bounds, value: number, comparator: Comparator): Flag =>
  flagBesideBand({ low, high, isLowStrict: false, isHighStrict: false }, { value, comparator });

const isCritical = (marker: Marker, own: number, comparator: Comparator): boolean => {
  const { low = null, high = null } = marker.critical ?? {};
  if (low !== null && comparator !== '>' && own <= low) return true;
  return high !== null && comparator !== '<' && own >= high;
};

/** Returns the flag by our ranges. If the sources disagree about a value, none of them is preferred. */
const flagByOurs = (
  ranges: readonly MarkerRange[],
  own: number,
  comparator: Comparator,
): Pick<Assessed, 'flag' | 'flaggedBy'> => {
  const flags = new Set(ranges.map((range) => flagBeside(range, own, comparator)));
  const [flag = 'unknown'] = flags;
  return flags.size === 1 ? { flag, flaggedBy: 'ours' } : { flag: 'unknown', flaggedBy: 'disagreement' };
};

/** Returns the flag of a word on an ordinal scale, whose first step is the expected one. */
const flagOfWord = ({ scale }: Marker, text: string): Flag => {
  const step = scale.findIndex((word: string) => word.toLowerCase() === text.trim().toLowerCase());
  if (step < 0) return 'unknown';
  return step === 0 ? 'normal' : 'high';
};

type Flagged = Pick<Assessed, 'flag' | 'flaggedBy'>;

/**
 * Returns whether the text names another unit. Only units with a slash or a per cent sign count: "m" and "F" may stand for a sex.
 */
const isInOtherUnit = (text: string, ucum: string): boolean =>
  ucum !== '' &&
  text
    .split(/[\s;,()[\]]+/)
    .filter((word) => /[%/]/.test(word))
    .map((word) => readUnit(word.replace(/^[<>≤≥=\d.]+/, '')))
    .some((unit) => unit !== null && unit !== ucum);

/** Judges the value by the printed reference, including the words beside its bounds. */
const judge = (report: Dated, { range, value, valueText, comparator, ucum }: StoredMarker): Judged => {
  if (value === null) return { flag: 'unknown', range: null, isState: false };
  const style = range.decimal ? { decimal: range.decimal, isSure: true } : styleOf(`${range.text} ${valueText}`);
  // A reference in another unit does not apply to this number.
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

/** Returns whether the flag is critical. Laboratories print HH and LL for values that they telephone to the doctor. */
const isAlarm = (flagText: string, mark: Direction | null): boolean =>
  mark === 'critical' || /^[^a-z]*(?:hh|ll)[^a-z]*$/i.test(flagText);

/** Combines a flag with the laboratory's own flag, which is never downgraded. */
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
  // Until a person has confirmed it, an impossible number indicates a wrong unit or a misread digit, not a finding.
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
