/** Extracts one metric from the chosen days, and formats its values. Pure. */
import type { Metric } from '../vitals.ts';
import type { ChosenDay, ChosenValue } from './choose.ts';

export interface Known extends ChosenValue {
  readonly day: string;
}

/** Returns the days that have the metric, oldest first. */
export const knownOf = (days: readonly ChosenDay[], { id }: Pick<Metric, 'id'>): readonly Known[] =>
  days.flatMap(({ day, values }) => {
    const value = values.get(id);
    return value ? [{ ...value, day }] : [];
  });

const formats = [0, 1].map((digits) => new Intl.NumberFormat('en-GB', { maximumFractionDigits: digits }));

/** Returns a formatter: minutes of sleep as hours and minutes, all others as a number. */
export const wordsOf =
  ({ group, digits }: Pick<Metric, 'group' | 'digits'>) =>
  (value: number): string =>
    group === 'sleep'
      ? `${Math.floor(Math.round(value) / 60)} h ${Math.round(value) % 60} min`
      : (formats[digits] as Intl.NumberFormat).format(value);

/** Returns the unit to show after a value; "" for sleep, whose format includes it. */
export const unitOf = ({ group, unit }: Pick<Metric, 'group' | 'unit'>): string => (group === 'sleep' ? '' : unit);
