import assert from 'node:assert/strict';
import { isRestated } from '#plugins/catalog/restated.ts';

describe('isRestated()', () => {
  const cautions = [
    'Too much folic acid can hide a lack of vitamin B12 and delay its treatment. Ask for a blood test.',
  ];
  it('returns true when one caution states the same in other words', () => {
    assert.ok(isRestated('Too much folic acid may hide a lack of vitamin B12 and delays treatment.', cautions));
  });
  it('returns false for a sentence with a new figure or fact, or one too short to compare', () => {
    assert.ok(!isRestated('From 5 mg on, folic acid can hide a lack of vitamin B12 and delay treatment.', cautions));
    assert.ok(!isRestated('Folic acid can lower the level of phenytoin, and seizures can return.', cautions));
    assert.ok(!isRestated('Ask for a test.', cautions));
  });
  it('returns false when only several cautions together cover the sentence', () => {
    const two = ['Kava can harm the liver.', 'Valproate beside alcohol makes people drowsy.'];
    assert.ok(!isRestated('Kava can harm the liver beside valproate and alcohol.', two));
  });
});
