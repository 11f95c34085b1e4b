import assert from 'node:assert/strict';
import { bestTier, peopleBehind, strongest } from '#plugins/catalog/outcome.ts';

type Row = Parameters<typeof peopleBehind>[0][number];

const row = (given: Partial<Row>): Row => ({
  qualityTier: 'C',
  retractionStatus: 'none',
  sampleSizeN: 40,
  sampleSize: '40',
  species: 'human',
  evidenceLevel: 'rct',
  qualityScore: 50,
  year: 2020,
  sourceId: 'pmid-1',
  ...given,
});

describe('outcome tier', () => {
  it('equals the tier of the best source', () => {
    assert.equal(bestTier([row({}), row({ qualityTier: 'B' }), row({ qualityTier: 'D' })]), 'B');
  });

  it('ignores a retracted source', () => {
    assert.equal(bestTier([row({ qualityTier: 'A', retractionStatus: 'retracted' }), row({})]), 'C');
  });

  it('is null when every source was retracted', () => {
    assert.equal(bestTier([row({ retractionStatus: 'retracted' })]), null);
  });

  it('uses the newest of equally strong sources as the strongest', () => {
    assert.equal(strongest([row({ year: 2010 }), row({ year: 2024, sourceId: 'pmid-2' })])?.sourceId, 'pmid-2');
  });
});

describe('peopleBehind()', () => {
  it('adds participants over trials', () => {
    assert.equal(peopleBehind([row({ sampleSizeN: 1000 }), row({ sampleSizeN: 19 })]), '1,019');
  });

  it('returns the largest sample with "at least" when a review pools trials', () => {
    const review = row({ evidenceLevel: 'meta_analysis', sampleSizeN: 300 });
    assert.equal(peopleBehind([review, row({ sampleSizeN: 120 })]), 'at least 300');
  });

  it('returns "at least" when a sample size is unknown', () => {
    assert.equal(peopleBehind([row({}), row({ sampleSizeN: null, sampleSize: '' })]), 'at least 40');
  });

  it('excludes animal studies and retracted trials', () => {
    const rows = [row({}), row({ species: 'animal', sampleSizeN: 24 }), row({ retractionStatus: 'retracted' })];
    assert.equal(peopleBehind(rows), '40');
  });

  it('reports animals or "no people" when no human study exists', () => {
    assert.equal(peopleBehind([row({ species: 'animal', sampleSize: '24' })]), '24 animals');
    assert.equal(peopleBehind([row({ species: 'animal' }), row({ species: 'in_vitro' })]), 'no people');
  });
});
