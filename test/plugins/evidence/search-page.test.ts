import assert from 'node:assert/strict';
import { type SharedService, sharedService } from '../../support/shared.ts';

describe('/search/evidence', () => {
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });
  const page = async (query: string) => {
    const reply = await fetch(`${service.url}/search/evidence?${query}`);
    return { status: reply.status, html: (await reply.text()).replaceAll('&amp;', '&') };
  };
  const facetsIn = (html: string): Record<string, { name: string; href: string; count: number }[]> =>
    Object.fromEntries(
      [...html.matchAll(/<section><h3 class="label">([^<]+)<\/h3><ul>(.*?)<\/ul>/gs)].map(
        ([, name = '', list = '']) => [
          name,
          [...list.matchAll(/<a href="([^"]+)">([^<]+)<\/a> *<span class="figure">([\d,]+)</g)].map(
            ([, href = '', value = '', count = '']) => ({
              name: value,
              href,
              count: Number(count.replaceAll(',', '')),
            }),
          ),
        ],
      ),
    );
  const totalIn = (html: string): number => Number(/Narrow ([\d,]+) matches/.exec(html)?.[1]?.replaceAll(',', ''));

  it('offers filters with counts that match the narrowed search', async () => {
    const { html } = await page('q=magnesium&exclude_off_plan=false');
    const facets = facetsIn(html);
    assert.deepEqual(Object.keys(facets), ['Tier', 'Design', 'Kind of source', 'Studied in', 'Year', 'Question']);
    for (const name of ['Tier', 'Design', 'Studied in', 'Year']) {
      const choice = facets[name]?.[0];
      assert.ok(choice && choice.count > 0, name);
      const narrowed = await page(choice.href.split('?')[1] ?? '');
      assert.equal(narrowed.status, 200);
      assert.ok(narrowed.html.includes('take away'), name);
      const total = totalIn(narrowed.html);
      // The total also includes sources found only by the semantic retriever, which the count does not.
      if (total) assert.ok(total >= choice.count && total < totalIn(html), name);
    }
  });

  it('shows the correction of a misspelling, and a link to search for the original word', async () => {
    const { html } = await page('q=magnezium+cramps');
    assert.match(html, /Searched for <b>magnesium cramps<\/b> instead of “magnezium cramps”/);
    const [, href = ''] = /<a href="([^"]+)">search for “magnezium cramps”/.exec(html) ?? [];
    assert.equal(href, '/search/evidence?q=magnezium+cramps&correct=false');
    const typed = await page(href.split('?')[1] ?? '');
    assert.ok(!typed.html.includes('Searched for <b>'));
  });

  it('explains each hit in words', async () => {
    const { html } = await page('q=magnesium+cramps&top_k=5');
    const reasons = [...html.matchAll(/Why it is here<\/span>\s*([^<]+)/g)].map(([, text = '']) => text.trim());
    assert.equal(reasons.length, 5);
    assert.match(reasons[0] ?? '', /^Found by words: magnesium, cramps\./);
    for (const reason of reasons) assert.doesNotMatch(reason, /bm25|rrf_primary|semantic/);
  });

  it('warns of a weak match, and states that no results mean neither safe nor ineffective', async () => {
    const weak = await page('q=carburettor+gasket+replacement+magnesium&exclude_off_plan=false');
    assert.match(weak.html, /No source holds most of the words of this query/);
    const none = await page('q=xyzzyplughquux');
    assert.match(none.html, /nothing about whether something works, and nothing about whether it is safe/);
  });

  it('hides sources outside the plan, states that it does, and shows them on request with the other filters', async () => {
    const { html } = await page('q=children&min_quality_tier=D');
    assert.match(html, /outside the editors’ plan (is|are) hidden/);
    assert.ok(html.includes('/search/evidence?q=children&exclude_off_plan=false&min_quality_tier=D'));
  });

  it('links the sources of the question as files that need no key', async () => {
    const { html } = await page('q=magnesium+sleep');
    assert.match(html, /Take along: Magnesium and sleep/);
    for (const format of ['csv', 'bibtex', 'ris', 'nbib', 'csljson', 'jsonl']) {
      const href = `/api/sources?vertical=magnesium-sleep&format=${format}&page_size=200`;
      assert.ok(html.includes(`href="${href}"`), format);
      assert.equal((await fetch(`${service.url}${href}`)).status, 200, format);
    }
  });

  it('returns 422 for years in the wrong order and for an invalid tier', async () => {
    assert.equal((await page('q=zinc&year_from=2020&year_to=2010')).status, 422);
    assert.equal((await page('q=zinc&min_quality_tier=E')).status, 422);
    assert.equal((await page('q=zinc&species=martian')).status, 200);
  });
});
