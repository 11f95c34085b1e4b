import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { openSite } from '#core/site/site-reader.ts';
import type { BuildReport } from '#generate/build.ts';
import { currentOf, longText, placeOf, readBuilt, TEMPLATE, treeOf, useSite } from './support.ts';

const article = (slug: string): string => `/made/${slug}`;
const counts = ({ seconds: _, published: __, held: ___, ...rest }: BuildReport): Partial<BuildReport> => rest;
const none = { planned: 0, rendered: 0, same: 0, unchanged: 0, removed: 0, skipped: 0 };

describe('site build', () => {
  const site = useSite();
  const long = { slug: 'long', text: longText('zinc') };
  const short = { slug: 'short', text: 'short' };
  const third = { slug: 'third', text: 'third' };

  beforeEach(async () => {
    site.material.onLoad = () => undefined;
    site.put(long, short);
    await site.generate();
  });

  it('renders and publishes every listed page', async () => {
    const report = await site.generate({ full: true });
    assert.deepEqual(counts(report), { ...none, planned: 3, rendered: 3 });
    assert.equal(report.published, true);
    assert.match(await currentOf(site), /^b\d{6}$/);
    const html = `<!DOCTYPE html><html><head><title>short</title></head><body><p>short</p><footer></footer></body></html>`;
    assert.equal(await readBuilt(site, article('short')), html);
    assert.match(await readBuilt(site, '/made'), /filter: none/);
  });

  it('writes compressed variants of long pages, and of none with twins: false', async () => {
    const brotliOf = async (path: string): Promise<string | null> => {
      const reader = await openSite(site.siteDir);
      const entry = reader.find(path);
      const text = entry?.bytes.br ? brotliDecompressSync(await reader.read(entry, 'br')).toString() : null;
      await reader.close();
      return text;
    };
    assert.equal(await brotliOf(article('long')), await readBuilt(site, article('long')));
    assert.equal(await brotliOf(article('short')), null);
    const before = await placeOf(site, article('long'));
    assert.equal((await site.generate({ twins: false })).rendered, 3);
    assert.equal(await brotliOf(article('long')), null);
    assert.equal((await placeOf(site, article('long')))?.modified, before?.modified);
    assert.equal((await site.generate()).rendered, 3);
    assert.notEqual(await brotliOf(article('long')), null);
  });

  it('loads and publishes nothing if nothing changed', async () => {
    const before = await currentOf(site);
    site.material.onLoad = (slug) => assert.fail(`loaded ${slug}`);
    const report = await site.generate();
    assert.deepEqual([counts(report), report.published], [{ ...none, planned: 3, unchanged: 3 }, false]);
    assert.equal(await currentOf(site), before);
  });

  it('renders changed pages, reuses unchanged ones and drops removed ones', async () => {
    site.put(long, short, third);
    await site.generate();
    const [build, place] = [await currentOf(site), await placeOf(site, article('long'))];
    const loaded: string[] = [];
    site.material.onLoad = (slug) => void loaded.push(slug);
    site.put(long, { ...short, text: 'changed' }, { slug: 'fourth', text: 'new' });
    const report = await site.generate();
    assert.deepEqual(counts(report), { ...none, planned: 4, rendered: 2, unchanged: 2, removed: 1 });
    assert.deepEqual(loaded.sort(), ['fourth', 'short']);
    assert.notEqual(await currentOf(site), build);
    assert.deepEqual((await placeOf(site, article('long')))?.modified, place?.modified);
    assert.match(await readBuilt(site, article('short')), /<p>changed</);
    await assert.rejects(readBuilt(site, article('third')), /is not published/);
  });

  it('keeps the date of a page with changed data but unchanged text, and records the new version', async () => {
    const before = await placeOf(site, article('long'));
    site.put({ ...long, version: 'other data, same text' }, short);
    const report = await site.generate();
    assert.deepEqual(counts(report), { ...none, planned: 3, rendered: 1, same: 1, unchanged: 2 });
    assert.equal((await placeOf(site, article('long')))?.modified, before?.modified);
    assert.deepEqual(counts(await site.generate()), { ...none, planned: 3, unchanged: 3 });
  });

  it('renders every page if the template or a setting shown on all pages changes', async () => {
    await site.restart({ template: TEMPLATE.replace('p= text', 'h1= text') });
    assert.equal((await site.generate()).rendered, 3);
    assert.match(await readBuilt(site, article('short')), /<h1>short</);
    await site.restart({ settings: { OPERATOR_NAME: 'Somebody' } });
    assert.equal((await site.generate()).rendered, 3);
    assert.match(await readBuilt(site, article('short')), /<footer>Somebody</);
    await site.restart({});
    assert.deepEqual((await site.generate()).unchanged, 0);
  });

  it('writes identical bytes in two full builds', async () => {
    site.put(
      ...Array.from({ length: 60 }, (_, at) => ({
        slug: `page-${at}`,
        text: longText(`word-${at}`),
        changedAt: '2026-01-02T03:04:05Z',
      })),
    );
    await site.generate({ full: true });
    const [first, one] = [await currentOf(site), await treeOf(site)];
    await site.generate({ full: true });
    assert.notEqual(await currentOf(site), first);
    assert.deepEqual(await treeOf(site), one);
    assert.ok(Object.keys(one).length > 60);
  });

  it('gives the same result in incremental builds as in a full build', async () => {
    site.put(long, third);
    await site.generate();
    site.put({ ...long, text: longText('copper') }, short, { ...third, version: '2' });
    await site.generate();
    const inSteps = await treeOf(site);
    await site.generate({ full: true });
    assert.deepEqual(await treeOf(site), inSteps);
  });

  it('keeps the previous site complete and public until the new one is complete', async () => {
    const [before, files] = [await currentOf(site), await treeOf(site)];
    const seen = new Set<string>();
    site.material.onLoad = async () => {
      seen.add(await currentOf(site));
      assert.deepEqual(await treeOf(site), files);
    };
    site.put(...Array.from({ length: 12 }, (_, at) => ({ slug: `new-${at}`, text: longText('new') })));
    await site.generate();
    assert.deepEqual([...seen], [before]);
    assert.equal(Object.keys(await treeOf(site)).filter((path) => path.startsWith('/made/')).length, 12);
  });

  it('leaves the site unchanged if a page cannot be rendered, and names the page and the field', async () => {
    const [before, files] = [await currentOf(site), await treeOf(site)];
    site.put(long, { ...short, text: 'changed' }, { ...third, wrong: true });
    await assert.rejects(
      site.generate(),
      /The view of page made\.article is not what it declares: \/text must be string/,
    );
    assert.equal(await currentOf(site), before);
    assert.deepEqual(await treeOf(site), files);
    site.put(long, { ...short, text: 'changed' }, third);
    assert.equal((await site.generate()).rendered, 2);
  });

  it('omits a page that is missing on load, also from the sitemap, and retries it in the next build', async () => {
    site.put(long, short, { ...third, missing: true });
    const report = await site.generate();
    assert.deepEqual([report.planned, report.skipped], [4, 1]);
    assert.doesNotMatch(await readBuilt(site, '/sitemap-articles.xml'), /third/);
    await assert.rejects(readBuilt(site, article('third')), /is not published/);
    site.put(long, short, third);
    assert.equal((await site.generate()).rendered, 1);
    assert.match(await readBuilt(site, '/sitemap-articles.xml'), /\/made\/third</);
  });

  for (const [what, damage] of [
    ['the index is cut short', ({ index }) => truncate(index, 300)],
    ['the index is empty', ({ index }) => truncate(index, 0)],
    ['the index is of another layout', ({ index }) => writeFile(index, 'EKBSITE0'.padEnd(4_000, '\0'))],
    ['the index is damaged', async ({ index }) => writeFile(index, (await readFile(index)).fill(7, 700, 705))],
    ['a pack is lost', ({ packs }) => rm(packs, { recursive: true })],
    ['nothing says what is published', ({ current }) => writeFile(current, 'null')],
    ['what is published lies outside', ({ current }) => writeFile(current, '{"build":"../../db"}')],
    [
      'the layout is that of before',
      async ({ current }) => {
        await rm(current);
        await symlink('builds/b000001', current);
      },
    ],
  ] as readonly (readonly [string, (files: Record<'index' | 'packs' | 'current', string>) => Promise<void>])[]) {
    it(`rebuilds everything when ${what}`, async () => {
      const [current, packs] = [join(site.siteDir, 'current'), join(site.siteDir, 'packs')];
      await damage({ index: join(site.siteDir, 'builds', await currentOf(site), 'index'), packs, current });
      const report = await site.generate();
      assert.deepEqual(counts(report), { ...none, planned: 3, rendered: 3 });
      assert.equal((await site.generate()).unchanged, 3, 'all is well again');
      assert.match(await readBuilt(site, article('short')), /<p>short</);
    });
  }

  it('ignores and removes leftovers of a killed build and of the previous layout', async () => {
    const leftovers = join(site.siteDir, 'builds', 'b000900', 'made');
    await mkdir(leftovers, { recursive: true });
    await writeFile(join(leftovers, 'short.html'), 'half a pa');
    for (const name of ['current.1.tmp', 'build-record.json', 'packs/b000901-0-0.pack.tmp', 'packs/b000902-0-0.pack'])
      await writeFile(join(site.siteDir, name), 'x');
    site.put(long, { ...short, text: 'after the kill' });
    await site.generate();
    assert.equal(await currentOf(site), 'b000903');
    assert.match(await readBuilt(site, article('short')), /after the kill/);
    assert.ok(!(await readdir(join(site.siteDir, 'builds'))).includes('b000900'));
    assert.deepEqual(
      (await readdir(join(site.siteDir, 'packs'))).filter((name) => /90[012]/.test(name)),
      [],
    );
    assert.deepEqual((await readdir(site.siteDir)).sort(), ['builds', 'current', 'lock', 'packs']);
  });

  it('limits the number of pack files over many small builds and preserves every page', async () => {
    const pages = Array.from({ length: 8 }, (_, at) => ({ slug: `many-${at}`, text: longText(`first ${at}`) }));
    site.put(...pages);
    await site.generate();
    for (let round = 0; round < 30; round += 1) {
      const at = round % 4;
      pages[at] = { slug: `many-${at}`, text: longText(`round ${round}`) };
      site.put(...pages);
      assert.equal((await site.generate()).rendered, 1);
    }
    for (const { slug, text } of pages) assert.ok((await readBuilt(site, article(slug))).includes(text), slug);
    assert.ok((await readdir(join(site.siteDir, 'packs'))).length < 30);
    const steps = await treeOf(site);
    await site.generate({ full: true });
    assert.deepEqual(await treeOf(site), steps);
  }).timeout(180_000);
});
