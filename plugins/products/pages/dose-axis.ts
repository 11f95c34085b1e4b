/** Computes the positions of doses on one axis, in per cent of its width. All functions are pure. */
import { inBaseUnit } from '../card/dose.ts';
import { rangeWithUnit, withUnit } from './product-figures.ts';

interface Amount {
  readonly amount: number;
  readonly unit: string;
}

export interface AxisParts {
  readonly slug: string;
  readonly name: string;
  readonly label: Amount;
  readonly trial: { readonly min: number; readonly max: number; readonly unit: string } | null;
  readonly limit: Amount | null;
}

/** Positions of each mark, 0 to 100; null for a mark that is not on the axis. */
export interface DoseAxis {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly label: number;
  readonly trial: { readonly from: number; readonly width: number } | null;
  readonly limit: number | null;
  /** Value at the right end. */
  readonly end: string;
}

/** Margin at the right, so that the outermost mark is not clipped. */
const ROOM = 1.12;
/** Minimum width of a range, so that a single dose remains visible. */
const NARROWEST = 1.5;

/** Rounds up to a round multiple of a power of ten: 1, 1.5, 2, 2.5, 3, 4, 5, 6 or 8. */
export const roundUp = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((at) => at * power >= value * 0.999_999) ?? 10;
  return Number((step * power).toPrecision(3));
};

export const percentOf = (value: number, end: number): number => Math.round((value / end) * 1000) / 10;

/** Returns the range of a trial as a band with a minimum width. */
export const bandOf = (min: number, max: number, end: number): { from: number; width: number } => {
  const [from, to] = [percentOf(min, end), percentOf(max, end)];
  const width = Math.max(NARROWEST, to - from);
  return {
    from: Math.max(0, Math.round((from - (width - (to - from)) / 2) * 10) / 10),
    width: Math.round(width * 10) / 10,
  };
};

/**
 * Builds the axis, or returns null when the label's unit converts to neither the trials' nor the limit's, or when there is
 * nothing to compare with.
 */
export const doseAxis = ({ slug, name, label, trial, limit }: AxisParts): DoseAxis | null => {
  const base = inBaseUnit(slug, label.amount, label.unit);
  const one = inBaseUnit(slug, 1, label.unit);
  if (!base || !one || one.value <= 0 || label.amount <= 0) return null;
  const inLabelUnit = (amount: number, unit: string): number | null => {
    const found = inBaseUnit(slug, amount, unit);
    return found && found.unit === base.unit ? found.value / one.value : null;
  };
  const [min, max] = trial ? [inLabelUnit(trial.min, trial.unit), inLabelUnit(trial.max, trial.unit)] : [null, null];
  const most = limit ? inLabelUnit(limit.amount, limit.unit) : null;
  if (max === null && most === null) return null;
  const end = roundUp(Math.max(label.amount, max ?? 0, most ?? 0) * ROOM);
  const parts = [
    `one serving ${withUnit(label.amount, label.unit)}`,
    ...(trial && max !== null ? [`doses in trials ${rangeWithUnit(trial)} a day`] : []),
    ...(limit && most !== null ? [`upper limit ${withUnit(limit.amount, limit.unit)} a day`] : []),
  ];
  return {
    id: `dose-${slug}`,
    title: `${name} on one axis`,
    text: `From 0 to ${withUnit(end, label.unit)}: ${parts.join('; ')}.`,
    label: percentOf(label.amount, end),
    trial: min !== null && max !== null ? bandOf(min, max, end) : null,
    limit: most === null ? null : percentOf(most, end),
    end: withUnit(end, label.unit),
  };
};
