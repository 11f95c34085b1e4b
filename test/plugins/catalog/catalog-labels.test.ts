import assert from 'node:assert/strict';
import { firstSentence } from '#plugins/catalog/catalog-labels.ts';

describe('firstSentence()', () => {
  it('ends at the first full stop', () => {
    assert.equal(firstSentence('Zinc is a mineral. It is in food.'), 'Zinc is a mineral.');
  });

  it('does not end inside a number or after an abbreviated name', () => {
    assert.equal(
      firstSentence('About 4.5 per cent of L. reuteri stays. More.'),
      'About 4.5 per cent of L. reuteri stays.',
    );
  });

  it('returns the whole text when there is no full stop', () => {
    assert.equal(firstSentence('One sentence without an end'), 'One sentence without an end');
  });
});
