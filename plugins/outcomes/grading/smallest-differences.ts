/**
 * Smallest important differences, each with the source that states it. Only scales that the stored findings use and for which our
 * data include a source are listed; for all others, the magnitude of a mean difference is not named.
 */
import type { Finding } from '#plugins/findings/index.ts';

export interface SmallestDifference {
  /** Name of the scale, in words. */
  readonly scale: string;
  readonly value: number;
  readonly unit: string;
  /** `pmid:…` or `doi:…` of the source that states it. */
  readonly source: string;
  readonly title: string;
}

interface Scale extends SmallestDifference {
  /** Matched against outcome and unit, in lower case. */
  readonly matches: RegExp;
}

const SCALES: readonly Scale[] = [
  {
    scale: 'pain from 0 to 100',
    value: 10,
    unit: 'points of 100',
    source: 'doi:10.1002/14651858.cd002947.pub2',
    title: 'Oral herbal therapies for treating osteoarthritis',
    matches: /\bpain\b.*\b0 ?(?:-|–|to) ?100\b/,
  },
  {
    scale: 'Total Symptom Score of diabetic neuropathy',
    value: 0.97,
    unit: 'points',
    source: 'doi:10.1002/14651858.cd012967.pub2',
    title: 'Alpha-lipoic acid for diabetic peripheral neuropathy',
    matches: /\btss\b/,
  },
  {
    scale: 'Neuropathy Impairment Score of the legs',
    value: 2,
    unit: 'points',
    source: 'doi:10.1002/14651858.cd012967.pub2',
    title: 'Alpha-lipoic acid for diabetic peripheral neuropathy',
    matches: /\bnis-ll\b/,
  },
  {
    scale: 'NIH Chronic Prostatitis Symptom Index',
    value: 6,
    unit: 'points',
    source: 'doi:10.1002/14651858.cd012552.pub2',
    title: 'Pharmacological interventions for treating chronic prostatitis/chronic pelvic pain syndrome',
    matches: /\bcpsi\b/,
  },
  {
    scale: 'walking speed in sarcopenia',
    value: 0.1,
    unit: 'm/s',
    source: 'pmid:40026058',
    title:
      'BIO101 in Sarcopenic Seniors at Risk of Mobility Disability: Results of a Double-Blind Randomised Interventional Phase 2b Trial',
    matches: /\b(?:walking|gait) speed\b.*\bm\/s\b/,
  },
];

export const SMALLEST_DIFFERENCES: readonly SmallestDifference[] = SCALES.map(({ matches: _, ...stated }) => stated);

/** Returns the smallest important difference on the finding's scale; null for other measures and unknown scales. */
export const smallestDifferenceFor = ({ measure, outcome, unit }: Finding): SmallestDifference | null => {
  if (measure !== 'MD') return null;
  const said = `${outcome} ${unit}`.toLowerCase();
  const found = SCALES.find(({ matches }) => matches.test(said));
  if (!found) return null;
  const { matches: _, ...stated } = found;
  return stated;
};
