import assert from 'node:assert/strict';
import { trialDosesOf } from '#plugins/products/card/supplement-facts.ts';
import type { SupplementRow } from '#plugins/vocabulary/index.ts';

const row = (...dosing: readonly object[]): SupplementRow =>
  ({ slug: 'zinc', entry: { dosing } }) as unknown as SupplementRow;
const dose = (context: string, min: number, max = min) => ({
  context,
  dose: `${max} mg daily`,
  amount: { min, max, unit: 'mg' },
  sources: ['pmid:99130001'],
});

describe('trialDosesOf', () => {
  it('spans all doses of the same substance', () => {
    assert.deepEqual(trialDosesOf(row(dose('Adults', 10, 15), dose('Older men', 30))), [
      { min: 10, max: 30, unit: 'mg', of: '' },
    ]);
  });

  it('omits doses for infants, children, pregnancy and breastfeeding', () => {
    const special = ['Newborns', 'Schoolchildren', 'Pregnancy', 'Breastfeeding women'].map((one) => dose(one, 1, 900));
    assert.deepEqual(trialDosesOf(row(...special)), []);
    assert.deepEqual(trialDosesOf(row(dose('Adults', 10), ...special)), [{ min: 10, max: 10, unit: 'mg', of: '' }]);
  });
});
