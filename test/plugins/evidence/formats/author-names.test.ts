import assert from 'node:assert/strict';
import { authorName } from '#plugins/evidence/formats/author-names.ts';

describe('author names', () => {
  for (const [author, family, initials] of [
    ['Smith JA', 'Smith', 'J A'],
    ['van der Berg P', 'van der Berg', 'P'],
    ['Thi Le H', 'Thi Le', 'H'],
    ['Petrov IuV', 'Petrov', 'Iu V'],
    ['Board PG', 'Board', 'P G'],
    ['Žižek Š', 'Žižek', 'Š'],
  ] as const) {
    it(`parses "${author}" as a person`, () => {
      assert.deepEqual(authorName(author), { family, initials: initials.split(' '), suffix: '' });
    });
  }

  for (const group of [
    'Magnesium Trial Group',
    'VITAL Research Group UK',
    'Office of Dietary Supplements, NIH',
    'ESPGHAN',
    'Society for Zinc EU',
  ]) {
    it(`parses "${group}" as a group`, () => {
      assert.deepEqual(authorName(group), { family: group, initials: [], suffix: '' });
    });
  }

  it('separates a suffix from the initials', () => {
    assert.deepEqual(authorName('Smith JA 3rd'), { family: 'Smith', initials: ['J', 'A'], suffix: '3rd' });
  });
});
