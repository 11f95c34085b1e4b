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

describe('a kind of page that can tell what changed', () => {
  const site = useSite();
  const [zinc, iron, iodine] = ['zinc', 'iron', 'iodine'].map(
    (slug): MadePage => ({ slug, text: slug, changedAt: DAY }),
  ) as [MadePage, MadePage, MadePage];
  let asked: (string | null)[];
  let listed: number;

  /** The state and the pages that are told to be other than before. */
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

  it('is asked for what changed since the build before, and not for all it has', async () => {
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

  it('makes in steps what a full build makes, to the byte and in the same order', async () => {
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

  it('makes nothing of a page that is told to have changed and is of the version that is published', async () => {
    tell('state 2', [iron]);
    assert.deepEqual(counts(await site.generate()), [4, 0, 0, 4, 0]);
  });

  it('is asked for all of them when one is new, and finds what is gone', async () => {
    const selenium = { slug: 'selenium', text: 'selenium' };
    site.put(zinc, selenium);
    tell('state 2', [selenium]);
    assert.deepEqual(counts(await site.generate()), [3, 1, 0, 2, 2]);
    assert.deepEqual([asked, listed], [['state 1'], 1]);
    await assert.rejects(readBuilt(site, article('iron')), /is not published/);
  });

  it('is asked for all of them when it cannot tell, and in a full build', async () => {
    tell('state 2', null);
    assert.deepEqual(counts(await site.generate()), [4, 0, 0, 4, 0]);
    await site.generate({ full: true });
    assert.deepEqual([asked, listed], [['state 1', null], 2]);
  });

  it('is asked for all of them when its template is another', async () => {
    await site.restart({ template: 'doctype html\nhtml\n  body\n    p= text\n' });
    [asked, listed] = [[], 0];
    assert.deepEqual(counts(await site.generate()), [4, 4, 0, 0, 0]);
    assert.deepEqual([asked, listed], [[null], 1]);
    await site.restart({});
  });

  it('is asked from where it was after a build of one page', async () => {
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

describe('the list of products, when some of them changed', () => {
  const site = useSite('products');
  const product = (slug: string, changedAt: string | null = DAY, text = slug): MadePage => ({ slug, text, changedAt });
  const LATER = '2026-02-03T04:05:06.000Z';

  /** Each build is told what changed since the one before; then all is made at once. */
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

  it('has their new dates and is otherwise as it was, after one build and after several', async () => {
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

  it('loses a date that is known no more, and has one that became known', async () => {
    const dates = await inStepsAndAtOnce(
      [product('iron', null, 'more')],
      [product('iron', LATER, 'again'), product('iodine', LATER)],
    );
    assert.deepEqual(dates.slice(1, 3), [
      ['iron', LATER],
      ['iodine', LATER],
    ]);
  });

  it('stays as it was when a page changed and its date did not', async () => {
    const dates = await inStepsAndAtOnce([product('iron', DAY, 'more')]);
    assert.deepEqual(new Set(dates.map(([, date]) => date)), new Set([DAY]));
  });
});
