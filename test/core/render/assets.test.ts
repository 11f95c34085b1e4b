import assert from 'node:assert/strict';
import { withoutSpace } from '#core/render/assets.ts';

describe('a style sheet as it is sent', () => {
  it('has no comments, no space that only people need, and no noughts before a point', () => {
    assert.equal(
      withoutSpace('/* Why. */\n.a,\n.b > .c {\n  margin: calc(0.5 * var(--u)) 0;\n  color: red;\n}\n'),
      '.a,.b > .c{margin:calc(.5 * var(--u)) 0;color:red}',
    );
  });

  it('keeps strings, and the space that parts one selector from the next', () => {
    assert.equal(
      withoutSpace('.a :hover::after {\n  content: "; a,  b" attr(href) " ";\n}\n'),
      '.a :hover::after{content:"; a,  b" attr(href) " "}',
    );
  });
});
