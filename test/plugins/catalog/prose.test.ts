import assert from 'node:assert/strict';
import { numberCitations } from '#plugins/catalog/citations.ts';
import { renderProse } from '#plugins/catalog/prose.ts';

const numbering = numberCitations(['pmid:7', 'doi:10.1/a_b_c', 'pmid:8'], (ref) => ref);

describe('renderProse()', () => {
  it('converts a citation to numbered reference links', () => {
    const html = renderProse('It fell [@pmid:8; @pmid:7].', numbering);
    assert.equal(
      html.trim(),
      '<p>It fell&nbsp;<span class="cites">[<a href="#ref-1">1</a>, <a href="#ref-3">3</a>]</span>.</p>',
    );
  });

  it('does not treat underscores in a DOI as emphasis', () => {
    assert.match(renderProse('A [@doi:10.1/a_b_c] and _this_.', numbering), /#ref-2.*<em>this<\/em>/);
  });

  it('marks a retracted reference next to its number', () => {
    assert.match(renderProse('It fell [@pmid:7].', numbering, [1]), /<a href="#ref-1">1 retracted<\/a>/);
  });

  it('lowers headings by one level', () => {
    assert.match(renderProse('## What it is\n\nText.', numbering), /<h3>What it is<\/h3>/);
  });

  it('escapes raw HTML', () => {
    const html = renderProse('<script>x()</script><p onclick="x()" style="color:red">Hi <img src=x></p>', numbering);
    assert.doesNotMatch(html, /<(script|img|p )/);
    assert.match(html, /&lt;script&gt;/);
  });
});
