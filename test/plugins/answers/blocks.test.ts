import assert from 'node:assert/strict';
import { plainText } from '#plugins/answers/pages/blocks.ts';

describe('the text of an answer on its page', () => {
  it('is without the marks of Markdown, and keeps underscores that belong to a word', () => {
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
