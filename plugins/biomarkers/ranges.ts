/** Which range fits a person. */
import type { Marker, MarkerRange, Person } from './marker.ts';

const ADULT = 18;
/** A row up to this age is one for the young; "under 50" says nothing of children. */
const OLDEST_YOUNG = 19;

/** Circumstances that nobody told us: the day of the cycle decides. */
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

/** Sex first, then the narrower age; of two that are alike the one that its editor put first. */
const bySpecificity = (a: MarkerRange, b: MarkerRange): number =>
  Number(b.sex !== 'any') - Number(a.sex !== 'any') || span(a) - span(b);

/** All that fit a person, the most specific first: sources do not always agree, and none of them may be left out in silence. */
export const rangesFor = (marker: Marker, person: Person): readonly MarkerRange[] =>
  marker.ranges.filter((range) => fits(range, person)).toSorted(bySpecificity);

/** Null unless what the range depends on was told and fits; never for a minor or in pregnancy without a row of their own. */
export const rangeFor = (marker: Marker, person: Person): MarkerRange | null => rangesFor(marker, person)[0] ?? null;
