import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { until } from '../support/until.ts';
import { currentOf, placeOf, treeOf, useSite } from './support.ts';
import { PAGES } from './worker-plugins.ts';

describe('site build in worker threads', () => {
  const site = useSite();
  const workers = () => ({
    plugins: pathToFileURL(join(import.meta.dirname, 'worker-plugins.ts')).href,
    environment: site.environment,
    isEager: true,
  });

  before(() => {
    process.env.MADE_TEMPLATE = site.template;
    site.put(...PAGES);
  });
  after(() => {
    delete process.env.MADE_TEMPLATE;
    delete process.env.WRONG_PAGE;
  });

  /** Blocks the main thread's pages until a worker has started a pack file. */
  const workerBegan = async (): Promise<void> => {
    const has = async (): Promise<boolean> =>
      (await readdir(join(site.siteDir, 'packs')).catch(() => [])).some((name) => name.endsWith('-1-0.pack.tmp'));
    await until(has);
  };

  it('gives the same result as a single thread, with separate pack files per thread', async () => {
    site.material.onLoad = workerBegan;
    const report = await site.generate({ full: true, workers: workers() });
    assert.deepEqual([report.rendered, report.skipped], [PAGES.length + 1, 0]);
    const places = await Promise.all(PAGES.map(({ slug }) => placeOf(site, `/made/${slug}`)));
    const packs = new Set(places.map((entry) => entry?.place.pack.replace(/^b\d+/, '')));
    assert.deepEqual([...packs].sort(), ['-0-0.pack', '-1-0.pack']);
    const made = await treeOf(site);
    site.material.onLoad = () => undefined;
    await site.generate({ full: true });
    assert.deepEqual(await treeOf(site), made);
  }).timeout(180_000);

  it('fails with the error of a page that a worker cannot render, and leaves the site unchanged', async () => {
    process.env.WRONG_PAGE = '59';
    const before = await currentOf(site);
    // This blocks the main thread's pages, so that the error comes from a worker.
    site.material.onLoad = () => new Promise(() => undefined);
    await assert.rejects(
      site.generate({ full: true, workers: workers() }),
      /The view of page made\.article is not what it declares: \/text must be string/,
    );
    assert.equal(await currentOf(site), before);
    site.material.onLoad = () => undefined;
    await site.generate({ full: true });
    assert.deepEqual(
      (await readdir(join(site.siteDir, 'packs'))).filter((name) => name.endsWith('.tmp')),
      [],
    );
  }).timeout(180_000);

  it('continues without workers that fail to start', async () => {
    site.material.onLoad = () => undefined;
    const report = await site.generate({ full: true, workers: { plugins: 'file:///nowhere.ts', isEager: true } });
    assert.equal(report.rendered, PAGES.length + 1);
  });
});
