import assert from 'node:assert/strict';
import { plainText } from '#plugins/answers/pages/blocks.ts';

describe('plainText', () => {
  it('removes Markdown syntax, and keeps underscores inside a word', () => {
    assert.equal(
      plainText('_This is no recommendation: ask a pharmacist._'),
      'This is no recommendation: ask a pharmacist.',
    );
    assert.equal(
      plainText('**Zinc and colds:** low. [How it was graded](/evidence/zinc-colds)'),
      'Zinc and colds: low. How it was graded',
    );
    assert.equal(plainText('- _Left out:_ the field sample_size_n'), 'Left out: the field sample_size_n');
  });
});
