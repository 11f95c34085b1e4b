import assert from 'node:assert/strict';
import { asText, fillIn, mistakeIn } from '#plugins/pages/texts/fill-in.ts';

const KNOWN = ['operator', 'contact'];

describe('placeholders in the texts about the service', () => {
  it('are replaced, and conditions depend on the settings of the instance', () => {
    const text =
      '{{if operator}}By {{operator}}.{{else}}Nobody said.{{end}} {{if contact}}Write to {{contact}}.{{end}}';
    assert.equal(fillIn(text, { operator: 'Jo', contact: '' }), 'By Jo. ');
    assert.equal(fillIn(text, { operator: '', contact: 'a@b' }), 'Nobody said. Write to a@b.');
  });

  it('are rejected for an unknown name or an unclosed condition', () => {
    assert.deepEqual(mistakeIn('One {{operater}}', KNOWN), {
      at: 4,
      words: '"operater" is no fact: operator, contact',
    });
    assert.equal(mistakeIn('{{if contact}}a{{if operator}}b{{end}}{{end}}', KNOWN)?.at, 38);
    assert.equal(mistakeIn('{{if contact}}a', KNOWN)?.at, 0);
    assert.equal(mistakeIn('{{if contact}}a{{else}}b{{end}} {{operator}}', KNOWN), null);
  });

  it('escape Markdown in the values', () => {
    assert.equal(asText('*A* [b](c) <d>'), '\\*A\\* \\[b\\]\\(c\\) \\<d\\>');
  });
});
