import assert from 'node:assert/strict';
import { likeness } from '#plugins/evidence/pages/near.ts';
import { sourcesHref } from '#plugins/evidence/pages/sources.ts';
import {
  byName,
  byStrength,
  dayInWords,
  designOf,
  inSentence,
  latest,
  peopleOf,
} from '#plugins/evidence/pages/views.ts';

describe('labels of a source', () => {
  it('name people, animals and cells according to the species', () => {
    assert.equal(peopleOf({ sampleSize: '86', species: 'human' }), '86 people');
    assert.equal(peopleOf({ sampleSize: '1', species: 'human' }), '1 person');
    assert.equal(peopleOf({ sampleSize: '1,208 in 12 studies', species: 'human' }), '1,208 people in 12 studies');
    assert.equal(peopleOf({ sampleSize: '354 (planned)', species: 'human' }), '354 people (planned)');
    assert.equal(peopleOf({ sampleSize: '9 studies', species: 'human' }), '9 studies');
    assert.equal(peopleOf({ sampleSize: '24', species: 'animal' }), '24 animals');
    assert.equal(peopleOf({ sampleSize: '', species: 'human' }), 'number not stated');
    assert.equal(peopleOf({ sampleSize: '', species: 'in_vitro' }), 'cells, no people');
  });

  it('take a design of level "other" from the breakdown', () => {
    const part = { part: 'design' as const, points: 12, max: 45 };
    const reason = 'Registered trial without results in this base, according to the trial register.';
    assert.equal(
      designOf({ evidenceLevel: 'other', breakdown: [{ ...part, reason }] }),
      'Registered trial without results in this base',
    );
    assert.equal(designOf({ evidenceLevel: 'other', breakdown: [] }), 'Other design');
    assert.equal(designOf({ evidenceLevel: 'rct', breakdown: [] }), 'Randomised controlled trial');
  });

  it('preserve the capitals of names and abbreviations inside a sentence', () => {
    assert.equal(inSentence('Vitamin D'), 'vitamin D');
    assert.equal(inSentence('L-arginine'), 'L-arginine');
    assert.equal(inSentence('HIV'), 'HIV');
    assert.equal(inSentence("St John's wort"), "St John's wort");
    assert.equal(inSentence('Chinese skullcap'), 'Chinese skullcap');
    assert.equal(inSentence("Parkinson's disease"), "Parkinson's disease");
  });
});

describe('sort order on pages', () => {
  it('puts the strongest source first, then the newest, then the lower ID', () => {
    const rows = [
      { qualityScore: 50, year: null, sourceId: 'b' },
      { qualityScore: 50, year: null, sourceId: 'a' },
      { qualityScore: 50, year: 2020, sourceId: 'c' },
      { qualityScore: 80, year: 1990, sourceId: 'd' },
    ];
    assert.deepEqual(
      rows.toSorted(byStrength).map(({ sourceId }) => sourceId),
      ['d', 'c', 'a', 'b'],
    );
  });

  it('sorts names alphabetically, ignoring case and accents, with numbers by value', () => {
    const names = ['vitamin B12', 'Vitamin B6', 'Ashwagandha', 'ämter'].map((name) => ({ name }));
    assert.deepEqual(
      names.sort(byName).map(({ name }) => name),
      ['ämter', 'Ashwagandha', 'Vitamin B6', 'vitamin B12'],
    );
  });

  it('returns the latest of several times, ignoring missing ones', () => {
    assert.equal(latest([null, '2026-01-02T00:00:00Z', undefined, '2025-12-31T00:00:00Z']), '2026-01-02T00:00:00Z');
    assert.equal(latest([]), null);
  });

  it('formats days in UTC', () => {
    assert.equal(dayInWords('2026-11-20T23:59:59Z'), '20 November 2026');
  });
});

describe('URLs and similar names', () => {
  it('omits empty parameters from a URL', () => {
    assert.equal(sourcesHref({ source_class: '', year: 0, page: 1 }), '/explore/sources');
    assert.equal(
      sourcesHref({ source_class: 'guideline', year: 2020, page: 3 }),
      '/explore/sources?source_class=guideline&year=2020&page=3',
    );
  });

  it('rates a misspelled name as similar to the correct one', () => {
    assert.ok(likeness('magnesum', 'magnesium') > 0.7);
    assert.ok(likeness('zinc', 'creatine') < 0.3);
  });
});
