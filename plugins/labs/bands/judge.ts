/** Judges a value by the bands of the printed reference that apply to this person. Pure. */
import type { Comparator, Flag } from '../report.ts';
import type { Band } from './bands.ts';

export interface Told {
  readonly sex: 'female' | 'male' | null;
  /** Years; null when unknown. */
  readonly age: number | null;
  readonly isPregnant: boolean | null;
  readonly isFasting: boolean | null;
}

export interface Judged {
  readonly flag: Flag;
  /** The range on which the flag is based; null for a state, or without a flag. */
  readonly range: Pick<Band, 'low' | 'high'> | null;
  /** The value lies in a state that the laboratory names without its side, so it is never "within the range". */
  readonly isState: boolean;
}

type Bounds = Pick<Band, 'low' | 'high' | 'isLowStrict' | 'isHighStrict'>;

/** Returns whether the band applies to the person; null if this is unknown. */
const isFor = ({ condition }: Band, told: Told): boolean | null => {
  const { sex, ageFrom, ageTo, isFasting, isPregnant, isOther } = condition;
  const parts: (boolean | null)[] = [];
  if (sex !== null) parts.push(told.sex === null ? null : told.sex === sex);
  if (ageFrom !== null) parts.push(told.age === null ? null : told.age >= ageFrom);
  if (ageTo !== null) parts.push(told.age === null ? null : told.age <= ageTo);
  if (isFasting !== null) parts.push(told.isFasting === null ? null : told.isFasting === isFasting);
  // A report does not state the week of pregnancy to which a range applies.
  if (isPregnant) parts.push(told.isPregnant === false || told.sex === 'male' ? false : null);
  if (isOther) parts.push(null);
  return parts.includes(false) ? false : parts.includes(null) ? null : true;
};

interface Value {
  readonly value: number;
  readonly comparator: Comparator;
}

/** Returns the flag of a number relative to one range; `unknown` if "less than" or "more than" leaves it open. */
export const flagBesideBand = (band: Bounds, { value, comparator }: Value): Flag => {
  const { low, high, isLowStrict, isHighStrict } = band;
  if (low === null && high === null) return 'unknown';
  const isBelow =
    low !== null && (value < low || (value === low && (isLowStrict ? comparator !== '>' : comparator === '<')));
  const isAbove =
    high !== null && (value > high || (value === high && (isHighStrict ? comparator !== '<' : comparator === '>')));
  if (isBelow && comparator !== '>') return 'low';
  if (isAbove && comparator !== '<') return 'high';
  if (comparator === '<') return low === null && !isAbove ? 'normal' : 'unknown';
  if (comparator === '>') return high === null && !isBelow ? 'normal' : 'unknown';
  return 'normal';
};

const UNKNOWN: Judged = { flag: 'unknown', range: null, isState: false };

/** Returns the side of a state: by its single bound, by the normal range beside it, or by its words. */
const sideOf = (state: Band, range: Band | undefined): Flag => {
  if (state.low === null || state.high === null) return state.high === null ? 'high' : 'low';
  if (range && range.high !== null && state.low >= range.high) return 'high';
  if (range && range.low !== null && state.high <= range.low) return 'low';
  return state.side ?? 'unknown';
};

const ofStates = (states: readonly Band[], range: Band | undefined, value: Value): Judged | null => {
  const own = states.filter((state) => flagBesideBand(state, value) === 'normal');
  if (!own.length) return null;
  const sides = new Set(own.map((state) => sideOf(state, range)));
  const [side = 'unknown'] = sides;
  return { flag: sides.size === 1 ? side : 'unknown', range: null, isState: true };
};

/** Returns how specific the population of a band is. */
const closeness = ({ condition: { sex, ageFrom, ageTo, isFasting } }: Band): number =>
  Number(sex !== null) + Number(ageFrom !== null || ageTo !== null) + Number(isFasting !== null);

/**
 * Judges the value. A state that contains the value decides, then the only range for this person. A goal applies only to values
 * that reach it. Bands that may or may not apply to the person, and words that we do not understand, leave the flag open.
 */
export const judgeByBands = (bands: readonly Band[], value: Value, told: Told): Judged => {
  const own = bands.filter((band) => isFor(band, told) === true);
  const ranges = own.filter(({ meaning }) => meaning === 'range' || meaning === 'normal');
  // A range of a group ("M: 13-17") is more specific than one for everybody.
  const nearest = Math.max(...ranges.map(closeness));
  const [range, ...others] = ranges.filter((one) => closeness(one) === nearest);
  const states = own.filter(({ meaning }) => meaning === 'state');
  const state = ofStates(states, range, value);
  const beside = range && !others.length ? flagBesideBand(range, value) : 'unknown';
  if (state) return beside === 'normal' ? { ...UNKNOWN, isState: true } : state;
  if (range && !others.length) return { flag: beside, range, isState: false };
  const goal = own.find((one) => one.meaning === 'goal' && flagBesideBand(one, value) === 'normal');
  return goal ? { flag: 'normal', range: goal, isState: false } : UNKNOWN;
};
