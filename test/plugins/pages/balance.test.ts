import assert from 'node:assert/strict';
import { type BalanceRow, balanceOf, gapsOf, wholePercents } from '#plugins/evidence/pages/balance.ts';

const row = (given: Partial<BalanceRow>): BalanceRow => ({
  qualityTier: 'B',
  effectDirection: 'positive',
  species: 'human',
  retractionStatus: 'none',
  evidenceLevel: 'rct',
  sampleSizeN: 200,
  year: 2022,
  funding: 'public',
  read: 'abstract',
  sourceClass: 'pubmed_article',
  ...given,
});
const percents = (rows: readonly BalanceRow[]) =>
  Object.fromEntries(balanceOf(rows).shares.map(({ code, percent }) => [code, percent]));

describe('the balance of evidence', () => {
  it('weighs a source by its tier', () => {
    const found = percents([row({ qualityTier: 'A', effectDirection: 'null' }), row({ qualityTier: 'C' })]);
    assert.deepEqual(found, { positive: 20, null: 80, negative: 0, mixed: 0, unclear: 0 });
  });

  it('counts only sources known to be in people, with results and not retracted, and says what it left out', () => {
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

  it('has no shares where nothing can be weighed', () => {
    assert.deepEqual(percents([row({ species: 'in_vitro' })]), {
      positive: 0,
      null: 0,
      negative: 0,
      mixed: 0,
      unclear: 0,
    });
  });

  it('prints whole per cents that add up to 100', () => {
    assert.deepEqual(wholePercents([1, 1, 1]), [34, 33, 33]);
    assert.deepEqual(wholePercents([0, 0]), [0, 0]);
  });
});

describe('the gaps of a question', () => {
  it('names missing trials and the lack of strong sources', () => {
    const gaps = gapsOf([row({ evidenceLevel: 'cohort', qualityTier: 'C' })], 2026).join(' ');
    assert.match(gaps, /No randomised trial/);
    assert.match(gaps, /No source reaches tier A or B/);
  });

  it('says that trials are small, with the largest figure', () => {
    assert.match(
      gapsOf([row({ sampleSizeN: 19 }), row({ sampleSizeN: 16 })], 2026).join(' '),
      /the largest had 19 people/,
    );
  });

  it('says when nothing is known to be in people', () => {
    assert.match(gapsOf([row({ species: 'animal' })], 2026)[0] ?? '', /No study known to be in people/);
  });

  it('says when everything was retracted', () => {
    assert.match(
      gapsOf([row({ retractionStatus: 'retracted' })], 2026)[0] ?? '',
      /everything gathered here was retracted/,
    );
  });

  it('measures age against the base, not against the clock', () => {
    assert.match(gapsOf([row({ year: 2009 })], 2026).join(' '), /newest study in people is from 2009/);
    assert.doesNotMatch(gapsOf([row({ year: 2009 })], 2012).join(' '), /newest study/);
  });

  it('says when no editor has read a source', () => {
    assert.match(gapsOf([row({ read: '' })], 2026).join(' '), /No editor has read/);
  });
});
