import assert from 'node:assert/strict';
import { syncContent } from '#core/content-sync.ts';
import type { Page, PageInstance } from '#core/plugin.ts';
import { systemContext } from '#core/system-context.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { temporaryFolder, useService } from '../evidence/support.ts';
import { GINKGO, putContent, ruleFile } from './rule-content.ts';

describe('interaction pages', () => {
  const content = temporaryFolder();
  before(() => putContent(content));
  const base = useService(() => ({ contentDir: content.path() }));
  const get = async (path: string) => {
    const reply = await fetch(`${base.service.url}${path}`);
    return { status: reply.status, robots: reply.headers.get('x-robots-tag'), html: await reply.text() };
  };
  const page = async (path: string): Promise<string> => {
    const { status, html } = await get(path);
    assert.equal(status, 200, path);
    return html;
  };
  const instances = async (): Promise<Map<string, PageInstance>> => {
    const found = interactionsPlugin.pages?.find(({ id }) => id === 'interactions.interaction') as Page;
    const context = systemContext(base.service.runtime, interactionsPlugin, new AbortController().signal);
    const all = new Map<string, PageInstance>();
    for await (const instance of found.list?.(context) ?? []) all.set(instance.params.interaction_slug ?? '', instance);
    return all;
  };

  it('show severity, further rules, sources and links for a pair', async () => {
    const html = await page('/interactions/ginkgo-warfarin');
    assert.match(html, /<h1>Ginkgo and warfarin<\/h1><p class="verdict"><span class="severity severity-major"><svg/);
    assert.ok(html.indexOf('Major') < html.indexOf('How likely'));
    assert.match(html, /Further rules on this pair/);
    assert.match(html, /Expected from the class \(anticoagulants\)/);
    assert.match(html, /Ginkgo and bleeding, as the editor has it/);
    assert.match(html, /href="\/interactions\/ginkgo"/);
    assert.match(html, /href="\/interactions\/warfarin"/);
    assert.match(html, /<form class="checker-pair" action="\/interactions" method="get"/);
  });

  it('order a pair page from the action to the reasons, sources and the view from the medicine', async () => {
    const html = await page('/interactions/ginkgo-warfarin');
    const marks = [
      'class="verdict"',
      'class="answer"',
      'id="why"',
      '>How likely<',
      '>When it shows<',
      'id="sources"',
      'Seen from warfarin',
      'id="check"',
    ];
    const places = marks.map((mark) => html.indexOf(mark));
    assert.ok(
      places.every((place) => place > 0),
      marks[places.indexOf(-1)],
    );
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
    assert.match(html, /Not reviewed by a clinician\./);
  });

  it('list other interactions of both partners by name and severity, most severe first', async () => {
    const html = await page('/interactions/ginkgo-warfarin');
    const others = html.slice(html.indexOf('Other interactions of ginkgo'));
    assert.match(others, /<a href="\/interactions\/statins">Statins<\/a><span class="index-end"><span class="severity/);
    assert.ok(others.indexOf('Garlic') < others.indexOf('Statins'), 'moderate before minor');
    assert.doesNotMatch(others, /Invented effect of ginkgo-statins/);
    assert.match(html, /<h3>Ginkgo and anticoagulants<\/h3>/);
  });

  it('collapse reasons and sources but show likelihood, evidence and timing', async () => {
    const html = await page('/interactions/ginkgo');
    const rule = html.slice(html.indexOf('id="ginkgo-statins"')).split('</article>')[0] ?? '';
    const [open = '', folded = ''] = rule.split('</summary>');
    for (const words of [
      /Minor/,
      /Take them apart in time/,
      /at least 4 hours apart/,
      /Possible: from theory/,
      /no graded study/,
    ])
      assert.match(open, words);
    assert.match(folded, /pravastatin/);
    assert.match(folded, /NIH NCCIH/);
  });

  it('include JSON-LD on the page and the drug, without a reviewer when none is named', async () => {
    const html = await page('/interactions/ginkgo-warfarin');
    const [json = ''] = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(
      ([, text]) => text,
    );
    const data = JSON.parse(json ?? '');
    assert.deepEqual([data['@type'], data.about['@type'], data.about.name], ['MedicalWebPage', 'Drug', 'warfarin']);
    assert.equal(data.about.interactingDrug.name, 'Ginkgo');
    assert.equal(data.reviewedBy, undefined);
    assert.equal(data.citation.length, 1);
  });

  it('show interactions from the side of a supplement, a medicine and a class', async () => {
    const ginkgo = await page('/interactions/ginkgo');
    for (const words of [/id="ginkgo-anticoagulants"/, /Who should take care/, /Reports are not proof of cause/])
      assert.match(ginkgo, words);
    assert.match(await page('/interactions/garlic'), /id="ginkgo-garlic"/);
    const warfarin = await page('/interactions/warfarin');
    assert.match(warfarin, /href="\/interactions\/ginkgo-warfarin"/);
    assert.match(await page('/interactions/metformin'), /Vitamin B12/);
    const statins = await page('/interactions/statins');
    assert.match(statins, /href="\/interactions\/ginkgo#ginkgo-statins"/);
    assert.match(statins, /href="\/interactions\/pravastatin"/);
    assert.match(await page('/interactions/grapefruit'), /Grapefruit: interactions/);
  });

  it('state that nothing is known and set noindex when a supplement has no interactions', async () => {
    const { robots, html } = await get('/interactions/zinc');
    assert.match(html, /does not mean that it is safe/);
    assert.equal(robots, 'noindex');
    assert.ok(!(await instances()).has('zinc'));
  });

  it('return 404 with similar names for an unknown name', async () => {
    const { status, html } = await get('/interactions/ginkgoo');
    assert.equal(status, 404);
    assert.match(html, /href="\/interactions\/ginkgo"/);
  });

  it('check a pair by form in either field order and set noindex', async () => {
    const found = await get('/interactions?supplement=gingko&drug=Coumadin');
    assert.equal(found.robots, 'noindex');
    assert.match(found.html, /<b>Coumadin<\/b> was read as <a href="\/interactions\/warfarin">Warfarin<\/a>/);
    assert.match(found.html, /severity-major/);
    assert.match(await page('/interactions?supplement=warfarin&drug=ginkgo'), /severity-major/);
    const none = await page('/interactions?supplement=zinc&drug=metformin');
    assert.match(none, /No record in our sources. This does not mean the combination is safe./);
    const unknown = await page('/interactions?supplement=%3Cscript%3E&drug=warfarin');
    assert.match(unknown, /was not recognised/);
    assert.doesNotMatch(unknown, /<script>/);
    assert.match(await page('/interactions?supplement=ginkgo&drug=pravastatin'), /named as an exception/);
    assert.match(await page('/interactions?supplement=aspirin&drug=warfarin'), /ask a pharmacist/);
  });

  it('check a whole list by form', async () => {
    const html = await page(
      '/interactions?s=ginkgo,%20garlic;grapefruit&d=warfarin,%20simvastatin,metformin&c=surgery',
    );
    assert.ok(html.indexOf('Grapefruit and simvastatin') < html.indexOf('Ginkgo and warfarin'));
    for (const words of [
      /Ginkgo: surgery/,
      /Metformin and vitamin B12/,
      /pairs? without a record/,
      /ask a pharmacist about/,
    ])
      assert.match(html, words);
  });

  it('can be browsed by supplement, class and severity', async () => {
    const html = await page('/interactions');
    for (const href of ['/interactions/ginkgo', '/interactions/statins', '/interactions?severity=major#by-severity'])
      assert.ok(html.includes(`href="${href}"`), href);
    assert.match(
      await page('/interactions?severity=contraindicated'),
      /href="\/interactions\/grapefruit#grapefruit-simvastatin"/,
    );
  });

  it('are all listed, and a changed rule changes only the versions of its pages', async () => {
    const before = await instances();
    for (const slug of ['ginkgo', 'grapefruit', 'warfarin', 'statins', 'ginkgo-warfarin', 'grapefruit-amlodipine'])
      assert.ok(before.has(slug), slug);
    for (const [slug] of before) await page(`/interactions/${slug}`);
    const changed = GINKGO.map((rule) =>
      rule.slug === 'ginkgo-warfarin' ? { ...rule, severity: 'contraindicated' } : rule,
    );
    await content.put('interactions/ginkgo.yaml', ruleFile('ginkgo', changed));
    await syncContent(base.service.runtime, content.path());
    const after = await instances();
    const moved = [...after]
      .filter(([slug, { version }]) => before.get(slug)?.version !== version)
      .map(([slug]) => slug);
    assert.ok(moved.includes('ginkgo-warfarin') && moved.includes('ginkgo') && moved.includes('warfarin'));
    assert.ok(!moved.includes('grapefruit-amlodipine') && !moved.includes('grapefruit'));
  });
});
