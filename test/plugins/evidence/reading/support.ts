import { loadReader } from '#plugins/evidence/reading/load.ts';
import type { AbstractReader } from '#plugins/evidence/reading/reading.ts';

export const reader = (): Promise<AbstractReader> => loadReader();

/** Fictional trial of magnesium with a benefit on sleep latency and no effect on blood pressure. */
export const TRIAL = {
  title: 'Magnesium and sleep in older adults: a randomised trial',
  abstract: [
    'Background: Many older adults sleep badly.',
    'Methods: We randomised 120 adults to magnesium oxide 400 mg daily or placebo for 8 weeks.',
    'Results: Sleep latency was significantly shorter in the magnesium group than in the placebo group (mean difference -12.4 min, 95% CI -18.1 to -6.7; p < 0.001).',
    'Blood pressure did not differ between the magnesium and placebo groups (p = 0.64).',
    'No serious adverse events were reported.',
    'Conclusions: Magnesium shortened sleep latency in older adults and did not change blood pressure.',
  ].join(' '),
} as const;

export const MAGNESIUM = ['magnesium', 'magnesium oxide'];
export const SLEEP = { key: 'sleep', terms: ['sleep latency', 'insomnia'] };
export const PRESSURE = { key: 'blood-pressure', terms: ['blood pressure', 'hypertension'] };
