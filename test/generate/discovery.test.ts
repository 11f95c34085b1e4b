import assert from 'node:assert/strict';
import type { SitemapPart } from '#core/plugin.ts';
import { type DiscoveryFile, discoveryFiles, type Listed, writeDates } from '#generate/sitemap.ts';

const BASE = 'https://evidence.test';
const PARTS = ['static', 'supplements', 'conditions', 'interactions', 'articles', 'biomarkers'];

interface ListedPage {
  readonly url: string;
  readonly part: SitemapPart | null;
  readonly changedAt: number | null;
}

const planned = (part: SitemapPart | null, url: string, changedAt: string | null = null): ListedPage => ({
  url,
  part,
  changedAt: changedAt === null ? null : Date.parse(changedAt),
});

const partsOf = (plan: readonly ListedPage[]): ReadonlyMap<SitemapPart | null, Listed> =>
  new Map(
    [...Map.groupBy(plan, ({ part }) => part)].map(([part, pages]) => [
      part,
      {
        length: pages.length,
        url: (at) => pages[at]?.url ?? '',
        copyUrl: (at, into, from) => from + into.write(pages[at]?.url ?? '', from),
        changedAt: (at) => pages[at]?.changedAt ?? null,
      },
    ]),
  );

const written = async (plan: readonly ListedPage[], kept: readonly SitemapPart[] = []) => {
  const files: DiscoveryFile[] = [];
  for await (const file of discoveryFiles(partsOf(plan), {
    baseUrl: BASE,
    dated: null,
    stays: (_, part) => kept.includes(part),
  }))
    files.push(file);
  return files;
};

const filesOf = async (...plan: ListedPage[]): Promise<Map<string, string>> =>
  new Map((await written(plan)).map(({ path, text }) => [path.slice(1), `${text ?? 'as before'}`]));

/** Returns the address and date of every entry. */
const entriesIn = (xml = ''): (readonly [string, string | undefined])[] =>
  [...xml.matchAll(/<(?:url|sitemap)>(.*?)<\/(?:url|sitemap)>/gs)].map(([, entry = '']) => [
    /<loc>(.*?)<\/loc>/.exec(entry)?.[1] ?? '',
    /<lastmod>(.*?)<\/lastmod>/.exec(entry)?.[1],
  ]);

describe('sitemaps and robots.txt', () => {
  it('list each page in its part with its change date, and omit pages without a part', async () => {
    const files = await filesOf(
      planned('static', '/', '2026-01-02T03:04:05.000Z'),
      planned('supplements', '/supplements/zinc', '2026-03-04T05:06:07.000Z'),
      planned('supplements', '/evidence/zinc-sleep'),
      planned(null, '/search'),
    );
    assert.deepEqual(entriesIn(files.get('sitemap-static.xml')), [[`${BASE}/`, '2026-01-02T03:04:05.000Z']]);
    assert.deepEqual(entriesIn(files.get('sitemap-supplements.xml')), [
      [`${BASE}/supplements/zinc`, '2026-03-04T05:06:07.000Z'],
      [`${BASE}/evidence/zinc-sleep`, undefined],
    ]);
    assert.ok(![...files.values()].join('').includes('/search'));
  });

  it('exist for every part, even empty ones, while the index lists only non-empty ones', async () => {
    const files = await filesOf(
      planned('articles', '/articles/a', '2026-01-02T00:00:00.000Z'),
      planned('articles', '/articles/b', '2026-05-06T00:00:00.000Z'),
    );
    const names = PARTS.map((part) => `sitemap-${part}.xml`);
    assert.deepEqual([...files.keys()].sort(), [...names, 'robots.txt', 'sitemap.xml'].sort());
    assert.deepEqual(entriesIn(files.get('sitemap.xml')), [
      [`${BASE}/sitemap-articles.xml`, '2026-05-06T00:00:00.000Z'],
    ]);
    for (const name of names)
      assert.match(files.get(name) ?? '', /^<\?xml version="1.0" encoding="UTF-8"\?>\s*<urlset /);
    assert.deepEqual(entriesIn(files.get('sitemap-conditions.xml')), []);
  });

  it('are split at 50,000 addresses, with product sitemaps numbered from 1', async () => {
    const many = (part: SitemapPart): ListedPage[] =>
      Array.from({ length: 50_001 }, (_, at) => planned(part, `/${part}/${at}`));
    const files = await filesOf(...many('products'), ...many('articles'));
    const lengths = ['products-1', 'products-2', 'articles', 'articles-2'].map(
      (name) => files.get(`sitemap-${name}.xml`)?.match(/<url>/g)?.length,
    );
    assert.deepEqual(lengths, [50_000, 1, 50_000, 1]);
    const named = entriesIn(files.get('sitemap.xml')).map(([address]) => address);
    assert.deepEqual(
      named,
      ['articles', 'articles-2', 'products-1', 'products-2'].map((name) => `${BASE}/sitemap-${name}.xml`),
    );
  });

  it('are identical for the same plan', async () => {
    const plan = [planned('static', '/', '2026-01-02T03:04:05.000Z'), planned('products', '/product/1')];
    assert.deepEqual(await written(plan), await written(plan));
  });

  it('are not rewritten if unchanged, and keep their index entry', async () => {
    const plan = [planned('static', '/', '2026-01-02T03:04:05.000Z'), planned('products', '/product/1')];
    const all = await written(plan);
    const some = await written(plan, ['products', 'conditions']);
    assert.deepEqual(
      some,
      all.map(({ path, text }) => ({ path, text: /products|conditions/.test(path) ? null : text })),
    );
  });

  it('accept new dates across several files, and fail for a page that is missing, undated or out of order', async () => {
    const page = (slug: string, day: string | null) => planned('products', `/product/${slug}`, day);
    const [old, now] = ['2026-01-02T03:04:05.000Z', '2026-03-04T05:06:07.000Z'];
    const fileOf = async (...plan: ListedPage[]) => ({
      file: Buffer.from((await filesOf(...plan)).get('sitemap-products-1.xml') ?? ''),
    });
    const files = [
      await fileOf(page('1', old), page('12', old)),
      await fileOf(page('2', old), page('3', null), page('4', old)),
    ];
    const dated = (...slugs: string[]) =>
      slugs.map((slug) => ({ url: `/product/${slug}`, changedAt: Date.parse(now) }));
    assert.equal(writeDates(files, dated('12', '2', '4'), BASE), true);
    assert.deepEqual(files, [
      await fileOf(page('1', old), page('12', now)),
      await fileOf(page('2', now), page('3', null), page('4', now)),
    ]);
    assert.equal(writeDates(files, dated('3'), BASE), false);
    assert.equal(writeDates(files, dated('1', '5'), BASE), false);
    assert.equal(writeDates(files, dated('2', '1'), BASE), false);
  });

  it('declare the sitemap index in robots.txt and disallow only the API', async () => {
    const files = await filesOf();
    assert.equal(files.get('robots.txt'), `User-agent: *\nDisallow: /api/\n\nSitemap: ${BASE}/sitemap.xml\n`);
    assert.deepEqual(entriesIn(files.get('sitemap.xml')), []);
  });
});
