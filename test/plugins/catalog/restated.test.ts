import assert from 'node:assert/strict';
import { isRestated } from '#plugins/catalog/restated.ts';

describe('a sentence of a safety section', () => {
  const cautions = [
    'Too much folic acid can hide a lack of vitamin B12 and delay its treatment. Ask for a blood test.',
  ];
  it('is a repetition where one caution has said it in other words', () => {
    assert.ok(isRestated('Too much folic acid may hide a lack of vitamin B12 and delays treatment.', cautions));
  });
  it('is none where it has a figure or a fact of its own, or is too short to compare', () => {
    assert.ok(!isRestated('From 5 mg on, folic acid can hide a lack of vitamin B12 and delay treatment.', cautions));
    assert.ok(!isRestated('Folic acid can lower the level of phenytoin, and seizures can return.', cautions));
    assert.ok(!isRestated('Ask for a test.', cautions));
  });
  it('is none where only several cautions together have said it', () => {
    const two = ['Kava can harm the liver.', 'Valproate beside alcohol makes people drowsy.'];
    assert.ok(!isRestated('Kava can harm the liver beside valproate and alcohol.', two));
  });
});
