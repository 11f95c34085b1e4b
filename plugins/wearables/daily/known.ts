/** One metric over the chosen days, and a value of it in words. Pure. */
import type { Metric } from '../vitals.ts';
import type { ChosenDay, ChosenValue } from './choose.ts';

export interface Known extends ChosenValue {
  readonly day: string;
}

/** Days that have the metric, the oldest first. */
export const knownOf = (days: readonly ChosenDay[], { id }: Pick<Metric, 'id'>): readonly Known[] =>
  days.flatMap(({ day, values }) => {
    const value = values.get(id);
    return value ? [{ ...value, day }] : [];
  });

const formats = [0, 1].map((digits) => new Intl.NumberFormat('en-GB', { maximumFractionDigits: digits }));

/** Minutes of sleep as hours and minutes; all else as a number. */
export const wordsOf =
  ({ group, digits }: Pick<Metric, 'group' | 'digits'>) =>
  (value: number): string =>
    group === 'sleep'
      ? `${Math.floor(Math.round(value) / 60)} h ${Math.round(value) % 60} min`
      : (formats[digits] as Intl.NumberFormat).format(value);

/** As it stands beside the value: words of sleep carry their own. */
export const unitOf = ({ group, unit }: Pick<Metric, 'group' | 'unit'>): string => (group === 'sleep' ? '' : unit);
