import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import supertest from 'supertest';
import { type Serving, serve } from '#core/serve.ts';
import { currentOf, treeOf, useSite } from '../generate/support.ts';
import { startScript } from '../support/program.ts';
import { discard, newPlace, startService, type TestService } from '../support/service.ts';
import { pagesOf } from './made-versions.ts';
import { killAfter, killProgram, moments, type Place, passLeases, runOn } from './support.ts';

/** The paths of a sitemap, or of the index. */
const pathsIn = (xml: string): string[] =>
  [...xml.matchAll(/<loc>http:\/\/evidence\.test(.*?)<\/loc>/g)].map(([, path = '']) => path);

/** Every page that the published sitemaps name is served and whole; answers how many there are. */
const isWholeSite = async (url: string, siteDir: string): Promise<number> => {
  let pages = 0;
  for (const sitemap of pathsIn((await supertest(url).get('/sitemap.xml').expect(200)).text)) {
    const { text: list } = await supertest(url).get(sitemap).expect(200);
    for (const path of pathsIn(list)) {
      const { text } = await supertest(url).get(path).expect(200);
      assert.match(text, /^<!DOCTYPE html>[\s\S]*<\/html>\s*$/i, path);
      pages += 1;
    }
  }
  const folder = join(siteDir, 'current');
  for (const entry of await readdir(folder, { recursive: true })) {
    const twin = /^(.*)\.(gz|br)$/.exec(entry);
    if (!twin) continue;
    const packed = await readFile(join(folder, entry));
    const plain = twin[2] === 'gz' ? gunzipSync(packed) : brotliDecompressSync(packed);
    assert.deepEqual(plain, await readFile(join(folder, twin[1] ?? '')), entry);
  }
  return pages;
};

describe('the generating of pages that is killed', function () {
  this.timeout(0);
  const site = useSite();
  let serving: Serving;
  const loaded: string[] = [];

  before(async () => {
    site.put(...pagesOf(0));
    await site.generate();
    serving = await serve(site.runtime);
    site.material.onLoad = (slug) => void loaded.push(slug);
  });
  after(() => serving.close());

  const start = (version: number) =>
    startScript(
      join(import.meta.dirname, 'generate-made-site.ts'),
      [String(version), site.template, site.contentDir],
      site.environment,
    );

  it('leaves the old site or the new one, never a half, and the next run makes the new one', async () => {
    const startedAt = performance.now();
    assert.deepEqual((await start(0).finished).stderr, '');
    await site.runtime.db.write(passLeases);
    // What a run with something to do takes longer than one without.
    const runMs = (performance.now() - startedAt) * 1.5;
    let killed = 0;
    for (const [at, moment] of moments(runMs).entries()) {
      const version = at + 1;
      const [before, old] = [await currentOf(site), await treeOf(join(site.siteDir, 'current'))];
      if (await killAfter(start(version), moment)) killed += 1;
      if ((await currentOf(site)) === before) assert.deepEqual(await treeOf(join(site.siteDir, 'current')), old);
      assert.equal(await isWholeSite(serving.url, site.siteDir), pagesOf(0).length, `killed after ${moment} ms`);
      await site.runtime.db.write(passLeases);
      const { status, stderr } = await start(version).finished;
      assert.deepEqual([status, stderr], [0, ''], `killed after ${moment} ms`);
      assert.equal(await isWholeSite(serving.url, site.siteDir), pagesOf(0).length);
      assert.deepEqual(loaded, [], 'every page came from its file');
      const made = await treeOf(join(site.siteDir, 'current'));
      site.put(...pagesOf(version));
      await site.generate(true);
      assert.deepEqual(made, await treeOf(join(site.siteDir, 'current')), 'as a full build without kills makes it');
      loaded.length = 0;
    }
    assert.ok(killed > 0, 'at least one run was still at work');
    assert.deepEqual((await readdir(site.siteDir)).sort(), ['build-record.json', 'builds', 'current']);
    assert.equal((await readdir(join(site.siteDir, 'builds'))).length, 2);
  });
});

describe('the generating of the real pages that is killed', function () {
  this.timeout(0);
  let place: Place | null = null;
  let service: TestService;
  before(async function () {
    // The real pages take minutes: by hand, with KILLS set.
    if (!process.env.KILLS) return this.skip();
    place = await newPlace();
    service = await startService({}, place);
  });
  after(async () => {
    await service?.stop();
    if (place) await discard(place);
  });

  it('leaves a whole site, and the next run completes', async () => {
    const startedAt = performance.now();
    assert.equal((await runOn(place!, 'generate')).status, 0);
    const runMs = performance.now() - startedAt;
    const siteDir = join(place!.dataDir, 'site');
    const first = await treeOf(join(siteDir, 'current'));
    const pages = await isWholeSite(service.url, siteDir);
    assert.ok(pages > 100);
    for (const moment of moments(runMs)) {
      await killProgram(['generate', '--full'], place!, moment);
      assert.equal(await isWholeSite(service.url, siteDir), pages, `killed after ${moment} ms`);
      await service.runtime.db.write(passLeases);
      const { status, stderr } = await runOn(place!, 'generate', '--full');
      assert.deepEqual([status, stderr], [0, ''], `killed after ${moment} ms`);
      assert.deepEqual(await treeOf(join(siteDir, 'current')), first);
    }
  });
});
