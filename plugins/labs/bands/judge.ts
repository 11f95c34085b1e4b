/** Where a value lies by what the laboratory printed beside it: its bands, for this person. Pure. */
import type { Comparator, Flag } from '../report.ts';
import type { Band } from './bands.ts';

export interface Told {
  readonly sex: 'female' | 'male' | null;
  /** Years; null when not told. */
  readonly age: number | null;
  readonly isPregnant: boolean | null;
  readonly isFasting: boolean | null;
}

export interface Judged {
  readonly flag: Flag;
  /** The range that the flag was told from; null for a state, or when nothing was told. */
  readonly range: Pick<Band, 'low' | 'high'> | null;
  /** The laboratory names a state that the value lies in, without its side: never "within the range". */
  readonly isState: boolean;
}

type Bounds = Pick<Band, 'low' | 'high' | 'isLowStrict' | 'isHighStrict'>;

/** False: a band of other people; null: nobody can say. */
const isFor = ({ condition }: Band, told: Told): boolean | null => {
  const { sex, ageFrom, ageTo, isFasting, isPregnant, isOther } = condition;
  const parts: (boolean | null)[] = [];
  if (sex !== null) parts.push(told.sex === null ? null : told.sex === sex);
  if (ageFrom !== null) parts.push(told.age === null ? null : told.age >= ageFrom);
  if (ageTo !== null) parts.push(told.age === null ? null : told.age <= ageTo);
  if (isFasting !== null) parts.push(told.isFasting === null ? null : told.isFasting === isFasting);
  // Of which week a range in pregnancy is, a report does not tell.
  if (isPregnant) parts.push(told.isPregnant === false || told.sex === 'male' ? false : null);
  if (isOther) parts.push(null);
  return parts.includes(false) ? false : parts.includes(null) ? null : true;
};

interface Value {
  readonly value: number;
  readonly comparator: Comparator;
}

/** Where a number lies beside one range; `unknown` when "less than" or "more than" leaves it open. */
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

/** The side of a state: as its words say, by its one bound, or by the normal range beside it. */
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

/** How much a band says of whom it is for. */
const closeness = ({ condition: { sex, ageFrom, ageTo, isFasting } }: Band): number =>
  Number(sex !== null) + Number(ageFrom !== null || ageTo !== null) + Number(isFasting !== null);

/**
 * A state that the value lies in decides; then the one range that is for this person. A goal says something only of values that
 * reach it. Bands of which nobody can say whether they are for this person, and words that we do not understand, leave it open.
 */
export const judgeByBands = (bands: readonly Band[], value: Value, told: Told): Judged => {
  const own = bands.filter((band) => isFor(band, told) === true);
  const ranges = own.filter(({ meaning }) => meaning === 'range' || meaning === 'normal');
  // A range of a group ("M: 13-17") is nearer than one for all.
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
