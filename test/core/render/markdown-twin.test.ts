import { strict as assert } from 'node:assert';
import { markdownBrief, markdownTwin, pageOfTwin, twinOf } from '#core/render/markdown-twin.ts';

const BASE = 'https://evidence.test';
const HEAD =
  '<title>Zinc: evidence · The Base</title><link rel="canonical" href="https://evidence.test/supplements/zinc">' +
  '<meta name="description" content="Zinc &amp; colds."><script type="application/ld+json">{"dateModified":"2026-11-02"}</script>';

const pageOf = (main: string): string =>
  `<!DOCTYPE html><html><head>${HEAD}</head><body><nav>Menu</nav><main class="frame">${main}</main><footer>Foot</footer></body></html>`;
const twin = (main: string): string => markdownTwin(pageOf(main), { baseUrl: BASE });
/** Returns the Markdown without front matter and disclaimer. */
const bodyOf = (main: string): string => twin(main).split('\n---\n')[1]?.trim() ?? '';

describe('Markdown twin of a page', () => {
  it('starts with title, address, description and last change, and ends with the disclaimer', () => {
    const text = twin('<h1>Zinc</h1><p>A metal.</p>');
    assert.equal(
      text,
      `---\ntitle: "Zinc: evidence"\nurl: "https://evidence.test/supplements/zinc"\ndescription: "Zinc & colds."\nlast_changed: "2026-11-02"\n---\n\n# Zinc\n\nA metal.\n\n---\n\nThis is information about research, not medical advice. A missing warning does not mean that something is safe. [Disclaimer](${BASE}/disclaimer)\n`,
    );
  });

  it('writes citations as numbers, and references with their numbers and absolute links', () => {
    const body = bodyOf(
      '<p>Shorter colds.&nbsp;<span class="cites">[<a href="#ref-1">1</a>, <a href="#ref-12">12</a>]</span></p>' +
        '<ol class="references"><li id="ref-12" value="12">A trial. <cite>Journal</cite> 2015. <span class="ids"><a href="https://pubmed.ncbi.nlm.nih.gov/1/">PMID 1</a><a href="https://doi.org/10.1/a(b)">DOI 10.1/a(b)</a></span></li>' +
        '<li>See <a href="/evidence/zinc-colds">zinc and colds</a>.</li></ol>',
    );
    assert.equal(
      body,
      'Shorter colds. [1, 12]\n\n12. A trial. *Journal* 2015. [PMID 1](https://pubmed.ncbi.nlm.nih.gov/1/) [DOI 10.1/a(b)](https://doi.org/10.1/a%28b%29)\n13. See [zinc and colds](https://evidence.test/evidence/zinc-colds).',
    );
  });

  it('writes tables with pipes and their caption, and joins the parts of a cell on one line', () => {
    const body = bodyOf(
      '<table><caption>Doses | studied</caption><thead><tr><th scope="col">For</th><th scope="col">Dose</th></tr></thead>' +
        '<tbody><tr><th scope="row">Colds</th><td>75 mg <span class="cites">[<a href="#ref-1">1</a>]</span></td></tr>' +
        '<tr><th scope="row">a | b</th><td><ul><li>one</li><li>two</li></ul></td></tr></tbody></table>',
    );
    assert.equal(
      body,
      '*Doses | studied*\n\n| For | Dose |\n| --- | --- |\n| Colds | 75 mg [1] |\n| a \\| b | one; two |',
    );
  });

  it('opens details, omits drawings, controls and navigation, and includes text for screen readers', () => {
    const body = bodyOf(
      '<nav class="crumbs"><a href="/">Front page</a></nav><form><input name="q"><button>Go</button></form>' +
        '<figure><svg role="img"><title>Chart</title><text>9</text></svg><figcaption>By year</figcaption>' +
        '<details><summary><span>Certainty</span><span>Low</span></summary><p>One trial only.</p></details></figure>' +
        '<p><b class="tier-letter"><span class="hidden">Tier </span>B</b><svg></svg><span>Moderate</span></p>' +
        '<p hidden>Not shown</p><p class="print-only">Printed</p><span aria-hidden="true">x</span>',
    );
    assert.equal(body, 'By year\n\n**Certainty · Low**\n\nOne trial only.\n\n**Tier B** · Moderate');
  });

  it('nests lists, joins terms with their definitions, and makes a heading in a list a bold line', () => {
    const body = bodyOf(
      '<ul><li>One<ul><li>Two</li></ul></li><li><h4>Title</h4><p>Text</p></li></ul>' +
        '<dl><div><dt>Kind</dt><dd>Mineral</dd></div></dl><ul class="facts"><li>86 people</li><li>In favour</li></ul>',
    );
    assert.equal(body, '- One\n  - Two\n- **Title**\n\n  Text\n\n- **Kind:** Mineral\n\n86 people · In favour');
  });

  it('escapes only text that Markdown would read as markup', () => {
    assert.equal(
      bodyOf(
        '<p>1. p &lt; 0.05, 5*3 and `x`, snake_case, _a_, &lt;b&gt;, [1](2)</p><p># no heading</p><p>10<sup>3</sup> H<sub>2</sub>O</p>',
      ),
      '1\\. p < 0.05, 5\\*3 and \\`x\\`, snake_case, \\_a\\_, \\<b>, [1]\\(2)\n\n\\# no heading\n\n10^3 H2O',
    );
  });

  it('omits the name, details, figures and screen-only parts in the brief version', () => {
    const brief = markdownBrief(
      pageOf(
        '<h1>Zinc</h1><p>Answer.</p><details><summary>2 sources</summary><p>Summary</p></details><figure><table><tr><td>1</td></tr></table></figure><section class="screen"><h2>Products</h2></section><h2>References</h2>',
      ),
      BASE,
    );
    assert.equal(brief, 'Answer.\n\n**2 sources**\n\n## References\n');
  });

  it('has an address from which the page’s path can be derived', () => {
    for (const path of ['/', '/supplements/zinc', '/page/decisions/0001-a'])
      assert.equal(pageOfTwin(twinOf(path)), path);
    for (const path of ['/supplements/zinc', '/.md', '/supplements/.md', '/a.mdx'])
      assert.equal(pageOfTwin(path), null);
  });
});
