import assert from 'node:assert/strict';
import { type SharedService, sharedService } from '../../support/shared.ts';

const textOf = (html: string): string =>
  html
    .slice(html.indexOf('<main'), html.indexOf('</main'))
    .replace(/<svg[\s\S]*?<\/svg>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    // Removes the space that stripping a tag leaves before punctuation.
    .replace(/ ([.,:])/g, '$1');

describe('/search', () => {
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });
  const page = async (query: string) => {
    const reply = await fetch(`${service.url}/search?${query}`);
    const html = await reply.text();
    return { status: reply.status, headers: reply.headers, html, text: textOf(html) };
  };
  const countsIn = (text: string): Record<string, number> =>
    Object.fromEntries(
      [
        ...text.matchAll(
          /\b(Everything|Interactions|Supplements|Conditions|Sources|Products|Articles|Biomarkers) ([\d,]+)/g,
        ),
      ]
        .slice(0, 8)
        .map(([, name = '', n = '']) => [name, Number(n.replaceAll(',', ''))]),
    );

  it('shows one search box and no results for an empty query', async () => {
    const { status, html, text } = await page('');
    assert.equal(status, 200);
    assert.match(html, /<form class="searchbox" action="\/search" method="get" role="search">/);
    assert.ok(!text.includes('Nothing'));
  });

  it('finds a supplement by a synonym, and says so', async () => {
    const { text, html } = await page('q=turmeric');
    assert.match(text, /“turmeric”: Curcumin, supplement/);
    assert.match(text, /“turmeric” is another name of it\./);
    assert.ok(html.includes('href="/supplements/curcumin"'));
    const counts = countsIn(text);
    assert.deepEqual(Object.keys(counts), [
      'Everything',
      'Interactions',
      'Supplements',
      'Conditions',
      'Sources',
      'Products',
      'Articles',
      'Biomarkers',
    ]);
    const { Everything, ...kinds } = counts;
    assert.equal(
      Everything,
      Object.values(kinds).reduce((sum, n) => sum + n, 0),
    );
    assert.ok((counts.Products ?? 0) > 5 && (counts.Interactions ?? 0) > 5);
  });

  it("shows the checker's result for a supplement and a medicine before anything else", async () => {
    const { html, text } = await page('q=can+I+take+ginkgo+with+Coumadin');
    assert.match(text, /Ginkgo and warfarin Major Avoid the combination unless a doctor who knows of both agrees/);
    assert.ok(html.includes('href="/interactions?supplement=Ginkgo&amp;drug=warfarin"'));
    assert.ok(html.indexOf('Ginkgo and warfarin') < html.indexOf('What your words stand for'));
    assert.ok(!text.includes('was read as'));
  });

  it('names the word by which a product was found, without the medicine', async () => {
    const { text } = await page('q=magnesium+warfarin');
    assert.match(text, /Why it is here Its name, brand or ingredients hold “magnesium”\./);
  });

  it('says when the name of a medicine was guessed', async () => {
    const { text } = await page('q=ginkgo+and+warfrin');
    assert.match(text, /“warfrin” was read as warfarin: check that this is what you mean\./);
    assert.match(text, /“warfrin”: warfarin, medicine \(a guess\)/);
  });

  it('never presents a pair without a record as safe', async () => {
    const { text } = await page('q=creatine+with+amoxicillin');
    assert.match(
      text,
      /Creatine and amoxicillin No record in our sources\. This does not mean the combination is safe\./,
    );
  });

  it('resolves a group of medicines, and every name of a longer list', async () => {
    const { html, text } = await page('q=st+johns+wort+with+birth+control');
    assert.match(text, /“birth control”: Hormonal contraceptives, group of medicines/);
    assert.match(text, /St John's wort and Hormonal contraceptives (Do not combine|Major)/);
    assert.ok(html.includes('/interactions?'));
    const several = await page('q=ginkgo,+magnesium,+warfarin+and+sertraline');
    assert.ok(several.html.includes('/interactions?s=Ginkgo%2C+Magnesium&amp;d=warfarin%2C+sertraline'));
  });

  it('shows the warning of a banned substance with its name', async () => {
    const { text } = await page('q=ephedra');
    assert.match(text, /“ephedra”: Ephedra, banned substance\. .*strokes, heart attacks and deaths/);
  });

  it('links a condition to its page and to supplements with sources on it, whatever they found', async () => {
    const { html, text } = await page('q=insomnia');
    assert.ok(html.includes('href="/conditions/insomnia"'));
    assert.match(text, /\d+ sources? on it and sleep, whatever they found; the best is of tier [A-D]\./);
    const { html: question } = await page('q=magnesium+for+sleep');
    assert.ok(question.includes('href="/evidence/magnesium-sleep"'));
  });

  it('says how a misspelled word was corrected, in every section', async () => {
    const { text } = await page('q=magnezium+citrate');
    assert.match(
      text,
      /Sources and products were searched for magnesium citrate, as this base does not know “magnezium”\./,
    );
    assert.match(text, /“magnezium”: Magnesium, supplement \(a guess\)/);
    assert.match(text, /“magnezium” was read as Magnesium: check that this is what you mean\. Supplement Magnesium/);
    assert.ok((countsIn(text).Products ?? 0) > 0);
  });

  it('shows the matched entity as a card before the lists: its tier, its warnings and its links', async () => {
    const { html, text } = await page('q=zinc');
    const card = html.slice(html.indexOf('<section class="best"'), html.indexOf('id="of-interaction"'));
    assert.match(card, /<a href="\/supplements\/zinc">Zinc<\/a>/);
    assert.match(
      text,
      /Supplement Zinc Zinc is a trace mineral .* Tier B Moderate strongest of \d+ sources (?:Caution|Warning) [A-Z]/,
    );
    assert.match(text, /Major with fluoroquinolones[^.]*\./);
    for (const href of ['/interactions/zinc', '/supplements/zinc/products', '/chat?about=zinc'])
      assert.ok(card.includes(`href="${href}"`), href);
    // The card above replaces a list with a single entry.
    assert.ok(!html.includes('id="of-supplement"'));
  });

  it('groups the pairs of a rule about a whole class, with a link to each medicine', async () => {
    const { html, text } = await page('q=zinc&type_filter=interaction');
    const [, pairs, groups] = /Interactions \d+ (\d+) pairs in (\d+) groups/.exec(text) ?? [];
    assert.ok(Number(pairs) > 20 && Number(groups) < Number(pairs) / 2, `${pairs} pairs in ${groups} groups`);
    assert.match(
      text,
      /Zinc and fluoroquinolones Major Take them apart in time Zinc can bind .* 13 medicines ciprofloxacin, delafloxacin/,
    );
    for (const href of ['/interactions/zinc-ciprofloxacin', '/interactions/zinc#zinc-fluoroquinolones'])
      assert.ok(html.includes(`href="${href}"`), href);
    const { text: two } = await page('q=zinc+with+copper&type_filter=interaction');
    assert.match(two, /Copper and zinc Moderate .*Zinc and fluoroquinolones Major/);
  });

  it('shows a matching question and its certainty before the supplement', async () => {
    const { text } = await page('q=magnesium+for+sleep');
    assert.match(
      text,
      /A question with sources Magnesium and sleep \S.* Certainty: (Very low|Low|Moderate|High) .*Supplement Magnesium/,
    );
  });

  it('does not correct a medicine name to a product, and finds nothing for symbols', async () => {
    assert.ok(!(await page('q=warfarin')).text.includes('warfare'));
    for (const signs of ['%F0%9F%92%8A', '%25%27%22%3C%5C']) {
      const { status, text } = await page(`q=${signs}`);
      assert.equal(status, 200);
      assert.match(text, /Nothing in this base matches/);
    }
  });

  it('shows a single type page by page, with a reason for each hit', async () => {
    const first = await page('q=warfarin&type_filter=interaction');
    const second = await page('q=warfarin&type_filter=interaction&page=2');
    const linksIn = (html: string): string[] =>
      [...html.matchAll(/class="hit-name"><a href="([^"]+)"/g)].map(([, href = '']) => href);
    assert.equal(linksIn(first.html).length, 20);
    assert.ok(linksIn(second.html).length > 0);
    assert.deepEqual(
      linksIn(first.html).filter((href) => linksIn(second.html).includes(href)),
      [],
    );
    assert.ok(first.html.includes('rel="next"') && second.html.includes('rel="prev"'));
    assert.equal([...first.text.matchAll(/Why it is here/g)].length, 20);
    const far = await page('q=warfarin&type_filter=interaction&page=900');
    assert.match(far.text, /There are no more\./);
  });

  it('finds biomarkers by any name printed on reports, and by the supplement that they measure', async () => {
    const { html, text } = await page('q=GPT&type_filter=biomarker');
    assert.ok(html.includes('href="/biomarkers/alt"'));
    assert.match(text, /“GPT” is a name of it\./);
    const iron = await page('q=iron&type_filter=biomarker');
    assert.ok(iron.html.includes('href="/biomarkers/iron"') && iron.html.includes('href="/biomarkers/ferritin"'));
    assert.match(iron.text, /It is a laboratory value of Iron\./);
  });

  it('accepts every type as a filter, and rejects an unknown type or a query above 500 characters', async () => {
    for (const kind of ['supplement', 'condition', 'interaction', 'product', 'article', 'biomarker', 'source']) {
      const { status, text } = await page(`q=zinc&type_filter=${kind}`);
      assert.equal(status, 200, kind);
      assert.doesNotMatch(text, /This base holds no .* yet/);
    }
    assert.equal((await page('q=zinc&type_filter=nonsense')).status, 422);
    assert.equal((await page(`q=${'a'.repeat(500)}`)).status, 200);
    assert.equal((await page(`q=${'a'.repeat(501)}`)).status, 422);
  });

  it('finds articles by their subject, and says so', async () => {
    const articles = await fetch(`${service.url}/articles`).then((reply) => reply.text());
    if (!/href="\/articles\/[a-z]/.test(articles)) return;
    const { html, text } = await page('q=magnesium&type_filter=article');
    assert.match(html, /class="hit-name"><a href="\/articles\//);
    assert.match(text, /Why it is here It is about Magnesium\./);
  });

  it('says that no result proves neither safety nor uselessness, and offers links', async () => {
    const { text, html, headers } = await page('q=xyzzyplughquux');
    assert.match(text, /Nothing in this base matches “xyzzyplughquux”/);
    assert.match(text, /says nothing about whether something works, and nothing about whether it is safe/);
    assert.ok(html.includes('href="/interactions"'));
    assert.equal(headers.get('x-robots-tag'), 'noindex');
  });

  it('shows the emergency number first for a query about an overdose', async () => {
    const { html, text } = await page('q=iron+tablets+overdose+child');
    assert.match(text, /Call the emergency number or the poison centre where you are now\./);
    assert.ok(html.indexOf('Call the emergency') < html.indexOf('What your words stand for'));
  });

  it('does not treat an everyday word as a trade name, and escapes the query', async () => {
    assert.ok(!(await page('q=today+relief')).text.includes('nonoxynol'));
    const { html } = await page(`q=${encodeURIComponent('<script>alert(1)</script>"\'')}`);
    assert.ok(!html.includes('<script>alert(1)'));
  });
});
