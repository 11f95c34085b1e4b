/** Tests the pages that list products and brands, on the starter catalogue of real labels from 2026. */
import { strict as assert } from 'node:assert';
import { sql } from '../../support/database.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';
import { twinOf } from '../../support/twin.ts';
import { contextOf, dataOf, getPage, instancesOf, pageOf, textOf } from './pages-support.ts';

const links = (html: string, start: string): string[] =>
  [...html.matchAll(/href="([^"]+)"/g)]
    .map(([, href = '']) => href.replaceAll('&amp;', '&'))
    .filter((href) => href.startsWith(start));

describe('list pages of products and brands', () => {
  let service: SharedService;
  const get = (path: string) => getPage(service, path);
  before(async function () {
    this.timeout(180_000);
    service = await sharedService();
  });

  describe('/supplements/{slug}/products', () => {
    const path = '/supplements/magnesium/products';

    it('counts labels, states how many labels a distribution includes, and charts it with a data table', async () => {
      const { html, status } = await get(path);
      assert.equal(status, 200);
      const [row] = await sql(
        service,
        `select count(*)::int as n from product where supplements @> '["magnesium"]' and removed_at is null`,
      );
      assert.match(textOf(html), new RegExp(`${row?.n} labels of \\d+ brands name magnesium`));
      const market = await (await fetch(`${service.url}/api/market/magnesium`)).json();
      const doses = (market as { dose_distribution: Readonly<Record<string, number>> }).dose_distribution;
      const rows = new Map(twinOf(html, 'dose-chart').map(([name = '', amount = '']) => [name, amount]));
      assert.equal(rows.get('Middle label'), `${doses.p50} mg`);
      assert.equal(rows.get('Middle half of labels'), `${doses.p25} to ${doses.p75} mg`);
      const rest = `Middle 80% of labels (${doses.labels} labels, ${doses.from_name} of them read from the product’s name only)`;
      assert.equal(rows.get(rest), `${doses.p10} to ${doses.p90} mg`);
      assert.match(
        html,
        /<title id="dose-chart-t">Magnesium: doses on one axis<\/title><desc id="dose-chart-d">Axis from 0 to/,
      );
      assert.doesNotMatch(html, /name="robots"/);
    });

    it('preserves the other filters in every link, and is noindex when filtered', async () => {
      const { html, headers } = await get(`${path}?form=Capsule&brand=now`);
      assert.equal(headers.get('x-robots-tag'), 'noindex');
      const filters = links(html, `${path}?`).map((href) => new URL(href, 'http://a').searchParams);
      assert.ok(filters.some((given) => given.get('form') === 'Softgel Capsule' && given.get('brand') === 'now'));
      assert.ok(filters.some((given) => given.get('form') === 'Capsule' && given.get('brand') === 'bluebonnet'));
      assert.ok(filters.some((given) => given.get('form') === null && given.get('brand') === 'now'));
      assert.ok(filters.some((given) => given.get('form') === 'Capsule' && given.get('brand') === null));
    });

    it('paginates with the filter, and past the end shows an empty page that links to the first', async () => {
      const { html } = await get(`${path}?page=2`);
      assert.match(html, new RegExp(`<a href="${path}" rel="prev">`));
      const last = await get(`${path}?form=Capsule&page=999`);
      assert.equal(last.status, 200);
      assert.match(last.html, /There is no such page of the list/);
      assert.match(last.html, new RegExp(`<a href="${path}\\?form=Capsule">Go to the first`));
    });

    it('says that no product matches a filter, not that none is sold', async () => {
      const { status, html } = await get(`${path}?brand=nobody-here`);
      assert.equal(status, 200);
      assert.match(textOf(html), /No product fits this filter That says only that no such label is in the base/);
    });

    it('redirects a synonym, and suggests near names for an unknown slug', async () => {
      const moved = await get('/supplements/withania-somnifera/products');
      assert.deepEqual([moved.status, moved.location], [301, '/supplements/ashwagandha/products']);
      const lost = await get('/supplements/magnesum/products');
      assert.equal(lost.status, 404);
      assert.match(lost.html, /href="\/supplements\/magnesium\/products"/);
      assert.equal((await get(`${path}?page=0`)).status, 422);
    });

    it('lists an instance for every supplement in a product, and each instance loads', async () => {
      const listed = (await instancesOf(service, 'products.supplement')).map(({ params }) => params.slug);
      const rows = await sql(
        service,
        `select distinct jsonb_array_elements_text(supplements) as slug from product where removed_at is null`,
      );
      assert.deepEqual(listed, rows.map(({ slug }) => slug as string).sort());
      const page = pageOf('products.supplement');
      const query = { form: '', brand: '', page: 1 };
      for (const slug of listed) {
        const answer = await page.load(contextOf(service), { params: { slug }, query } as never);
        assert.ok('view' in answer, slug);
        assert.ok(
          service.runtime.pages.render(page, `/supplements/${slug}/products`, answer.head, answer.view).length > 1000,
        );
      }
    });
  });

  describe('/brands', () => {
    it('counts brands per letter, and the counts add up to all brands', async () => {
      const { html } = await get('/brands');
      const counts = [...html.matchAll(/<a href="\/brands\?letter=[^"]+">[^<]+<span class="figure">(\d+)/g)].map(
        ([, n]) => Number(n),
      );
      const [all] = await sql(
        service,
        "select count(distinct brand_slug)::int as n from product where removed_at is null and brand_slug <> ''",
      );
      assert.equal(
        counts.reduce((sum, n) => sum + n, 0),
        all?.n,
      );
    });

    it('shows one letter or 0-9, and rejects other values', async () => {
      const { html } = await get('/brands?letter=N');
      const shown = links(html, '/brands/');
      assert.ok(shown.length > 10);
      for (const href of shown) assert.match(href, /^\/brands\/n/);
      assert.match((await get('/brands?letter=0-9')).html, /href="\/brands\/\d/);
      for (const wrong of ['nn', '1', '%C3%A9']) assert.equal((await get(`/brands?letter=${wrong}`)).status, 422);
    });

    it('shows an empty page past the end that links to the first page of the letter', async () => {
      const { status, html } = await get('/brands?letter=n&page=99');
      assert.equal(status, 200);
      assert.match(html, /<a href="\/brands\?letter=n">Go to the first/);
    });
  });

  describe('/brands/{brand_slug}', () => {
    it('counts products on the market, off it and unknown, as in the table, and ranks nothing', async () => {
      const { html } = await get('/brands/now');
      const [row] = await sql(
        service,
        `select count(*)::int as n, count(*) filter (where on_market)::int as sold, count(*) filter (where on_market = false)::int as off
         from product where brand_slug = 'now' and removed_at is null`,
      );
      const text = textOf(html);
      assert.match(text, new RegExp(`${row?.n} labels of this brand are on file`));
      assert.match(text, new RegExp(`On the market ${row?.sold} Off the market ${row?.off} Unknown 0`));
      assert.match(text, /No brand is scored, and none can pay for its place/);
      assert.equal(dataOf(html)[0]['@type'], 'Brand');
    });

    it('counts only labels whose whole panel is in the data as complete', async () => {
      const [row] = await sql(
        service,
        `select brand_slug as slug, count(*)::int as n, count(*) filter (where ingredients_extent = 'label')::int as panels
         from product where removed_at is null group by 1 having count(*) filter (where ingredients_extent = 'label') > 1 order by 3 desc limit 1`,
      );
      assert.match(
        textOf((await get(`/brands/${row?.slug}`)).html),
        new RegExp(`Labels whose whole facts panel is in our data ${row?.panels} of ${row?.n}`),
      );
    });

    it('filters by a supplement synonym, and preserves the filter in the link from past the end', async () => {
      const [row] = await sql(
        service,
        `select brand_slug as slug, count(*)::int as n from product where supplements @> '["curcumin"]' and removed_at is null
         group by 1 order by 2 desc, 1 limit 1`,
      );
      const { html, headers } = await get(`/brands/${row?.slug}?supplement=turmeric`);
      assert.match(textOf(html), new RegExp(`${row?.n} products? with Curcumin`));
      assert.equal(headers.get('x-robots-tag'), 'noindex');
      const past = await get(`/brands/${row?.slug}?supplement=turmeric&page=50`);
      assert.ok(links(past.html, '/brands/').includes(`/brands/${row?.slug}?supplement=curcumin`));
    });

    it('returns 404 with near names for an unknown brand', async () => {
      const { status, html } = await get('/brands/nature-nothing-of-the-kind');
      assert.equal(status, 404);
      assert.match(html, /href="\/brands\/nature/);
    });

    it('lists an instance for every brand, and each instance loads and renders in batches', async function () {
      this.timeout(180_000);
      const page = pageOf('products.brand');
      const listed = await instancesOf(service, 'products.brand');
      const [all] = await sql(
        service,
        "select count(distinct brand_slug)::int as n from product where removed_at is null and brand_slug <> ''",
      );
      assert.equal(listed.length, all?.n);
      for (let from = 0; from < listed.length; from += 200) {
        const batch = listed.slice(from, from + 200);
        const answers = (await page.loadMany?.(contextOf(service), batch.map(({ params }) => params) as never)) ?? [];
        for (const [at, answer] of answers.entries()) {
          const slug = batch[at]?.params.brand_slug;
          assert.ok('view' in answer, slug);
          service.runtime.pages.render(page, `/brands/${slug}`, answer.head, answer.view);
        }
      }
    });
  });

  describe('/products', () => {
    it('finds products by words, states a spelling correction, and is noindex for searches', async () => {
      const { html, headers } = await get('/products?q=magnezium');
      assert.equal(headers.get('x-robots-tag'), 'noindex');
      assert.match(textOf(html), /“magnesium” was looked for instead/);
      assert.ok(links(html, '/product/').length > 10);
      assert.equal((await get('/products')).headers.get('x-robots-tag'), null);
    });

    it('redirects a bar code to its product', async () => {
      const [row] = await sql(
        service,
        "select dsld_id, upc from product p where upc <> '' and (select count(*) from product q where q.upc = p.upc) = 1 limit 1",
      );
      const { status, location } = await get(`/products?q=${String(row?.upc).slice(1)}`);
      assert.deepEqual([status, location], [303, `/product/${row?.dsld_id}`]);
    });

    it('preserves the words and filters in its links', async () => {
      const { html } = await get('/products?q=citrate&supplement=magnesium&form=tablet');
      assert.ok(links(html, '/products?').includes('/products?q=citrate&form=tablet'));
      assert.ok(links(html, '/products?').includes('/products?q=citrate&supplement=magnesium'));
    });

    it('does not imply safety when no product is found', async () => {
      const { html } = await get('/products?q=zzqqxxzz');
      assert.match(textOf(html), /it does not mean that the product is safe, or that it is not sold/);
      assert.match(
        textOf((await get('/products?supplement=xyzzyplugh')).html),
        /No supplement here has the name “xyzzyplugh”/,
      );
    });
  });
});
