/** Tests the product routes on the starter catalogue of real labels from 2026. */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { productsPlugin } from '#plugins/products/index.ts';
import { countProducts } from '#plugins/products/product-counts.ts';
import type { ProductServices } from '#plugins/products/services.ts';
import { api } from '../../support/client.ts';
import { sql } from '../../support/database.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

describe('GET /api/products', () => {
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });

  const get = async (path: string, status = 200) =>
    (await api(service).get(path).set('Authorization', `Bearer ${service.admin.key}`).expect(status)).body;

  it('finds a misspelt word, and reports the correction', async () => {
    const body = await get('/api/products?q=magnezium+citrate&page_size=5');
    assert.ok(body.total > 10);
    assert.equal(body.products.length, 5);
    for (const { name } of body.products) assert.match(name, /magnesium/i);
    assert.deepEqual(body.warnings, [
      { code: 'read_as', message: 'No product has the word “magnezium”; “magnesium” was looked for instead.' },
    ]);
  });

  it('counts the same totals in the database and in the index, so that static and live pages agree', async () => {
    const services = service.runtime.servicesOf(productsPlugin) as ProductServices;
    const counted = await service.runtime.db.read(countProducts);
    assert.ok(counted.total > counted.on_market && counted.on_market > 0 && counted.brands > 0);
    assert.deepEqual(counted, await services.stats());
  });

  it('filters by a supplement synonym, and returns the resolved supplement', async () => {
    const body = await get('/api/products?supplement=turmeric&page_size=200');
    assert.equal(body.resolved[0].slug, 'curcumin');
    assert.equal(body.resolved[0].input, 'turmeric');
    assert.ok(body.total > 0);
    for (const { supplements } of body.products) assert.ok(supplements.includes('curcumin'));
  });

  it('returns an empty list with a warning for an unknown supplement', async () => {
    const body = await get('/api/products?supplement=xyzzyplugh');
    assert.deepEqual([body.total, body.products, body.resolved], [0, [], []]);
    assert.equal(body.warnings[0].code, 'unknown_supplement');
  });

  it('omits products off the market by default, and includes those of unknown status', async () => {
    const [sold, all] = [await get('/api/products?page_size=1'), await get('/api/products?on_market=0&page_size=1')];
    const [off] = await sql(service, 'select count(*)::int as n from product where on_market = false');
    assert.equal(all.total - sold.total, off?.n);
    const states = (await get('/api/products?page_size=200')).products.map(
      ({ on_market }: { on_market: boolean | null }) => on_market,
    );
    assert.ok(!states.includes(false));
  });

  it('filters by brand name or slug, and by part of the form', async () => {
    const bySlug = await get('/api/products?brand=nature-made&form=softgel&page_size=200');
    const byName = await get('/api/products?brand=Nature%20Made&form=softgel&page_size=200');
    assert.ok(bySlug.total > 0);
    assert.deepEqual(
      byName.products.map(({ dsld_id }: { dsld_id: number }) => dsld_id),
      bySlug.products.map(({ dsld_id }: { dsld_id: number }) => dsld_id),
    );
    for (const product of bySlug.products) {
      assert.equal(product.brand_slug, 'nature-made');
      assert.match(product.form, /softgel/i);
    }
  });

  it('paginates without repeats, returns an empty page past the end, and caps the list with limit', async () => {
    const first = await get('/api/products?q=melatonin&page_size=20');
    const second = await get('/api/products?q=melatonin&page_size=20&page=2');
    const ids = [...first.products, ...second.products].map(({ dsld_id }: { dsld_id: number }) => dsld_id);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual((await get('/api/products?q=melatonin&page=4000')).products, []);
    const capped = await get('/api/products?q=melatonin&limit=3');
    assert.deepEqual([capped.total, capped.products.length], [3, 3]);
  });

  it('returns 422 for parameters out of range, and 404 for an unknown product', async () => {
    for (const query of [
      'page=0',
      'page_size=201',
      'limit=201',
      'on_market=2',
      'page=100000&page_size=200',
      'q=a%00b',
    ]) {
      const body = await get(`/api/products?${query}`, 422);
      assert.equal(body.code, 'validation_failed', query);
    }
    await get('/api/products/abc', 422);
    assert.equal((await get('/api/products/2147483647', 404)).detail, "Product '2147483647' not found");
  });

  it('shows a new label within moments, without a restart', async () => {
    await sql(
      service,
      `insert into product select (jsonb_populate_record(p, '{"dsld_id": 2000000001, "name": "Zzyzx Test Label"}')).* from product p limit 1`,
    );
    await sql(service, "update product set change_number = nextval('product_change') where dsld_id = 2000000001");
    const deadline = Date.now() + 60_000;
    let total = 0;
    const look = async (): Promise<void> => {
      await sleep(50);
      total = (await get('/api/products?q=zzyzx&on_market=0')).total;
    };
    while (!total && Date.now() < deadline) await look();
    assert.equal(total, 1);
    await sql(
      service,
      "update product set removed_at = now(), change_number = nextval('product_change') where dsld_id = 2000000001",
    );
    while (total && Date.now() < deadline) await look();
    assert.equal(total, 0);
    await sql(service, 'delete from product where dsld_id = 2000000001');
  });
});

describe('GET /api/products/{dsld_id}', () => {
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });
  const card = async (id: number) => (await api(service).get(`/api/products/${id}`).expect(200)).body;
  const idOf = async (where: string): Promise<number> =>
    Number((await sql(service, `select dsld_id from product where ${where} order by dsld_id limit 1`))[0]?.dsld_id);

  it('returns the label’s facts, the evidence per supplement and its source', async () => {
    const body = await card(330088);
    assert.equal(body.name, 'Turmeric Curcumin 500 mg');
    assert.deepEqual(body.supplements, ['curcumin']);
    assert.deepEqual(body.ingredients[0].amount, 500);
    const [line] = body.evidence;
    assert.equal(line.supplement_slug, 'curcumin');
    assert.ok(line.source_count > 0);
    assert.equal(line.dose_match, 'unknown');
    assert.match(line.dose_reason, /label does not name/);
    assert.equal(body.interactions_count, line.interactions_count);
    assert.ok(body.interactions_count > 0);
    assert.equal(body.source_url, 'https://dsld.od.nih.gov/label/330088');
    assert.equal(body.source_license, 'public-domain-us-gov');
    assert.deepEqual(body.label_statements, []);
    assert.equal(body.disclaimer_url, '/disclaimer');
  });

  it('compares a serving with trial doses and the upper limit, and flags an excess', async () => {
    const id = await idOf(
      `exists (select 1 from jsonb_array_elements(ingredients) as i where i->>'supplement_slug' = 'magnesium'
       and i->>'source' = 'label' and i->>'unit' = 'mg' and (i->>'amount')::numeric > 360)`,
    );
    const body = await card(id);
    const line = body.evidence.find(
      ({ supplement_slug }: { supplement_slug: string }) => supplement_slug === 'magnesium',
    );
    assert.deepEqual(line.upper_limit.amount, 350);
    assert.equal(line.upper_limit.exceeded, true);
    assert.equal(line.dose_match, 'above');
    assert.ok(line.trial_dose.max < line.label_dose.amount);
    const flag = body.safety_flags.find(({ code }: { code: string }) => code === 'above_upper_limit');
    assert.match(flag.text, /upper limit for adults is 350 mg a day/);
  });

  it('never treats an amount in a name as a dose, and says that amounts are unknown', async () => {
    const id = await idOf("ingredients_extent = 'name' and ingredients->0->>'amount' is not null");
    const body = await card(id);
    assert.equal(body.ingredients[0].source, 'name');
    assert.equal(body.evidence[0].dose_match, 'unknown');
    assert.ok(body.safety_flags.some(({ code }: { code: string }) => code === 'amounts_unknown'));
  });

  it('warns of an amount in the name that would be over the upper limit', async () => {
    const id = await idOf(
      `ingredients_extent = 'name' and ingredients->0->>'supplement_slug' = 'vitamin-d'
       and ingredients->0->>'unit' = 'IU' and (ingredients->0->>'amount')::numeric > 4000`,
    );
    const body = await card(id);
    const flag = body.safety_flags.find(({ code }: { code: string }) => code === 'name_above_upper_limit');
    assert.match(
      flag.text,
      /^Its name states [\d.]+ IU\. If that is plain vitamin D, one serving is over the upper limit/,
    );
    assert.equal(body.evidence[0].upper_limit.exceeded, null);
  });

  it('is found by the bar code on the package in any notation', async () => {
    const [row] = await sql(
      service,
      "select dsld_id, upc, upc_printed from product where upc <> '' order by dsld_id limit 1",
    );
    for (const code of [
      String(row?.upc),
      String(row?.upc_printed),
      String(row?.upc).replace(/^0+/, '').padStart(12, '0'),
    ]) {
      const { body } = await api(service)
        .get(`/api/products/barcode/${encodeURIComponent(code)}`)
        .expect(200);
      assert.equal(body.gtin, row?.upc);
      assert.ok(body.products.some(({ dsld_id }: { dsld_id: number }) => dsld_id === row?.dsld_id));
    }
    await api(service).get('/api/products/barcode/012345678905').expect(404);
    await api(service).get('/api/products/barcode/012345678906').expect(422);
  });
});

describe('GET /api/market/{slug} and GET /api/brands', () => {
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });
  const get = async (path: string, status = 200) =>
    (await api(service).get(path).set('Authorization', `Bearer ${service.admin.key}`).expect(status)).body;

  it('summarize a supplement’s market and state the number of labels behind each figure', async () => {
    const body = await get('/api/market/magnesium');
    const [counted] = await sql(
      service,
      `select count(*)::int as n, count(*) filter (where on_market)::int as sold, count(distinct brand_slug)::int as brands
       from product where supplements @> '["magnesium"]' and removed_at is null`,
    );
    assert.deepEqual(
      [body.product_count, body.on_market_count, body.brand_count],
      [counted?.n, counted?.sold, counted?.brands],
    );
    assert.equal(
      body.forms.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
      body.product_count,
    );
    const { p10, p25, p50, p75, p90, labels, from_label, from_name } = body.dose_distribution;
    assert.deepEqual(
      [p10, p25, p50, p75, p90],
      [p10, p25, p50, p75, p90].toSorted((a, b) => a - b),
    );
    assert.equal(labels, from_label + from_name);
    assert.ok(body.share_within_trial_dose >= 0 && body.share_within_trial_dose <= 1);
    assert.match(body.as_of, /^\d{4}-\d\d-\d\d$/);
  });

  it('return 404 with near names for an unknown supplement, and resolve synonyms', async () => {
    const missing = await get('/api/market/magnesiumm-oxyd', 404);
    assert.ok(Array.isArray(missing.did_you_mean));
    assert.equal((await get('/api/market/turmeric')).supplement_slug, 'curcumin');
  });

  it('list brands by name with counts, by letter and by supplement', async () => {
    const body = await get('/api/brands?page_size=200');
    const slugs = body.brands.map(({ slug }: { slug: string }) => slug);
    assert.deepEqual(slugs, slugs.toSorted());
    const n = await get('/api/brands?letter=n&page_size=200');
    assert.ok(n.total > 0 && n.brands.every(({ slug }: { slug: string }) => slug.startsWith('n')));
    const magnesium = await get('/api/brands?supplement=magnesium&page_size=200');
    assert.equal(magnesium.resolved[0].slug, 'magnesium');
    assert.ok(magnesium.total < body.total);
    assert.deepEqual((await get('/api/brands?page=5000')).brands, []);
    assert.deepEqual((await get('/api/brands?supplement=nonsense-name-xyz')).brands, []);
  });
});
