import assert from 'node:assert/strict';
import type { Page, PageInstance } from '#core/plugin.ts';
import { systemContext } from '#core/system-context.ts';
import { catalogPlugin } from '#plugins/catalog/index.ts';
import { startService, type TestService } from '../../support/service.ts';

const PATHS = [
  '/',
  '/methodology',
  '/disclaimer',
  '/supplements',
  '/supplements?category=herb',
  '/supplements/magnesium',
  '/evidence/magnesium-sleep',
  '/search/evidence',
  '/search/evidence?q=magnesium',
  '/explore/sources',
];

const count = (html: string, pattern: RegExp): number => [...html.matchAll(pattern)].length;
const linesOf = (html: string, from: string, to: string): string => html.slice(html.indexOf(from)).split(to)[0] ?? '';

describe('the HTML pages', () => {
  let service: TestService;
  const get = async (path: string) => {
    const reply = await fetch(`${service.url}${path}`);
    return { status: reply.status, headers: reply.headers, html: await reply.text() };
  };
  before(async function () {
    this.timeout(180_000);
    service = await startService();
  });
  after(() => service.stop());

  it('each have one heading, a title, a description, a canonical URL and a language', async () => {
    for (const path of PATHS) {
      const { status, html } = await get(path);
      assert.equal(status, 200, path);
      assert.equal(count(html, /<h1[ >]/g), 1, path);
      assert.equal(count(html, /<title>[^<]{10,}<\/title>/g), 1, path);
      assert.equal(count(html, /<meta name="description" content="[^"]{40,}"/g), 1, path);
      const canonical = `<link rel="canonical" href="http://evidence.test${path.split('?')[0]}">`;
      assert.ok(html.includes(canonical), path);
      assert.match(html, /^<!DOCTYPE html><html lang="en">/);
    }
  });

  it('have unique titles', async () => {
    const titles = await Promise.all(
      PATHS.map(async (path) => /<title>(.*?)<\/title>/.exec((await get(path)).html)?.[1]),
    );
    assert.equal(new Set(titles).size, PATHS.length);
  });

  it('comply with the content security policy: no inline style, script or handler', async () => {
    for (const path of PATHS) {
      const { html } = await get(path);
      assert.doesNotMatch(html, /<[^>]+ (style|on[a-z]+)=/, path);
      assert.doesNotMatch(html, /<style|<script>/, path);
    }
  });

  it('contain structured data that parses', async () => {
    const { html } = await get('/supplements/magnesium');
    const blocks = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json = '']) =>
      JSON.parse(json),
    );
    assert.equal(blocks[0]['@type'], 'MedicalWebPage');
    assert.equal(blocks[0].about['@type'], 'DietarySupplement');
    assert.equal(blocks[0].reviewedBy, undefined);
    assert.equal(blocks[0].about.aggregateRating, undefined);
    assert.ok(blocks[0].citation.length > 5);
  });

  it('number every citation of a supplement and link it to an existing reference', async () => {
    const { html } = await get('/supplements/magnesium');
    const links = new Set([...html.matchAll(/href="#ref-(\d+)"/g)].map(([, n]) => n));
    const references = new Set([...html.matchAll(/<li id="ref-(\d+)"/g)].map(([, n]) => n));
    assert.ok(links.size > 5);
    assert.deepEqual([...links].sort(), [...references].sort());
  });

  it('return 404 with links to the most similar pages', async () => {
    const supplement = await get('/supplements/magnesum');
    assert.equal(supplement.status, 404);
    assert.match(supplement.html, /href="\/supplements\/magnesium"/);
    const vertical = await get('/evidence/magnesium-nothing');
    assert.equal(vertical.status, 404);
    assert.match(vertical.html, /href="\/evidence\/magnesium-/);
  });

  it('never present an empty search result as evidence of safety', async () => {
    const { html } = await get('/search/evidence?q=zzqqxx');
    assert.match(html, /says nothing about whether something works, and nothing about whether it is safe/);
  });

  it('return 422 for a top_k out of bounds', async () => {
    assert.equal((await get('/search/evidence?q=zinc&top_k=51')).status, 422);
  });

  it('show an empty list with a link to the first page past the end', async () => {
    const { status, html } = await get('/explore/sources?page=9999');
    assert.equal(status, 200);
    assert.match(html, /There is no such page of the list/);
    assert.match(html, /<a href="\/explore\/sources">Go to the first/);
  });

  it('say that nobody reviewed them when no reviewer is set', async () => {
    assert.match((await get('/')).html, /Not reviewed by a clinician/);
  });

  describe('when a cited source is retracted', () => {
    const pmid = '22909270';
    const page = (catalogPlugin.pages ?? []).find(({ id }) => id === 'catalog.supplement') as Page;
    const versionsOf = async (): Promise<Map<string, string>> => {
      const context = systemContext(service.runtime, catalogPlugin, AbortSignal.timeout(10_000));
      const all: PageInstance[] = [];
      for await (const instance of page.list?.(context) ?? []) all.push(instance);
      return new Map(all.map(({ params, version }) => [params.slug ?? '', version]));
    };
    let earlier: Map<string, string>;

    before(async () => {
      earlier = await versionsOf();
      assert.deepEqual(await versionsOf(), earlier);
      await service.runtime.db.write((em) =>
        em.execute(
          `update evidence_source set retraction_status = 'retracted', quality_tier = 'D', revision = nextval('evidence_revision')
           where pmid = ?`,
          [pmid],
        ),
      );
    });

    it('get a new version for the supplements that cite it, and for no others', async () => {
      const later = await versionsOf();
      const changed = [...later].filter(([slug, version]) => earlier.get(slug) !== version).map(([slug]) => slug);
      assert.deepEqual(changed, ['magnesium']);
    });

    it('strike it through, and derive neither a direction nor a tier from it', async () => {
      const { html } = await get('/supplements/magnesium?live=1');
      const row = linesOf(html, 'href="#on-muscle-cramps"', '</tr>');
      assert.match(row, /Retracted/);
      assert.match(row, /no tier/);
      assert.doesNotMatch(row, /In favour/);
      assert.match(html, /Everything this finding rested on was retracted/);
      assert.match(linesOf(html, 'id="ref-1"', '</li>'), /Retracted<\/strong>\s*<s>/);
    });

    it('report no finding on the page of the question', async () => {
      const { html } = await get('/evidence/magnesium-muscle-cramps?live=1');
      assert.match(html, /no finding stands/);
      assert.doesNotMatch(linesOf(html, '<h1', 'id="balance"'), /In favour/);
    });
  });
});
