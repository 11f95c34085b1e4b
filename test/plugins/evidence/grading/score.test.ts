import assert from 'node:assert/strict';
import { describeFormula } from '../../../../plugins/evidence/grading/describe-formula.ts';
import { FORMULA_VERSION } from '../../../../plugins/evidence/grading/formula.ts';
import { grade } from '../../../../plugins/evidence/grading/grade.ts';
import type { Grading } from '../../../../plugins/evidence/grading/grading.ts';
import type { SourceRecord } from '../../../../plugins/evidence/source-record.ts';
import { article, magnesiumTrial } from './records.ts';

const caps = (grading: Grading): string[] =>
  grading.breakdown.filter(({ part }) => part === 'cap').map(({ reason }) => reason);
const tierOf = (record: SourceRecord): string => grade(record).qualityTier;

describe('score and tier', () => {
  it('is the sum of the points in the breakdown, including caps', () => {
    for (const people of ['18 adults', '64 adults', '150 adults', '1,208 adults']) {
      const { qualityScore, breakdown } = grade(magnesiumTrial(people));
      const sum = breakdown.reduce((total, { points }) => total + points, 0);
      assert.equal(qualityScore, Math.round(sum * 10) / 10);
    }
  });

  it('gives tier A only to the large one of three otherwise equal blind, registered trials', () => {
    assert.equal(tierOf(magnesiumTrial('1,208 adults')), 'A');
    assert.equal(tierOf(magnesiumTrial('64 adults')), 'B');
    assert.equal(tierOf(magnesiumTrial('18 adults')), 'C');
  });

  it('never rises as the sample size of a trial falls', () => {
    const scores = [2000, 500, 250, 120, 70, 45, 25, 8].map(
      (people) => grade(magnesiumTrial(`${people} adults`)).qualityScore,
    );
    assert.deepEqual(
      scores,
      scores.toSorted((left, right) => right - left),
    );
  });

  it('puts a retracted trial into tier D with at most 5 points, and names the retraction as the reason', () => {
    const grading = grade(magnesiumTrial('1,208 adults', { retractionStatus: 'retracted' }));
    assert.equal(grading.qualityTier, 'D');
    assert.ok(grading.qualityScore <= 5);
    assert.match(caps(grading)[0] ?? '', /retracted/);
    assert.equal(grading.direction, 'unclear');
  });

  it('caps a trial with an expression of concern at tier C', () => {
    assert.equal(tierOf(magnesiumTrial('1,208 adults', { retractionStatus: 'concern' })), 'C');
  });

  it('caps a trial funded only by industry at tier B', () => {
    const grading = grade(magnesiumTrial('1,208 adults', { fundingText: 'This trial was funded by Magnesia Inc.' }));
    assert.equal(grading.qualityTier, 'B');
    assert.match(caps(grading).join(' '), /Industry/);
  });

  it('puts animal and cell studies, case reports, opinion, protocols and notices into tier D', () => {
    const titles = [
      'Zinc in rats',
      'Zinc in HepG2 cells',
      'Zinc: a case report',
      'Zinc: a narrative review',
      'Zinc: study protocol',
      'Correction to: Zinc',
    ];
    for (const title of titles) assert.equal(tierOf(article(title)), 'D', title);
    assert.equal(tierOf(article('Zinc in rats: a systematic review and meta-analysis')), 'D');
  });

  it('caps a registry entry at tier C because it has no results', () => {
    const trial: SourceRecord = {
      ...article('Zinc: a randomised, double-blind, placebo-controlled trial'),
      origin: 'ctgov',
      nctId: 'NCT01234567',
      enrolment: 5000,
      trialStatus: 'COMPLETED',
    };
    const grading = grade(trial);
    assert.equal(grading.qualityTier, 'C');
    assert.equal(grading.evidenceLevel, 'other');
    assert.match(caps(grading).join(' '), /no results/);
    assert.equal(tierOf({ ...trial, trialStatus: 'WITHDRAWN', enrolment: 0 }), 'D');
  });

  it('caps preprints, open-label trials and cohorts at tier B', () => {
    assert.equal(tierOf(magnesiumTrial('1,208 adults', { publicationTypes: ['Preprint'] })), 'B');
    const open = article(
      'Zinc: a randomised open-label trial',
      'A total of 2,000 adults were randomised. Allocation was concealed. Registered.',
    );
    assert.equal(tierOf(open), 'B');
    const cohort =
      'A total of 90,000 women were followed for ten years. Hazard ratios were adjusted for age. Deaths were counted.';
    assert.equal(tierOf(article('Zinc intake and death: a prospective cohort study', cohort)), 'B');
  });

  it('gives tier A to a large meta-analysis of trials that assesses risk of bias, and tier C to one without details', () => {
    const abstract =
      'Twelve RCTs (2,208 participants) were included. Risk of bias was assessed. Zinc shortened the duration of colds.';
    assert.equal(tierOf(article('Zinc for colds: a meta-analysis of randomised controlled trials', abstract)), 'A');
    assert.equal(tierOf(article('Zinc for colds: a meta-analysis', 'Studies were pooled.')), 'C');
  });

  it('has a complete sentence as the reason of every cap', () => {
    for (const { reason, id } of describeFormula().caps) assert.match(reason, /^[A-Z].+\.$/, id);
  });
});

describe('describeFormula()', () => {
  const formula = describeFormula();

  it('returns the version and the maximum points that grade() uses', () => {
    assert.equal(formula.version, FORMULA_VERSION);
    assert.equal(grade(article('Zinc')).formulaVersion, formula.version);
    assert.equal(formula.max, 100);
    for (const { part, max } of grade(magnesiumTrial('64 adults')).breakdown) {
      if (part !== 'cap') assert.equal(formula.parts.find((entry) => entry.part === part)?.max, max);
    }
  });

  it('lists four tiers with labels and descending thresholds', () => {
    assert.deepEqual(
      formula.tiers.map(({ tier, label }) => `${tier} ${label}`),
      ['A Strong', 'B Moderate', 'C Limited', 'D Preliminary'],
    );
    const from = formula.tiers.map((tier) => tier.from);
    assert.deepEqual(
      from,
      from.toSorted((left, right) => right - left),
    );
  });

  it('has no row with more points than the maximum of its part', () => {
    for (const { rows, max, part } of formula.parts)
      for (const row of rows) assert.ok(row.points <= max && row.points >= 0, part);
  });

  it('returns data that survives a JSON round trip', () =>
    assert.deepEqual(JSON.parse(JSON.stringify(formula)), formula));
});
