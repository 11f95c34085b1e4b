import assert from 'node:assert/strict';
import { type BalanceRow, balanceOf, wholePercents } from '#plugins/evidence/pages/balance.ts';

const row = (given: Partial<BalanceRow>): BalanceRow => ({
  qualityTier: 'B',
  effectDirection: 'positive',
  species: 'human',
  retractionStatus: 'none',
  evidenceLevel: 'rct',
  sampleSizeN: 200,
  year: 2022,
  funding: 'public',
  basis: {},
  read: 'abstract',
  sourceClass: 'pubmed_article',
  ...given,
});
const percents = (rows: readonly BalanceRow[]) =>
  Object.fromEntries(balanceOf(rows).shares.map(({ code, percent }) => [code, percent]));

describe('the balance of evidence', () => {
  it('weights a source by its tier', () => {
    const found = percents([row({ qualityTier: 'A', effectDirection: 'null' }), row({ qualityTier: 'C' })]);
    assert.deepEqual(found, { positive: 20, null: 80, negative: 0, mixed: 0, unclear: 0 });
  });

  it('counts only human sources with results that are not retracted, and reports how many it excluded', () => {
    const balance = balanceOf([
      row({}),
      row({ species: 'animal' }),
      row({ species: 'unknown' }),
      row({ retractionStatus: 'retracted' }),
      row({ sourceClass: 'clinical_trial' }),
    ]);
    assert.equal(balance.sources, 1);
    assert.deepEqual(balance.leftOut, { notInPeople: 2, registered: 1, retracted: 1 });
  });

  it('has shares of zero when no source can be weighted', () => {
    assert.deepEqual(percents([row({ species: 'in_vitro' })]), {
      positive: 0,
      null: 0,
      negative: 0,
      mixed: 0,
      unclear: 0,
    });
  });

  it('rounds to whole percentages that add up to 100', () => {
    assert.deepEqual(wholePercents([1, 1, 1]), [34, 33, 33]);
    assert.deepEqual(wholePercents([0, 0]), [0, 0]);
  });
});
