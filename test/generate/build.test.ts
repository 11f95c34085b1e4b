import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { BuildReport } from '#generate/index.ts';
import { currentOf, inodeOf, longText, readBuilt, TEMPLATE, treeOf, useSite } from './support.ts';

const article = (slug: string): string => join('made', `${slug}.html`);
const counts = ({ seconds: _, published: __, ...rest }: BuildReport): Partial<BuildReport> => rest;
const none = { planned: 0, rendered: 0, same: 0, unchanged: 0, removed: 0, skipped: 0 };

describe('a build of the site', () => {
  const site = useSite();
  const long = { slug: 'long', text: longText('zinc') };
  const short = { slug: 'short', text: 'short' };
  const third = { slug: 'third', text: 'third' };

  beforeEach(async () => {
    site.material.onLoad = () => undefined;
    site.put(long, short);
    await site.generate();
  });

  it('renders every page that is listed and publishes them in one folder', async () => {
    const report = await site.generate(true);
    assert.deepEqual(counts(report), { ...none, planned: 3, rendered: 3 });
    assert.equal(report.published, true);
    assert.match(await currentOf(site), /^builds\/b\d{6}$/);
    const html = `<!DOCTYPE html><html><head><title>short</title></head><body><p>short</p><footer></footer></body></html>`;
    assert.equal(await readBuilt(site, article('short')), html);
    assert.match(await readBuilt(site, 'made.html'), /filter: none/);
  });

  it('writes compressed twins of pages that are worth it', async () => {
    const folder = join(site.siteDir, 'current', 'made');
    const plain = await readFile(join(folder, 'long.html'));
    assert.deepEqual(gunzipSync(await readFile(join(folder, 'long.html.gz'))), plain);
    assert.deepEqual(brotliDecompressSync(await readFile(join(folder, 'long.html.br'))), plain);
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith('short')),
      ['short.html'],
    );
  });

  it('loads and publishes nothing when nothing changed', async () => {
    const before = await currentOf(site);
    site.material.onLoad = (slug) => assert.fail(`loaded ${slug}`);
    const report = await site.generate();
    assert.deepEqual([counts(report), report.published], [{ ...none, planned: 3, unchanged: 3 }, false]);
    assert.equal(await currentOf(site), before);
  });

  it('renders what changed, links what did not and drops what is gone', async () => {
    site.put(long, short, third);
    await site.generate();
    const before = join(site.siteDir, await currentOf(site));
    const loaded: string[] = [];
    site.material.onLoad = (slug) => void loaded.push(slug);
    site.put(long, { ...short, text: 'changed' }, { slug: 'fourth', text: 'new' });
    const report = await site.generate();
    assert.deepEqual(counts(report), { ...none, planned: 4, rendered: 2, unchanged: 2, removed: 1 });
    assert.deepEqual(loaded.sort(), ['fourth', 'short']);
    const after = join(site.siteDir, await currentOf(site));
    assert.notEqual(after, before);
    for (const name of ['long.html', 'long.html.gz', 'long.html.br'])
      assert.equal(await inodeOf(join(after, 'made', name)), await inodeOf(join(before, 'made', name)), name);
    assert.match(await readBuilt(site, article('short')), /<p>changed</);
    assert.deepEqual(
      (await readdir(join(after, 'made'))).filter((name) => name.startsWith('third')),
      [],
    );
    assert.match(await readFile(join(before, article('short')), 'utf8'), /<p>short</, 'the build before is as it was');
  });

  it('keeps the file of a page whose data changed and whose text did not', async () => {
    const inode = await inodeOf(join(site.siteDir, 'current', article('long')));
    site.put({ ...long, version: 'other data, same text' }, short);
    const report = await site.generate();
    assert.deepEqual(counts(report), { ...none, planned: 3, rendered: 1, same: 1, unchanged: 2 });
    assert.equal(await inodeOf(join(site.siteDir, 'current', article('long'))), inode);
  });

  it('renders everything when the template, or what every page shows, changes', async () => {
    await site.restart({ template: TEMPLATE.replace('p= text', 'h1= text') });
    assert.equal((await site.generate()).rendered, 3);
    assert.match(await readBuilt(site, article('short')), /<h1>short</);
    await site.restart({ settings: { OPERATOR_NAME: 'Somebody' } });
    assert.equal((await site.generate()).rendered, 3);
    assert.match(await readBuilt(site, article('short')), /<footer>Somebody</);
    await site.restart({});
    assert.deepEqual((await site.generate()).unchanged, 0);
  });

  it('makes equal bytes of two full builds', async () => {
    site.put(
      ...Array.from({ length: 60 }, (_, at) => ({
        slug: `page-${at}`,
        text: longText(`word-${at}`),
        changedAt: '2026-01-02T03:04:05Z',
      })),
    );
    await site.generate(true);
    const first = join(site.siteDir, await currentOf(site));
    await site.generate(true);
    const second = join(site.siteDir, await currentOf(site));
    assert.notEqual(second, first);
    const [one, two] = [await treeOf(first), await treeOf(second)];
    assert.deepEqual(two, one);
    assert.ok(Object.keys(one).length > 180);
  });

  it('makes in steps what a full build makes', async () => {
    site.put(long, third);
    await site.generate();
    site.put({ ...long, text: longText('copper') }, short, { ...third, version: '2' });
    await site.generate();
    const inSteps = await treeOf(join(site.siteDir, await currentOf(site)));
    await site.generate(true);
    assert.deepEqual(await treeOf(join(site.siteDir, await currentOf(site))), inSteps);
  });

  it('shows the old site, whole, until the new one is whole', async () => {
    const [before, files] = [await currentOf(site), await treeOf(join(site.siteDir, 'current'))];
    const seen = new Set<string>();
    site.material.onLoad = async () => {
      seen.add(await currentOf(site));
      assert.deepEqual(await treeOf(join(site.siteDir, 'current')), files);
    };
    site.put(...Array.from({ length: 12 }, (_, at) => ({ slug: `new-${at}`, text: longText('new') })));
    await site.generate();
    assert.deepEqual([...seen], [before]);
    assert.equal(Object.keys(await treeOf(join(site.siteDir, 'current', 'made'))).length, 36);
  });

  it('leaves the site as it was when a page cannot be made, and names the page and the field', async () => {
    const [before, files] = [await currentOf(site), await treeOf(join(site.siteDir, 'current'))];
    site.put(long, { ...short, text: 'changed' }, { ...third, wrong: true });
    await assert.rejects(
      site.generate(),
      /The view of page made\.article is not what it declares: \/text must be string/,
    );
    assert.equal(await currentOf(site), before);
    assert.deepEqual(await treeOf(join(site.siteDir, 'current')), files);
    site.put(long, { ...short, text: 'changed' }, third);
    assert.equal((await site.generate()).rendered, 2);
  });

  it('leaves a page out that is gone when it is loaded, from the sitemap as well, and looks again the next time', async () => {
    site.put(long, short, { ...third, missing: true });
    const report = await site.generate();
    assert.deepEqual([report.planned, report.skipped], [4, 1]);
    assert.doesNotMatch(await readBuilt(site, 'sitemap-articles.xml'), /third/);
    await assert.rejects(readBuilt(site, article('third')), { code: 'ENOENT' });
    site.put(long, short, third);
    assert.equal((await site.generate()).rendered, 1);
    assert.match(await readBuilt(site, 'sitemap-articles.xml'), /\/made\/third</);
  });

  for (const [what, damage] of [
    ['is cut short', (text: string) => text.slice(0, text.length >> 1)],
    ['is empty', () => ''],
    ['is no record', () => '{"pages":5}'],
    ['is null', () => 'null'],
    ['is of another generator', (text: string) => text.replace(/"generate-\d+"/, '"generate-0"')],
    ['is of another build', (text: string) => text.replace(/"b\d+"/, '"b000001"')],
    ['names a folder outside', (text: string) => text.replace(/"b\d+"/, '"../../db"')],
  ] as const) {
    it(`builds everything anew when the record ${what}`, async () => {
      const path = join(site.siteDir, 'build-record.json');
      await writeFile(path, damage(await readFile(path, 'utf8')));
      const report = await site.generate();
      assert.deepEqual(counts(report), { ...none, planned: 3, rendered: 3 });
      assert.equal((await site.generate()).unchanged, 3, 'the record is good again');
    });
  }

  it('renders a page again whose published file is lost, when it builds', async () => {
    await rm(join(site.siteDir, 'current', article('short')));
    site.put(long, short, third);
    assert.equal((await site.generate()).rendered, 2);
    assert.match(await readBuilt(site, article('short')), /<p>short</);
  });

  it('passes over what a killed build left, and sweeps it', async () => {
    const leftovers = join(site.siteDir, 'builds', 'b000900', 'made');
    await mkdir(leftovers, { recursive: true });
    await writeFile(join(leftovers, 'short.html'), 'half a pa');
    for (const name of ['current.1.tmp', 'build-record.json.1.tmp']) await writeFile(join(site.siteDir, name), 'x');
    site.put(long, { ...short, text: 'after the kill' });
    await site.generate();
    assert.equal(await currentOf(site), 'builds/b000901');
    assert.match(await readBuilt(site, article('short')), /after the kill/);
    assert.ok(!(await readdir(join(site.siteDir, 'builds'))).includes('b000900'));
    assert.deepEqual((await readdir(site.siteDir)).sort(), ['build-record.json', 'builds', 'current']);
  });

  it('keeps the build that was published last for readers who still look at it, a full one too', async () => {
    const before = (await currentOf(site)).replace('builds/', '');
    await site.generate(true);
    const after = (await currentOf(site)).replace('builds/', '');
    assert.deepEqual((await readdir(join(site.siteDir, 'builds'))).sort(), [before, after].sort());
  });
});
