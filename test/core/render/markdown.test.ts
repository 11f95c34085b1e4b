import assert from 'node:assert/strict';
import { citationSyntax } from '#core/render/citations.ts';
import { linksFrom, pageOfFile } from '#core/render/content-links.ts';
import { renderBlocks, renderMarkdown, renderSections } from '#core/render/markdown.ts';

const anchored = { topLevel: 1, anchors: { taken: ['content'] } } as const;

describe('editors’ Markdown', () => {
  it('escapes raw HTML and removes script URLs', () => {
    const { html } = renderMarkdown(
      'A <b onclick="x()">b</b> [c](javascript:x()) ![p](/p.png)\n\n<script>x()</script>',
    );
    assert.equal(html, '<p>A &lt;b onclick="x()"&gt;b&lt;/b&gt; <a>c</a> p</p>\n&lt;script&gt;x()&lt;/script&gt;');
  });

  it('gives headings stable anchors that are unique on the page', () => {
    const { headings } = renderMarkdown('## Content\n\n## What’s kept, and why?\n\n### Content\n\n## …', anchored);
    assert.deepEqual(headings, [
      { level: 2, id: 'content-2', text: 'Content' },
      { level: 2, id: 'whats-kept-and-why', text: 'What’s kept, and why?' },
      { level: 3, id: 'content-3', text: 'Content' },
      { level: 2, id: 'part', text: '…' },
    ]);
  });

  it('renders tables that a phone can show as lists and a screen reader as tables', () => {
    const { html } = renderMarkdown('Table: Limits\n\n| Who | A `day` |\n|---|---|\n| Guests | **5** |');
    assert.equal(
      html,
      `<table class="grid written" role="table"><caption>Limits</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Who</th><th role="columnheader" scope="col">A <code>day</code></th></tr></thead>
<tbody role="rowgroup"><tr role="row"><th role="rowheader" scope="row">Guests</th><td role="cell" data-name="A day"><strong>5</strong></td></tr></tbody></table>`,
    );
  });

  it('gives a table without a caption a hidden caption from the heading above it', () => {
    assert.match(
      renderMarkdown('## Limits\n\n| a | b |\n|---|---|\n| 1 | 2 |').html,
      /<caption class="hidden">Limits</,
    );
  });

  it('splits a text at its second-level headings', () => {
    assert.deepEqual(renderSections('Lead.\n\n## One\n\nText.\n\n### Deeper\n\n## Two', anchored), {
      lead: '<p>Lead.</p>',
      sections: [
        { id: 'one', title: 'One', html: '<p>Text.</p>\n<h3 id="deeper">Deeper</h3>' },
        { id: 'two', title: 'Two', html: '' },
      ],
    });
  });

  it('returns the items of a list separately', () => {
    const [block] = renderBlocks('1. One *x*\n2. Two');
    assert.deepEqual(block?.list, {
      isOrdered: true,
      items: [
        { html: 'One <em>x</em>', source: '1. One *x*\n' },
        { html: 'Two', source: '2. Two' },
      ],
    });
  });

  it('marks external links and leaves internal links unchanged', () => {
    assert.equal(
      renderMarkdown('[a](https://example.org/?a=1&b=2) [b](/about)').html,
      '<p><a href="https://example.org/?a=1&amp;b=2" rel="external">a</a> <a href="/about">b</a></p>',
    );
  });
});

describe('links between content files', () => {
  it('become site addresses', () => {
    const link = linksFrom('docs/decisions/0001-a.md');
    assert.equal(link('../glossary.md#tier'), '/page/glossary#tier');
    assert.equal(link('0002-b.md'), '/page/decisions/0002-b');
    assert.equal(link('../../pages/privacy.md'), '/privacy');
    assert.equal(link('../../supplements/zinc.md'), '/supplements/zinc');
    assert.equal(link('#here'), '#here');
    assert.equal(link('https://example.org/a.md'), 'https://example.org/a.md');
  });

  it('become plain text when the file has no page', () => {
    const link = linksFrom('docs/a.md');
    assert.equal(link('../../core/boot.ts'), null);
    assert.equal(link('../../../etc/passwd'), null);
    assert.equal(pageOfFile('docs/../../secret.md'), null);
    assert.equal(
      renderMarkdown('See [the *boot*](../../core/boot.ts).', { link }).html,
      '<p>See the <em>boot</em>.</p>',
    );
  });
});

describe('citations in a text', () => {
  const syntax = citationSyntax(['pmid', 'rule']);

  it('are found with their position, and those of unknown kinds are not', () => {
    assert.deepEqual(syntax.refsInText('A [@pmid:1; @rule:a-b] b [@doi:10.1/x].'), [
      { ref: 'pmid:1', at: 2 },
      { ref: 'rule:a-b', at: 2 },
    ]);
  });
});
