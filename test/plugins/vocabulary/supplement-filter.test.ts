import assert from 'node:assert/strict';
import { echoOf, supplementFilter, type VocabularyServices } from '#plugins/vocabulary/index.ts';

const vocabulary: Pick<VocabularyServices, 'resolve'> = {
  resolve: async (input, kinds) => {
    assert.deepEqual(kinds, ['supplement']);
    return input === 'zn'
      ? { kind: 'supplement', slug: 'zinc', name: 'Zinc', input, match_type: 'synonym', confidence: 0.9 }
      : null;
  },
};

describe('supplementFilter()', () => {
  it('returns null for a blank name', async () => {
    assert.deepEqual(await supplementFilter(vocabulary, '  '), { slug: null, resolved: [] });
    assert.deepEqual(await supplementFilter(vocabulary), { slug: null, resolved: [] });
  });

  it('returns the slug that the name resolves to and the resolved entry for the response', async () => {
    const filter = await supplementFilter(vocabulary, ' zn ');
    assert.equal(filter.slug, 'zinc');
    assert.deepEqual(echoOf(filter, 'https://example.org')[0]?.url, 'https://example.org/supplements/zinc');
  });

  it('returns an empty slug, which matches no row, for an unknown name', async () => {
    assert.deepEqual(await supplementFilter(vocabulary, 'unobtainium'), { slug: '', resolved: [] });
  });
});
