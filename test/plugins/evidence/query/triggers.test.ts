import assert from 'node:assert/strict';
import { hasInteractionPattern } from '#plugins/evidence/query/interaction-pattern.ts';
import { countWords } from '#plugins/evidence/query/query-words.ts';
import { rerankTrigger } from '#plugins/evidence/query/triggers.ts';

const words = (count: number): string => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');
const quiet = { typo: false, interaction: false };

describe('rerankTrigger', () => {
  it('reranks queries of ten words or more', () => {
    assert.equal(rerankTrigger(words(10), quiet), 'long');
    assert.equal(rerankTrigger(words(40), quiet), 'long');
    assert.equal(rerankTrigger(words(9), quiet), null);
  });

  it('reranks queries of up to three words with a typo', () => {
    const typo = { ...quiet, typo: true };
    assert.deepEqual(
      [0, 1, 3, 4, 9].map((count) => rerankTrigger(words(count), typo)),
      [null, 'typo', 'typo', null, null],
    );
  });

  it('reranks queries of four to nine words with the pattern of an interaction', () => {
    const interaction = { ...quiet, interaction: true };
    assert.deepEqual(
      [3, 4, 9].map((count) => rerankTrigger(words(count), interaction)),
      [null, 'interaction', 'interaction'],
    );
  });

  it('counts hyphenated compounds as one word and ignores punctuation', () => {
    assert.equal(countWords('  Does omega-3 (EPA + DHA) help?  '), 5);
    assert.equal(countWords('— : ?'), 0);
  });
});

describe('hasInteractionPattern', () => {
  const names = {
    supplements: 1,
    substances: new Set(['grapefruit']),
    isMedicine: (word: string) => word === 'xarelto',
  };
  const fits = (query: string, supplements = 1): boolean => hasInteractionPattern(query, { ...names, supplements });

  for (const query of [
    'does ginkgo interact with anything',
    'is magnesium safe with my tablets',
    'can I take zinc while taking tablets',
    'iron and coffee together each morning',
    'ginkgo before surgery on xarelto',
    'turmeric in people on warfarin',
    'red yeast rice plus atorvastatin muscle pain',
    'vitamin k for patients using apixaban',
    'garlic with grapefruit in the morning',
    'fish oil and blood thinners in adults',
  ]) {
    it(`matches “${query}”`, () => assert.ok(fits(query)));
  }

  for (const query of [
    'vitamin d and depression in adults',
    'creatine and muscle strength in older adults',
    'magnesium for sleep in older people',
    'zinc or placebo for the common cold',
  ]) {
    it(`does not match “${query}”`, () => assert.ok(!fits(query)));
  }

  it('requires a supplement, or a medicine in combination with something', () => {
    assert.ok(!fits('warfarin with aspirin in stroke patients', 0));
    assert.ok(!fits('statins for older people', 0));
    assert.ok(!fits('walking together every morning', 0));
    assert.ok(fits('an unheard-of root while on sertraline', 0));
  });

  it('matches two supplements joined by a conjunction', () => {
    assert.ok(fits('vitamin d and calcium for bones', 2));
    assert.ok(!fits('vitamin d calcium bones trial', 2));
  });
});
