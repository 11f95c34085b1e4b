import assert from 'node:assert/strict';
import { numberCitations } from '#plugins/catalog/citations.ts';
import { renderProse } from '#plugins/catalog/prose.ts';

const numbering = numberCitations(['pmid:7', 'doi:10.1/a_b_c', 'pmid:8'], (ref) => ref);

describe('prose of an entry', () => {
  it('turns a citation into numbered links to the references', () => {
    const html = renderProse('It fell [@pmid:8; @pmid:7].', numbering);
    assert.equal(
      html.trim(),
      '<p>It fell&nbsp;<span class="cites">[<a href="#ref-1">1</a>, <a href="#ref-3">3</a>]</span>.</p>',
    );
  });

  it('keeps underscores of a DOI out of the emphasis', () => {
    assert.match(renderProse('A [@doi:10.1/a_b_c] and _this_.', numbering), /#ref-2.*<em>this<\/em>/);
  });

  it('says next to the number that a reference was retracted', () => {
    assert.match(renderProse('It fell [@pmid:7].', numbering, [1]), /<a href="#ref-1">1 retracted<\/a>/);
  });

  it('puts headings one level down', () => {
    assert.match(renderProse('## What it is\n\nText.', numbering), /<h3>What it is<\/h3>/);
  });

  it('shows raw HTML as it was typed', () => {
    const html = renderProse('<script>x()</script><p onclick="x()" style="color:red">Hi <img src=x></p>', numbering);
    assert.doesNotMatch(html, /<(script|img|p )/);
    assert.match(html, /&lt;script&gt;/);
  });
});
