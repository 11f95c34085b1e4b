/** Tracks the types of records during the reading: their metrics, units and counts. */
import { SLOTS } from './days.ts';
import { KINDS, type Kind } from './kinds.ts';
import type { Count, Tally } from './tally.ts';
import { flat, kept } from './text.ts';
import type { Conversion } from './units.ts';

/** State of a type during the reading. */
export interface TypeState {
  readonly name: string;
  readonly count: Count;
  readonly index: number;
  readonly kind: Kind | null;
  readonly slot: number;
  /** Last unit of the type, cached because adjacent records have the same one. */
  unit: string | undefined;
  conversion: Conversion | null;
}

const isNumberLike = (text: string): boolean => {
  const first = text.charCodeAt(0);
  return (first >= 0x30 && first <= 0x39) || first === 0x2d || first === 0x2b || first === 0x2e;
};

/** Parses a number; NaN if it is not one. An empty string is not zero. */
export const numberIn = (text: string | undefined): number => {
  if (text === undefined || !isNumberLike(text) || text.charCodeAt(1) === 0x78) return Number.NaN;
  const value = Number(text);
  return Number.isFinite(value) ? value : Number.NaN;
};

/** Converts a number to the metric's unit; NaN for an unknown unit. */
export const converted = (state: TypeState, unit: string | undefined, value: number): number => {
  if (unit !== state.unit) {
    state.unit = unit === undefined ? undefined : flat(unit);
    state.conversion = unit === undefined ? null : (state.kind?.unit(kept(unit)) ?? null);
  }
  const { conversion } = state;
  if (!conversion) return Number.NaN;
  const told = value * conversion.factor + conversion.plus;
  return state.kind?.isShare && told <= 1 ? told * 100 : told;
};

const MOST_TYPES = 10_000;

/** Returns a function that returns the state of a type, always the same object for the same type. */
export const createTypes = (tally: Tally): ((name: string | undefined) => TypeState) => {
  const types = new Map<string, TypeState>();
  let last: TypeState | null = null;
  return (name = '') => {
    if (last?.name === name) return last;
    last = types.get(name) ?? null;
    if (last) return last;
    const kind = KINDS.get(name) ?? null;
    const count = tally.of(name || 'Record');
    last = {
      name: kept(name),
      count,
      index: types.size,
      kind,
      slot: kind ? SLOTS.indexOf(kind) : -1,
      unit: undefined,
      conversion: null,
    };
    if (types.size < MOST_TYPES) types.set(last.name, last);
    return last;
  };
};
