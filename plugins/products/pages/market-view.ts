/** What is sold of a supplement, in figures: each with the number of labels that it rests on. */
import { type Static, Type } from 'typebox';
import { inBaseUnit } from '../card/dose.ts';
import type { MarketProfile } from '../catalogue.ts';
import { bandOf, percentOf, roundUp } from './dose-axis.ts';
import { dayWords, figure, rangeWithUnit, withUnit } from './words.ts';

const DistributionView = Type.Object({
  id: Type.String(),
  title: Type.String(),
  text: Type.String(),
  /** x in per cent: 10th, 25th, 50th, 75th and 90th percentile. */
  marks: Type.Array(Type.Number()),
  box: Type.Object({ from: Type.Number(), width: Type.Number() }),
  trial: Type.Union([Type.Null(), Type.Object({ from: Type.Number(), width: Type.Number() })]),
  end: Type.String(),
  unit: Type.String(),
  rows: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  labels: Type.Integer(),
  fromName: Type.Integer(),
});

export const MarketFigures = Type.Object({
  products: Type.Integer(),
  brands: Type.Integer(),
  onMarket: Type.Integer(),
  unknown: Type.Integer(),
  asOf: Type.String(),
  forms: Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() })),
  moreForms: Type.Integer(),
  distribution: Type.Union([Type.Null(), DistributionView]),
  /** "12% of the 70 labels …"; or why nothing can be compared. */
  within: Type.String(),
  trial: Type.String(),
});
export type MarketFigures = Static<typeof MarketFigures>;

const NAMES = [
  'A tenth of labels state at most',
  'A quarter at most',
  'Half at most (the median)',
  'Three quarters at most',
  'Nine tenths at most',
] as const;

const trialIn = (slug: string, unit: string, trial: MarketProfile['trial_dose']) => {
  const one = inBaseUnit(slug, 1, unit);
  const ends = trial && [inBaseUnit(slug, trial.min, trial.unit), inBaseUnit(slug, trial.max, trial.unit)];
  if (!one || !ends) return null;
  const [min, max] = ends.map((end) => (end && end.unit === one.unit ? end.value / one.value : null));
  return min === null || min === undefined || max === null || max === undefined ? null : { min, max };
};

const distributionOf = ({
  supplement_slug: slug,
  name,
  dose_distribution: doses,
  trial_dose: trial,
}: MarketProfile) => {
  if (!doses || doses.p90 <= 0) return null;
  const values = [doses.p10, doses.p25, doses.p50, doses.p75, doses.p90];
  const studied = trialIn(slug, doses.unit, trial);
  const end = roundUp(Math.max(doses.p90, studied?.max ?? 0) * 1.1);
  const marks = values.map((value) => percentOf(value, end));
  const beside = studied && trial ? ` Doses in trials: ${rangeWithUnit(trial)} a day.` : '';
  return {
    id: 'doses',
    title: `${name} per serving on labels`,
    text: `From 0 to ${withUnit(end, doses.unit)}. Half of the labels state ${figure(doses.p25)} to ${withUnit(doses.p75, doses.unit)}, the median is ${withUnit(doses.p50, doses.unit)}.${beside}`,
    marks,
    box: { from: marks[1] ?? 0, width: Math.max(0.8, Math.round(((marks[3] ?? 0) - (marks[1] ?? 0)) * 10) / 10) },
    trial: studied && bandOf(studied.min, studied.max, end),
    end: withUnit(end, doses.unit),
    unit: doses.unit,
    rows: values.map((value, at) => ({ name: NAMES[at] ?? '', value: withUnit(value, doses.unit) })),
    labels: doses.labels,
    fromName: doses.from_name,
  };
};

const percentWords = (share: number): string => {
  const percent = share * 100;
  return `${percent > 0 && percent < 1 ? 'Under 1' : percent > 99 && percent < 100 ? 'Over 99' : Math.round(percent)}%`;
};

const withinOf = ({ share_within_trial_dose: share, trial_dose: trial }: MarketProfile): string => {
  if (share === null || !trial) {
    return 'No share within trial doses is given: either this base holds no trial dose of the plain substance as a number, or no label states an amount that converts to it.';
  }
  const labels = trial.labels === 1 ? 'the 1 label whose amount' : `the ${trial.labels} labels whose amount`;
  return `${percentWords(share)} of ${labels} can be compared ${trial.labels === 1 ? 'states' : 'state'}, in one serving, a dose within that of trials (${rangeWithUnit(trial)} a day). Some labels ask for more than one serving a day.`;
};

const SHOWN_FORMS = 8;

export const marketFigures = (profile: MarketProfile): MarketFigures => ({
  products: profile.product_count,
  brands: profile.brand_count,
  onMarket: profile.on_market_count,
  unknown: profile.unknown_market_count,
  asOf: dayWords(profile.as_of),
  forms: profile.forms.slice(0, SHOWN_FORMS).map(({ form, count }) => ({ name: form, count })),
  moreForms: Math.max(0, profile.forms.length - SHOWN_FORMS),
  distribution: distributionOf(profile),
  within: withinOf(profile),
  trial: profile.trial_dose ? rangeWithUnit(profile.trial_dose) : '',
});
