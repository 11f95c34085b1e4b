import assert from 'node:assert/strict';
import { listBuilds } from '#core/site/builds.ts';
import type { BuildReport } from '#generate/build.ts';
import { instanceOf, type MadePage, placeOf, readBuilt, treeOf, useSite } from './support.ts';

const counts = ({ planned, rendered, same, unchanged, removed }: BuildReport): readonly number[] => [
  planned,
  rendered,
  same,
  unchanged,
  removed,
];
const article = (slug: string): string => `/made/${slug}`;
const DAY = '2026-01-02T03:04:05.000Z';

describe('a page kind that reports changes', () => {
  const site = useSite();
  const [zinc, iron, iodine] = ['zinc', 'iron', 'iodine'].map(
    (slug): MadePage => ({ slug, text: slug, changedAt: DAY }),
  ) as [MadePage, MadePage, MadePage];
  let asked: (string | null)[];
  let listed: number;

  /** Makes the page kind report this state and these changed pages. */
  const tell = (state: string, changed: readonly MadePage[] | null): void => {
    site.material.tell = (since) => {
      asked.push(since);
      return { state, changed: changed?.map(instanceOf) ?? null };
    };
  };

  beforeEach(async () => {
    [asked, listed] = [[], 0];
    site.material.onList = () => {
      listed += 1;
    };
    site.put(zinc, iron, iodine);
    tell('state 1', null);
    await site.generate({ full: true });
    [asked, listed] = [[], 0];
  });

  it('is queried only for changes since the previous build, not for its full list', async () => {
    const kept = await placeOf(site, article('iodine'));
    site.put(zinc, { ...iron, text: 'more iron' }, iodine);
    tell('state 2', [{ ...iron, text: 'more iron' }]);
    assert.deepEqual(counts(await site.generate()), [4, 1, 0, 3, 0]);
    assert.deepEqual([asked, listed], [['state 1'], 0]);
    assert.match(await readBuilt(site, article('iron')), /<p>more iron</);
    assert.deepEqual(await placeOf(site, article('iodine')), kept);
    tell('state 3', []);
    assert.deepEqual(counts(await site.generate()), [4, 0, 0, 4, 0]);
    assert.deepEqual([asked, listed], [['state 1', 'state 2'], 0]);
  });

  it('gives the same bytes in the same order in an incremental as in a full build', async () => {
    const changed = { ...iron, text: 'more iron', changedAt: '2026-02-03T04:05:06.000Z' };
    site.put(zinc, changed, iodine);
    tell('state 2', [changed]);
    await site.generate();
    const inSteps = await treeOf(site);
    assert.match(await readBuilt(site, '/sitemap-articles.xml'), /iron<\/loc><lastmod>2026-02-03T04:05:06\.000Z</);
    await site.generate({ full: true });
    const whole = await treeOf(site);
    assert.deepEqual(Object.entries(inSteps), Object.entries(whole));
  });

  it('is not rendered again for a reported page whose version is already published', async () => {
    tell('state 2', [iron]);
    assert.deepEqual(counts(await site.generate()), [4, 0, 0, 4, 0]);
  });

  it('is listed in full if a reported page is new, which also detects removed pages', async () => {
    const selenium = { slug: 'selenium', text: 'selenium' };
    site.put(zinc, selenium);
    tell('state 2', [selenium]);
    assert.deepEqual(counts(await site.generate()), [3, 1, 0, 2, 2]);
    assert.deepEqual([asked, listed], [['state 1'], 1]);
    await assert.rejects(readBuilt(site, article('iron')), /is not published/);
  });

  it('is listed in full if it cannot report changes, and in a full build', async () => {
    tell('state 2', null);
    assert.deepEqual(counts(await site.generate()), [4, 0, 0, 4, 0]);
    await site.generate({ full: true });
    assert.deepEqual([asked, listed], [['state 1', null], 2]);
  });

  it('is listed in full if its template changed', async () => {
    await site.restart({ template: 'doctype html\nhtml\n  body\n    p= text\n' });
    [asked, listed] = [[], 0];
    assert.deepEqual(counts(await site.generate()), [4, 4, 0, 0, 0]);
    assert.deepEqual([asked, listed], [[null], 1]);
    await site.restart({});
  });

  it('is queried from its previous state after a build of a single page', async () => {
    site.put(zinc, { ...iron, text: 'more iron' }, { ...iodine, text: 'more iodine' });
    await site.generate({ only: article('iron') });
    assert.match(await readBuilt(site, article('iron')), /<p>more iron</);
    assert.match(await readBuilt(site, article('iodine')), /<p>iodine</);
    [asked, listed] = [[], 0];
    tell('state 2', [
      { ...iron, text: 'more iron' },
      { ...iodine, text: 'more iodine' },
    ]);
    assert.deepEqual(counts(await site.generate()), [4, 1, 0, 3, 0]);
    assert.deepEqual([asked, listed], [['state 1'], 0]);
  });
});

describe('product sitemap after changes', () => {
  const site = useSite('products');
  const product = (slug: string, changedAt: string | null = DAY, text = slug): MadePage => ({ slug, text, changedAt });
  const LATER = '2026-02-03T04:05:06.000Z';

  /** Runs an incremental build for each step, and compares the result with a full build. */
  const inStepsAndAtOnce = async (...steps: readonly (readonly MadePage[])[]) => {
    let pages = ['zinc', 'iron', 'iodine', 'zinc-2'].map((slug) => product(slug));
    site.put(...pages);
    site.material.tell = () => ({ state: 'state 0', changed: null });
    await site.generate({ full: true });
    for (const [at, changed] of steps.entries()) {
      pages = pages.map((page) => changed.find(({ slug }) => slug === page.slug) ?? page);
      site.put(...pages);
      site.material.tell = () => ({ state: `state ${at + 1}`, changed: changed.map(instanceOf) });
      await site.generate();
    }
    const inSteps = [await treeOf(site), (await listBuilds(site.siteDir))[0]?.bytes];
    const list = await readBuilt(site, '/sitemap-products-1.xml');
    await site.generate({ full: true });
    assert.deepEqual(inSteps, [await treeOf(site), (await listBuilds(site.siteDir))[0]?.bytes]);
    return [...list.matchAll(/made\/(.*?)<\/loc>(?:<lastmod>(.*?)<\/lastmod>)?/g)].map(([, slug, date]) => [
      slug,
      date,
    ]);
  };

  it('has the new dates of the changed products and keeps all others over several builds', async () => {
    const dates = await inStepsAndAtOnce(
      [product('zinc-2', LATER, 'more')],
      [product('iron', LATER, 'more'), product('zinc', LATER)],
    );
    assert.deepEqual(dates, [
      ['zinc', LATER],
      ['iron', LATER],
      ['iodine', DAY],
      ['zinc-2', LATER],
    ]);
  });

  it('adds a date that becomes known again after it was removed', async () => {
    const dates = await inStepsAndAtOnce(
      [product('iron', null, 'more')],
      [product('iron', LATER, 'again'), product('iodine', LATER)],
    );
    assert.deepEqual(dates.slice(1, 3), [
      ['iron', LATER],
      ['iodine', LATER],
    ]);
  });

  it('keeps its dates if a page changes but its date does not', async () => {
    const dates = await inStepsAndAtOnce([product('iron', DAY, 'more')]);
    assert.deepEqual(new Set(dates.map(([, date]) => date)), new Set([DAY]));
  });
});
