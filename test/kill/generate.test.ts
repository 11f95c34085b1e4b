import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import supertest from 'supertest';
import { createLog } from '#core/log.ts';
import { type Serving, serve } from '#core/serve.ts';
import { openCurrent } from '#core/site/builds.ts';
import { contentHash } from '#core/site/site-index.ts';
import { openSite } from '#core/site/site-reader.ts';
import { currentOf, treeOf, useSite } from '../generate/support.ts';
import { startScript } from '../support/program.ts';
import { discard, newPlace, startService, type TestService } from '../support/service.ts';
import { pagesOf } from './made-versions.ts';
import { KILLS, killAfter, killProgram, moments, type Place, passLeases, runOn } from './support.ts';

/** Returns the paths in a sitemap or in the sitemap index. */
const pathsIn = (xml: string): string[] =>
  [...xml.matchAll(/<loc>http:\/\/evidence\.test(.*?)<\/loc>/g)].map(([, path = '']) => path);

/** Asserts that every stored variant of every published page matches its ETag and its other variants. */
const isWholeOnDisk = async (siteDir: string): Promise<void> => {
  const [site, current] = [await openSite(siteDir), await openCurrent(siteDir, createLog('silent'))];
  assert.ok(current);
  for (let number = 0; number < current.index.count; number += 1) {
    const entry = site.find(current.index.path(number));
    assert.ok(entry);
    const plain = await site.read(entry, 'identity');
    assert.equal(contentHash(plain), entry.etag, entry.path);
    if (entry.bytes.br) assert.deepEqual(brotliDecompressSync(await site.read(entry, 'br')), plain, entry.path);
  }
  await site.close();
};

/** Asserts that every page in the published sitemaps is served completely; returns the number of pages. */
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
  await isWholeOnDisk(siteDir);
  return pages;
};

describe('killed page generation', function () {
  this.timeout(0);
  const site = useSite();
  let serving: Serving;
  const loaded: string[] = [];
  let version = 0;

  before(async () => {
    site.put(...pagesOf(0));
    await site.generate();
    serving = await serve(site.runtime);
    site.material.onLoad = (slug) => void loaded.push(slug);
  });
  after(() => serving.close());

  const start = (wanted: number, ...rest: string[]) =>
    startScript(
      join(import.meta.dirname, 'generate-made-site.ts'),
      [String(wanted), site.template, site.contentDir, ...rest],
      site.environment,
    );
  /** Asserts that the site is complete after a kill, and that the next run gives the same result as a run without kills. */
  const isMended = async (what: string, { build, tree }: { build: string; tree: object }): Promise<void> => {
    if ((await currentOf(site)) === build) assert.deepEqual(await treeOf(site), tree, what);
    assert.equal(await isWholeSite(serving.url, site.siteDir), pagesOf(0).length, what);
    await site.runtime.db.write(passLeases);
    const { status, stderr } = await start(version).finished;
    assert.deepEqual([status, stderr], [0, ''], what);
    await isWholeOnDisk(site.siteDir);
    assert.deepEqual(loaded, [], 'every page came from its file');
    const made = await treeOf(site);
    site.put(...pagesOf(version));
    await site.generate({ full: true });
    assert.deepEqual(made, await treeOf(site), 'as a full build without kills makes it');
    loaded.length = 0;
  };

  it('leaves the complete old or new site, and the next run publishes the new one', async () => {
    const startedAt = performance.now();
    assert.deepEqual((await start(0).finished).stderr, '');
    await site.runtime.db.write(passLeases);
    // The factor accounts for runs with work taking longer than the measured run without work.
    const runMs = (performance.now() - startedAt) * 1.5;
    let killed = 0;
    for (const moment of moments(runMs)) {
      version += 1;
      const before = { build: await currentOf(site), tree: await treeOf(site) };
      if (await killAfter(start(version), moment)) killed += 1;
      await isMended(`killed after ${moment} ms`, before);
    }
    assert.ok(killed > 0, 'at least one run was still at work');
    assert.deepEqual((await readdir(site.siteDir)).sort(), ['builds', 'current', 'lock', 'packs']);
    assert.deepEqual(
      (await readdir(join(site.siteDir, 'packs'))).filter((name) => !/^b\d+-\d+-\d+\.pack$/.test(name)),
      [],
    );
  });

  it('recovers from a kill at any file operation', async () => {
    version += 1;
    const [, last = '0'] = /steps: (\d+)/.exec((await start(version).finished).stdout) ?? [];
    assert.ok(Number(last) > 8);
    // KILLS limits the number of tested steps.
    for (const moment of moments(Number(last), Math.min(KILLS, Number(last)))) {
      version += 1;
      const before = { build: await currentOf(site), tree: await treeOf(site) };
      const { signal } = await start(version, String(moment + 1)).finished;
      assert.equal(signal, 'SIGKILL');
      await isMended(`killed before step ${moment + 1} of ${last}`, before);
    }
  });
});

describe('killed generation of the real pages', function () {
  this.timeout(0);
  let place: Place | null = null;
  let service: TestService;
  before(async function () {
    // The real pages take minutes, so this suite runs only by hand, with KILLS set.
    if (!process.env.KILLS) return this.skip();
    place = await newPlace();
    service = await startService({}, place);
  });
  after(async () => {
    await service?.stop();
    if (place) await discard(place);
  });

  it('leaves a complete site, and the next run completes', async () => {
    const startedAt = performance.now();
    assert.equal((await runOn(place!, 'generate')).status, 0);
    const runMs = performance.now() - startedAt;
    const siteDir = join(place!.dataDir, 'site');
    const first = await treeOf({ siteDir });
    const pages = await isWholeSite(service.url, siteDir);
    assert.ok(pages > 100);
    for (const moment of moments(runMs)) {
      await killProgram(['generate', '--full'], place!, moment);
      assert.equal(await isWholeSite(service.url, siteDir), pages, `killed after ${moment} ms`);
      await service.runtime.db.write(passLeases);
      const { status, stderr } = await runOn(place!, 'generate', '--full');
      assert.deepEqual([status, stderr], [0, ''], `killed after ${moment} ms`);
      assert.deepEqual(await treeOf({ siteDir }), first);
    }
  });
});
