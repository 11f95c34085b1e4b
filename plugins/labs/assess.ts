/** What a value is beside the ranges there are: the printed one first, ours where its population fits. */
import type { Book, Marker, MarkerRange, Person } from '#plugins/biomarkers/index.ts';
import type { KeptMarker, KeptReport } from './kept.ts';
import type { Comparator, Flag } from './report.ts';

export interface Assessed {
  readonly kept: KeptMarker;
  /** Null for a name that is none of ours. */
  readonly marker: Marker | null;
  /** In the marker's own unit; null for words, and where the unit does not convert. */
  readonly own: number | null;
  /** The most specific of ours for this person, in the marker's own unit; null: "we hold no sourced range". */
  readonly range: MarkerRange | null;
  /** All of ours that fit, that one first. */
  readonly ranges: readonly MarkerRange[];
  readonly flag: Flag;
  /** What the flag was told from: the laboratory's range, ours, or a limit at which a doctor is needed; or why it was not. */
  readonly flaggedBy: 'printed' | 'ours' | 'critical' | 'disagreement' | 'nothing';
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

type Dated = Pick<KeptReport, 'birthYear' | 'collectedAt' | 'sex' | 'isPregnant'> & { readonly createdAt: string };

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

/** Where a number lies; `unknown` when "less than" or "more than" leaves it open. */
export const flagBeside = ({ low, high }: Bounds, value: number, comparator: Comparator): Flag => {
  if (low === null && high === null) return 'unknown';
  const isBelow = low !== null && (comparator === '<' ? value <= low : value < low);
  const isAbove = high !== null && (comparator === '>' ? value >= high : value > high);
  if (isBelow && comparator !== '>') return 'low';
  if (isAbove && comparator !== '<') return 'high';
  if (comparator === '<') return low === null && !isAbove ? 'normal' : 'unknown';
  if (comparator === '>') return high === null && !isBelow ? 'normal' : 'unknown';
  return 'normal';
};

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

const flagged = ({
  kept,
  marker,
  own,
  ranges,
}: Omit<Assessed, 'flag' | 'flaggedBy'>): Pick<Assessed, 'flag' | 'flaggedBy'> => {
  if (marker && own !== null && isCritical(marker, own, kept.comparator))
    return { flag: 'critical', flaggedBy: 'critical' };
  if (kept.value !== null) {
    const printed = flagBeside(kept.range, kept.value, kept.comparator);
    if (printed !== 'unknown') return { flag: printed, flaggedBy: 'printed' };
  }
  if (ranges.length && own !== null) return flagByOurs(ranges, own, kept.comparator);
  if (marker?.kind === 'ordinal') return { flag: flagOfWord(marker, kept.valueText), flaggedBy: 'ours' };
  return { flag: 'unknown', flaggedBy: 'nothing' };
};

export const assess = (book: Book, report: Dated, kept: KeptMarker): Assessed => {
  const marker = kept.slug === null ? null : book.bySlug(kept.slug);
  const own =
    marker && kept.value !== null && kept.ucum ? book.convert(marker, kept.value, kept.ucum, marker.ucum) : null;
  const ranges = marker && isTold(report) ? book.rangesFor(marker, personOf(report)) : [];
  const known = { kept, marker, own, range: ranges[0] ?? null, ranges };
  return { ...known, ...flagged(known) };
};

export const assessAll = (book: Book, report: Dated & Pick<KeptReport, 'markers'>): readonly Assessed[] =>
  report.markers.map((kept) => assess(book, report, kept));
