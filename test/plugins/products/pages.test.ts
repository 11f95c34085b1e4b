/** Tests /product/{dsld_id} over HTTP on made-up labels. */
import { strict as assert } from 'node:assert';
import { applyBatch } from '#plugins/products/store.ts';
import { sql } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';
import {
  BARE,
  BLENDED,
  contextOf,
  dataOf,
  getPage,
  importLabels,
  instancesOf,
  NAMED,
  pageOf,
  STRONG,
  textOf,
} from './pages-support.ts';
import { servicesOf } from './support.ts';

const section = (html: string, id: string): string => {
  const from = html.indexOf(`<section aria-labelledby="${id}"`);
  assert.ok(from >= 0, `there is no section ${id}`);
  return textOf(html.slice(from).split('</section>')[0] ?? '');
};

describe('GET /product/{dsld_id}', () => {
  let service: TestService;
  const get = (path: string) => getPage(service, path);
  const product = async (id: number) => (await get(`/product/${id}`)).html;
  /** Records that a list showed the label on the market on an earlier date. */
  const tellMarket = async (dsldId: number, asOf: string) => {
    const { matcher } = await servicesOf(service).matching();
    const told = { market: { onMarket: true, leftOn: null } };
    await service.runtime.db.write((em) =>
      applyBatch(em, [{ dsldId, asOf, origin: 'dsld-list', told }], { matcher, mostEvents: 10, mostNews: 0 }),
    );
  };
  before(async function () {
    this.timeout(300_000);
    service = await startService({ settings: { STARTER_PRODUCTS: 'none', STARTER_EVIDENCE: 'none' } });
    await importLabels(service);
  });
  after(() => service.stop());

  it('returns the page for a known label id, 404 for an unknown id and 422 for an invalid one', async () => {
    assert.equal((await get(`/product/${STRONG}`)).status, 200);
    assert.equal((await get('/product/999999999')).status, 404);
    assert.equal((await get('/product/abc')).status, 422);
    assert.equal((await get('/product/-1')).status, 422);
  });

  it('shows the danger before the contents, with the figure and the advice', async () => {
    const html = await product(STRONG);
    assert.ok(html.indexOf('id="safety"') < html.indexOf('id="label"'));
    assert.match(
      section(html, 'safety'),
      /Above the upper limit One serving has 100 mg of Zinc; the upper limit for adults is 40 mg a day .* Ask a doctor or pharmacist before taking it\./,
    );
  });

  it('draws dose, trials and limit on one axis with a text description, and repeats the figures in text', async () => {
    const html = await product(STRONG);
    assert.match(
      html,
      /<svg class="axis"[^>]*role="img" aria-labelledby="dose-zinc-t dose-zinc-d"><title id="dose-zinc-t">Zinc on one axis<\/title>/,
    );
    assert.match(html, /one serving 100 mg; (doses in trials .* a day; )?upper limit 40 mg a day\.<\/desc>/);
    assert.match(section(html, 'doses'), /One serving alone is above the upper limit \(/);
  });

  it('shows the members of a blend under it, and “not printed”, never 0, for hidden amounts', async () => {
    const html = await product(BLENDED);
    const text = section(html, 'label');
    assert.match(text, /Made Up Blend \(blend\) less than 2 g/);
    assert.match(text, /In the blend: Ginger root extract not printed/);
    assert.match(text, /In the blend: Garlic more than 5 mg/);
    assert.doesNotMatch(text, /\b0 (mg|g|NP)\b/);
  });

  it('has the label id in its title, to distinguish labels with the same name', async () => {
    assert.match(await product(NAMED), /<title>[^<]*: label 900000001/);
  });

  it('states the health conditions for which its ingredients need care', async () => {
    assert.match(section(await product(NAMED), 'safety'), /Take care: [^.]*kidney disease/);
  });

  it('distinguishes ingredients read from a name from printed ones', async () => {
    const html = await product(NAMED);
    assert.match(section(html, 'label'), /Read from the product’s name\. The facts panel is not in our data/);
    assert.match(section(html, 'doses'), /from the name/);
    assert.match(section(html, 'doses'), /does not say whether it is the plain substance/);
    assert.doesNotMatch(html, /<svg class="axis"/);
  });

  it('says that nothing is known about a label without ingredients, not that it is empty', async () => {
    const html = await product(BARE);
    assert.match(section(html, 'label'), /The facts panel of this label is not in our data/);
    assert.doesNotMatch(html, /id="evidence"/);
    assert.match(section(html, 'safety'), /not known to be absent or safe/);
  });

  it('quotes directions as the label prints them, and omits marketing statements', async () => {
    const html = await product(STRONG);
    const text = section(html, 'label');
    assert.match(
      text,
      /As printed on the label The maker’s words, not ours, and not advice\. Suggested use Take one tablet & water\./,
    );
    assert.doesNotMatch(html, /champion/);
    assert.match(text, /1 further statement of the label/);
  });

  it('shows the market status with its date, its history and its sources', async () => {
    const html = await product(BLENDED);
    assert.match(section(html, 'market'), /Off the market as of \d+ \w+ \d{4}/);
    assert.match(section(html, 'market'), /label file of the database/);
    assert.match(html, /<a href="https:\/\/dsld\.od\.nih\.gov\/label\/900000010"/);
    assert.match(section(html, 'source'), /in the public domain, as of/);
  });

  it('has Product and DietarySupplement JSON-LD with brand, bar code and hidden amounts, without a rating', async () => {
    const [data] = dataOf(await product(BLENDED));
    assert.deepEqual(data['@type'], ['Product', 'DietarySupplement']);
    assert.equal(data.gtin, '00012345678905');
    assert.equal(data.brand.name, 'Madeup Labs');
    assert.equal(data.isProprietary, true);
    assert.equal(data.aggregateRating, undefined);
    assert.equal(dataOf(await product(STRONG))[0].isProprietary, undefined);
  });

  it('escapes all label text', async () => {
    const html = await product(STRONG);
    assert.doesNotMatch(html.replace(/<script.*?<\/script>/gs, ''), /Strong Zinc <b>/);
    assert.match(textOf(html), /Strong Zinc <b>/);
  });

  it('shows the images of the label, the primary one first, and no hidden image', async () => {
    const insert = (sha: string, kind: string, status: string, primary: boolean) =>
      sql(
        service,
        `insert into label_image (dsld_id, upload_sha256, sha256, kind, source, license, attribution, width, height, mime, bytes,
          is_primary, status, key_id, uploaded_at) values (?, ?, ?, ?, 'upload', 'CC0-1.0', 'A reader', 800, 600, 'image/webp', 9, ?, ?, 'k', now())`,
        [NAMED, sha, sha, kind, primary, status],
      );
    assert.match(section(await product(NAMED), 'images'), /No image of this label is in the base/);
    await insert('a'.repeat(64), 'back', 'active', false);
    await insert('b'.repeat(64), 'front', 'active', true);
    await insert('c'.repeat(64), 'other', 'hidden', false);
    const html = await product(NAMED);
    const sources = [...html.matchAll(/<img src="([^"]+)" width="800" height="600" alt="([^"]+)"/g)].map(
      ([, src, alt]) => [src, alt],
    );
    assert.deepEqual(sources, [
      [`/api/label-image/file/${'b'.repeat(64)}-400.webp`, 'Front of the package of Magnesium Citrate 400 mg'],
      [`/api/label-image/file/${'a'.repeat(64)}-400.webp`, 'Back of the package of Magnesium Citrate 400 mg'],
    ]);
    assert.match(section(html, 'images'), /Front of the package; A reader, CC0-1\.0/);
  });

  it('complies with the content security policy, and has one h1 and unique ids', async () => {
    for (const id of [STRONG, BLENDED, NAMED, BARE]) {
      const html = await product(id);
      assert.doesNotMatch(html, /<[^>]+ (style|on[a-z]+)=/);
      assert.equal([...html.matchAll(/<h1[ >]/g)].length, 1);
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, one]) => one);
      assert.deepEqual(ids, [...new Set(ids)]);
    }
  });

  it('is generated byte for byte as it is served, and loadMany preserves the order', async () => {
    const page = pageOf('products.product');
    const asked = [STRONG, BARE, 999_999_999, BLENDED].map((id) => ({ dsld_id: String(id) }));
    const answers = (await page.loadMany?.(contextOf(service), asked as never)) ?? [];
    assert.deepEqual(
      answers.map((answer) => ('missing' in answer ? answer.missing.id : '')),
      ['', '', '999999999', ''],
    );
    for (const [at, { dsld_id: id }] of asked.entries()) {
      const answer = answers[at];
      if (!answer || !('view' in answer)) continue;
      const made = service.runtime.pages.render(page, `/product/${id}`, answer.head, answer.view);
      assert.equal(made, (await get(`/product/${id}`)).html);
    }
  });

  it('has a version that changes only with its own recalls and history', async () => {
    const versions = async () =>
      new Map(
        (await instancesOf(service, 'products.product')).map(({ params, version }) => [
          Number(params.dsld_id),
          version,
        ]),
      );
    const changed = (before: Map<number, string>, after: Map<number, string>): number[] =>
      [...after].filter(([id, version]) => before.get(id) !== version).map(([id]) => id);
    const first = await versions();
    assert.deepEqual(changed(first, await versions()), []);
    await sql(
      service,
      `insert into product_recall (recall_number, dsld_ids, linked_by, product_type, description, firm, classification, status,
        reason, codes, initiation_date, report_date, source_url, updated_at)
       values ('F-0001-2026', ?::jsonb, 'upc', 'Food', 'made up', 'Madeup Labs', 'Class I', 'Ongoing', 'Undeclared milk', '[]',
        '2026-02-03', null, 'https://example.test/recall', now())`,
      [JSON.stringify([STRONG])],
    );
    const second = await versions();
    assert.deepEqual(changed(first, second), [STRONG]);
    const html = await product(STRONG);
    assert.match(
      section(html, 'safety'),
      /^ Safety first Recalled Undeclared milk \(notice F-0001-2026, Class I, Ongoing, 3 February 2026\)\./,
    );
    assert.match(textOf(html), /Recalled: Undeclared milk \(notice F-0001-2026/);
    await tellMarket(BARE, '2019-06-07');
    const third = await versions();
    assert.deepEqual(changed(second, third), [BARE]);
    await tellMarket(BARE, '2019-06-07');
    assert.deepEqual(changed(third, await versions()), []);
  });

  it('reports the changed labels, or null after a change that can affect other labels', async () => {
    const page = pageOf('products.product');
    const changes = async (since: string | null) => {
      const { state, changed } = (await page.changes?.(contextOf(service), since)) ?? { state: '', changed: null };
      return { state, changed };
    };
    const { state: first, changed: unasked } = await changes(null);
    assert.equal(unasked, null);
    assert.deepEqual(await changes(first), { state: first, changed: [] });
    await tellMarket(STRONG, '2018-05-06');
    const { state: second, changed } = await changes(first);
    assert.deepEqual(
      changed,
      (await instancesOf(service, 'products.product')).filter(({ params }) => params.dsld_id === `${STRONG}`),
    );
    await sql(service, "update product_recall set reason = 'Undeclared eggs', updated_at = now()", []);
    const { state: third, changed: afterRecall } = await changes(second);
    assert.equal(afterRecall, null);
    const removal = `update product set removed_at = ?::timestamptz, change_number = nextval('product_change') where dsld_id = ?`;
    await sql(service, removal, ['2026-01-01T00:00:00Z', NAMED]);
    assert.equal((await changes(third)).changed, null);
    await sql(service, removal, [null, NAMED]);
  });
});
