import { strict as assert } from 'node:assert';
import { doseAxis, roundUp } from '#plugins/products/pages/dose-axis.ts';
import { hidesAmounts, printedStatements } from '#plugins/products/pages/label-view.ts';
import { addressOf, pagerOf } from '#plugins/products/pages/paging.ts';

const zinc = { slug: 'zinc', name: 'Zinc', label: { amount: 50, unit: 'mg' } };

describe('dose axis', () => {
  it('positions label, trials and limit by their amounts, whatever their units', () => {
    const axis = doseAxis({
      ...zinc,
      trial: { min: 10_000, max: 30_000, unit: 'mcg' },
      limit: { amount: 0.04, unit: 'g' },
    });
    assert.deepEqual(
      [axis?.end, axis?.label, axis?.trial, axis?.limit],
      ['60 mg', 83.3, { from: 16.7, width: 33.3 }, 66.7],
    );
  });

  it('returns null when units do not convert, or when there is nothing to compare the label with', () => {
    assert.equal(doseAxis({ ...zinc, trial: { min: 1, max: 2, unit: 'CFU' }, limit: null }), null);
    assert.equal(doseAxis({ ...zinc, trial: null, limit: null }), null);
    assert.equal(
      doseAxis({ ...zinc, label: { amount: 5, unit: '' }, trial: { min: 1, max: 2, unit: 'mg' }, limit: null }),
      null,
    );
  });

  it('shows a range of one dose as a visible band', () => {
    const axis = doseAxis({ ...zinc, trial: { min: 25, max: 25, unit: 'mg' }, limit: null });
    assert.ok((axis?.trial?.width ?? 0) >= 1.5);
  });

  it('ends at a round figure at or above the largest amount', () => {
    assert.deepEqual([0.031, 9, 10, 11, 410, 2_600].map(roundUp), [0.04, 10, 10, 15, 500, 3_000]);
  });
});

describe('label facts shown on product pages', () => {
  it('include directions, precautions and storage once each, and no marketing statements', () => {
    const shown = printedStatements([
      { type: 'Suggested Use', text: 'Take one.' },
      { type: 'Precautions re: Children', text: 'Keep away.' },
      { type: 'Storage', text: 'Keep away.' },
      { type: 'General Statements: All Other Content', text: 'The best there is.' },
    ]);
    assert.deepEqual(shown, [
      { title: 'Suggested use', text: 'Take one.' },
      { title: 'Precautions: children', text: 'Keep away.' },
    ]);
  });

  it('include the proprietary blend note only when a blend hides an amount', () => {
    const row = (amount: number | null, children: readonly object[] = [], isBlend = children.length > 0) =>
      ({ amount, is_blend: isBlend, children }) as never;
    assert.equal(hidesAmounts([row(5), row(null)]), false);
    assert.equal(hidesAmounts([row(5, [row(2), row(3)])]), false);
    assert.equal(hidesAmounts([row(5, [row(2), row(null)])]), true);
  });
});

describe('list page URLs', () => {
  it('omit empty parameters and page 1', () => {
    assert.equal(addressOf('/products', { q: '', page: 1 }), '/products');
    assert.equal(addressOf('/products', { q: 'a&b', page: 2 }), '/products?q=a%26b&page=2');
  });

  it('have no next page at the end and no previous page past it', () => {
    const at = (page: number) => pagerOf({ path: '/p', filters: {}, page, size: 50, total: 100 });
    assert.deepEqual([at(1).nextHref, at(2).nextHref, at(2).previousHref], ['/p?page=2', '', '/p']);
    assert.deepEqual([at(3).isPastEnd, at(3).previousHref, at(3).nextHref], [true, '', '']);
  });
});
