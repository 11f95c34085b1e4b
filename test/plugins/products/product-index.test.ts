import { strict as assert } from 'node:assert';
import type { IndexedProduct } from '../../../plugins/products/search/product-columns.ts';
import { ProductIndex } from '../../../plugins/products/search/product-index.ts';

const product = (dsldId: number, name: string, more: Partial<IndexedProduct> = {}): IndexedProduct => ({
  dsldId,
  name,
  brand: 'Acme',
  brandSlug: 'acme',
  form: 'Capsule',
  onMarket: true,
  supplements: [],
  amounts: [],
  more: '',
  ...more,
});

const made = (...products: readonly IndexedProduct[]): ProductIndex => {
  const index = new ProductIndex();
  for (const one of products) index.add(one);
  return index;
};

const find = (index: ProductIndex, text: string, more: object = {}) =>
  index.search({ text, offset: 0, limit: 50, ...more });

describe('ProductIndex', () => {
  it('finds products that have every word, the closest name first', () => {
    const index = made(
      product(1, 'Calcium, Magnesium Citrate and Zinc'),
      product(2, 'Magnesium Citrate'),
      product(3, 'Magnesium Oxide'),
    );
    const found = find(index, 'magnesium citrate');
    assert.deepEqual([found.total, found.ids], [2, [2, 1]]);
  });

  it('matches numbers with and without a space', () => {
    const index = made(product(1, 'CoQ-10 100 mg'), product(2, 'CoQ10'), product(3, 'Omega-3 1,200mg'));
    assert.deepEqual(find(index, 'coq10').ids.toSorted(), [1, 2]);
    assert.deepEqual(find(index, 'coq 10').ids.toSorted(), [1, 2]);
    assert.deepEqual(find(index, 'omega3 1200 mg').ids, [3]);
  });

  it('completes the last word, ranks the whole word first, and never extends a number with a digit', () => {
    const index = made(product(1, 'Mega Vitamins'), product(2, 'Vitamin B12'), product(3, 'Vitamin B125'));
    assert.deepEqual(find(index, 'vitamin').ids.slice(0, 2).toSorted(), [2, 3]);
    assert.equal(find(index, 'vitamin').total, 3);
    assert.deepEqual(find(index, 'vitamin b12').ids, [2]);
  });

  it('corrects a misspelt word to the nearest one and reports the correction', () => {
    const index = made(product(1, 'Magnesium'), product(2, 'Manganese'));
    const found = find(index, 'magnezium');
    assert.deepEqual([found.ids, found.readAs], [[1], { magnezium: 'magnesium' }]);
    assert.deepEqual(find(index, 'b13').ids, []);
  });

  it('drops the words that no product has together with the others, and reports them', () => {
    const index = made(product(1, 'Vitamin D3'), product(2, 'Softgel Fish Oil'));
    const found = find(index, 'vitamin d3 softgel');
    assert.deepEqual([found.ids, found.without], [[1], ['softgel']]);
  });

  it('finds by brand and by ingredients, ranked below names', () => {
    const index = made(
      product(1, 'Sleep Well', { more: 'Melatonin Valerian' }),
      product(2, 'Melatonin'),
      product(3, 'Calm', { brand: 'Melatonin Brothers', brandSlug: 'melatonin-brothers' }),
    );
    assert.deepEqual(find(index, 'melatonin').ids, [2, 3, 1]);
  });

  it('filters by supplement, brand, form and market, and includes products of unknown market status', () => {
    const index = made(
      product(1, 'A', { supplements: ['zinc'], onMarket: null }),
      product(2, 'B', { supplements: ['zinc', 'iron'], onMarket: false }),
      product(3, 'C', { supplements: ['iron'], form: 'Softgel Capsule', brandSlug: 'other', brand: 'Other' }),
    );
    assert.deepEqual(find(index, '', { supplements: ['zinc'] }).ids, [1, 2]);
    assert.deepEqual(find(index, '', { supplements: ['zinc'], onMarket: true }).ids, [1]);
    assert.deepEqual(find(index, '', { form: 'softgel' }).ids, [3]);
    assert.deepEqual(find(index, '', { brandSlug: 'other' }).ids, [3]);
    assert.deepEqual(find(index, '', { brandSlug: 'nobody' }), { total: 0, ids: [], without: [], readAs: {} });
    assert.deepEqual(find(index, 'a', { supplements: ['iron'] }).total, 0);
  });

  it('lists by name and paginates without gaps or repeats', () => {
    const index = made(
      ...Array.from({ length: 25 }, (_, at) => product(at + 1, `Zinc ${String(at).padStart(2, '0')}`)),
    );
    const pages = [0, 10, 20, 30].map((offset) => index.search({ offset, limit: 10 }).ids);
    assert.deepEqual(
      pages.flat(),
      Array.from({ length: 25 }, (_, at) => at + 1),
    );
    const byText = [0, 10, 20, 30].map((offset) => index.search({ text: 'zinc', offset, limit: 10 }).ids);
    assert.deepEqual(
      byText.flat().toSorted((a, b) => a - b),
      pages.flat(),
    );
  });

  it('returns a product as last added, and omits it after removal', () => {
    const index = made(product(1, 'Old Name'), product(2, 'Other'));
    index.add(product(1, 'New Name', { brandSlug: 'new', brand: 'New' }));
    assert.deepEqual(find(index, 'old').ids, []);
    assert.deepEqual(find(index, 'name').ids, [1]);
    assert.deepEqual(index.totals(), { products: 2, onMarket: 2, unknown: 0, brands: 2 });
    index.remove(1);
    assert.deepEqual([find(index, 'name').ids, index.size, index.brand('new')], [[], 1, null]);
  });

  it('counts brands, forms and amounts of current products', () => {
    const amounts = [{ slug: 'zinc', amount: 15, unit: 'mg', source: 'label' as const }];
    const index = made(
      product(1, 'A', { supplements: ['zinc'], amounts }),
      product(2, 'B', { supplements: ['zinc'], form: 'Tablet', onMarket: null }),
      product(3, 'C', { brand: 'Other', brandSlug: 'other' }),
    );
    assert.deepEqual(index.brands('zinc'), [
      { slug: 'acme', name: 'Acme', products: 2, onMarket: 1, supplements: ['zinc'] },
    ]);
    assert.deepEqual(
      index.brands().map(({ slug }) => slug),
      ['acme', 'other'],
    );
    assert.deepEqual(index.forms('zinc'), [
      { form: 'Capsule', count: 1 },
      { form: 'Tablet', count: 1 },
    ]);
    assert.equal(index.amounts('zinc').length, 1);
    assert.deepEqual([...index.countsBySupplement()], [['zinc', 2]]);
  });

  it('does not throw for unusual input', () => {
    const index = made(product(1, 'Zinc'));
    for (const text of ['', '   ', '™®', '%%%', '\u0000', 'a'.repeat(5_000), '💊', "'; drop table product; --"]) {
      assert.doesNotThrow(() => find(index, text), text.slice(0, 20));
    }
  });
});
