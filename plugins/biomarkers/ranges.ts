/** Selects the ranges that fit a person. */
import type { Marker, MarkerRange, Person } from './marker.ts';

const ADULT = 18;
/** A range whose upper age is at most this one applies to minors; "under 50" makes no statement about children. */
const OLDEST_YOUNG = 19;

/** Matches circumstances that are unknown here, such as the day of the cycle. */
const NEEDS_MORE = /follicular|luteal|phase|ovulation|menopaus/i;

const isOfOwn = ({ ageFrom, ageTo }: MarkerRange, age: number): boolean =>
  age >= ADULT || (ageFrom !== null ? age >= ageFrom : ageTo !== null && ageTo <= OLDEST_YOUNG);

const fitsAge = (range: MarkerRange, age: number | null): boolean => {
  const { ageFrom, ageTo } = range;
  if (age === null) return ageFrom === null && ageTo === null;
  return (ageFrom === null || age >= ageFrom) && (ageTo === null || age <= ageTo) && isOfOwn(range, age);
};

const fits = (range: MarkerRange, { sex, age, isPregnant }: Person): boolean =>
  (range.sex === 'any' || range.sex === sex) &&
  range.isPregnant === (isPregnant ?? false) &&
  fitsAge(range, age === null ? null : Math.floor(age)) &&
  !NEEDS_MORE.test(range.note);

const span = ({ ageFrom, ageTo }: MarkerRange): number => (ageTo ?? 120) - (ageFrom ?? 0);

/** Compares by specificity: sex first, then the narrower age span. Equal ranges keep the editor's order. */
const bySpecificity = (a: MarkerRange, b: MarkerRange): number =>
  Number(b.sex !== 'any') - Number(a.sex !== 'any') || span(a) - span(b);

/**
 * Returns all ranges that fit a person, the most specific first. Sources do not always agree, so none may be omitted silently.
 */
export const rangesFor = (marker: Marker, person: Person): readonly MarkerRange[] =>
  marker.ranges.filter((range) => fits(range, person)).toSorted(bySpecificity);

/**
 * Returns the most specific range, or null unless every fact that it depends on is known and fits. Minors and pregnant people get
 * only ranges of their own.
 */
export const rangeFor = (marker: Marker, person: Person): MarkerRange | null => rangesFor(marker, person)[0] ?? null;
