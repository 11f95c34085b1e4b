import assert from 'node:assert/strict';
import { withoutSpace } from '#core/render/assets.ts';

describe('style sheet minifier', () => {
  it('removes comments, unnecessary whitespace and leading zeros', () => {
    assert.equal(
      withoutSpace('/* Why. */\n.a,\n.b > .c {\n  margin: calc(0.5 * var(--u)) 0;\n  color: red;\n}\n'),
      '.a,.b > .c{margin:calc(.5 * var(--u)) 0;color:red}',
    );
  });

  it('preserves strings and the whitespace of descendant selectors', () => {
    assert.equal(
      withoutSpace('.a :hover::after {\n  content: "; a,  b" attr(href) " ";\n}\n'),
      '.a :hover::after{content:"; a,  b" attr(href) " "}',
    );
  });
});
