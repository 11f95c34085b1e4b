/** Builds the market figures of a supplement, each with the number of labels behind it. */
import { type Static, Type } from 'typebox';
import { BarsView, bars } from '#core/render/charts/bars.ts';
import { DoseChartView } from '#core/render/charts/dose-chart.ts';
import { inSentence } from '#plugins/evidence/index.ts';
import type { SupplementFacts } from '../card/supplement-facts.ts';
import type { MarketProfile } from '../catalogue.ts';
import { type StudiedDose, supplementDoses } from './dose-chart-rows.ts';
import { dayWords, rangeWithUnit } from './product-figures.ts';

export const MarketFigures = Type.Object({
  products: Type.Integer(),
  brands: Type.Integer(),
  onMarket: Type.Integer(),
  unknown: Type.Integer(),
  asOf: Type.String(),
  forms: Type.Union([BarsView, Type.Null()]),
  /** The only form, when there is nothing to compare in bars; "" otherwise. */
  onlyForm: Type.String(),
  doses: Type.Union([DoseChartView, Type.Null()]),
  /** Number of labels in the distribution of amounts; 0 when too few state an amount. */
  labels: Type.Integer(),
  /** "12% of the 70 labels …", or the reason why nothing can be compared. */
  within: Type.String(),
  trial: Type.String(),
});
export type MarketFigures = Static<typeof MarketFigures>;

/** Returns the trial doses of the entry, one range per substance. They already exclude special groups. */
const studiedOf = ({ doses }: SupplementFacts): StudiedDose[] =>
  doses.map(({ min, max, unit, of }) => ({
    name: `In trials${of && `, ${of}`}`,
    min,
    max,
    unit,
    of,
    isOfGroup: false,
  }));

const chartOf = (profile: MarketProfile, facts: SupplementFacts | undefined): DoseChartView | null =>
  supplementDoses(
    {
      slug: profile.supplement_slug,
      name: profile.name,
      studied: facts ? studiedOf(facts) : [],
      intake: facts?.intake ?? null,
      labels: profile.dose_distribution,
    },
    'dose-chart',
  );

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

export const marketFigures = (profile: MarketProfile, facts: SupplementFacts | undefined): MarketFigures => ({
  products: profile.product_count,
  brands: profile.brand_count,
  onMarket: profile.on_market_count,
  unknown: profile.unknown_market_count,
  asOf: dayWords(profile.as_of),
  forms: bars(
    profile.forms.map(({ form, count }) => ({ name: form, count, href: '' })),
    { id: 'form-chart', title: `Products with ${inSentence(profile.name)} by form`, most: SHOWN_FORMS },
  ),
  onlyForm: profile.forms.length === 1 ? (profile.forms[0]?.form ?? '') : '',
  doses: chartOf(profile, facts),
  labels: profile.dose_distribution?.labels ?? 0,
  within: withinOf(profile),
  trial: profile.trial_dose ? rangeWithUnit(profile.trial_dose) : '',
});
