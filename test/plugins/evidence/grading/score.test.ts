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
  it('adds up to the parts of the breakdown, caps included', () => {
    for (const people of ['18 adults', '64 adults', '150 adults', '1,208 adults']) {
      const { qualityScore, breakdown } = grade(magnesiumTrial(people));
      const sum = breakdown.reduce((total, { points }) => total + points, 0);
      assert.equal(qualityScore, Math.round(sum * 10) / 10);
    }
  });

  it('lets a large, blind, registered trial reach A and holds smaller ones back', () => {
    assert.equal(tierOf(magnesiumTrial('1,208 adults')), 'A');
    assert.equal(tierOf(magnesiumTrial('64 adults')), 'B');
    assert.equal(tierOf(magnesiumTrial('18 adults')), 'C');
  });

  it('never rises when a trial shrinks', () => {
    const scores = [2000, 500, 250, 120, 70, 45, 25, 8].map(
      (people) => grade(magnesiumTrial(`${people} adults`)).qualityScore,
    );
    assert.deepEqual(
      scores,
      scores.toSorted((left, right) => right - left),
    );
  });

  it('puts a retracted trial into D, near zero, and says why', () => {
    const grading = grade(magnesiumTrial('1,208 adults', { retractionStatus: 'retracted' }));
    assert.equal(grading.qualityTier, 'D');
    assert.ok(grading.qualityScore <= 5);
    assert.match(caps(grading)[0] ?? '', /retracted/);
    assert.equal(grading.direction, 'unclear');
  });

  it('holds a trial under an expression of concern at C', () => {
    assert.equal(tierOf(magnesiumTrial('1,208 adults', { retractionStatus: 'concern' })), 'C');
  });

  it('keeps a trial paid for by industry alone out of A', () => {
    const grading = grade(magnesiumTrial('1,208 adults', { fundingText: 'This trial was funded by Magnesia Inc.' }));
    assert.equal(grading.qualityTier, 'B');
    assert.match(caps(grading).join(' '), /Industry/);
  });

  it('puts animals, cells, case reports, opinion, protocols and notices into D', () => {
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

  it('holds a register entry at C at best, because results are missing', () => {
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

  it('keeps preprints, open trials and cohorts out of A', () => {
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

  it('gives a meta-analysis of trials A when it pools enough and states its safeguards', () => {
    const abstract =
      'Twelve RCTs (2,208 participants) were included. Risk of bias was assessed. Zinc shortened the duration of colds.';
    assert.equal(tierOf(article('Zinc for colds: a meta-analysis of randomised controlled trials', abstract)), 'A');
    assert.equal(tierOf(article('Zinc for colds: a meta-analysis', 'Studies were pooled.')), 'C');
  });

  it('gives every cap a whole sentence', () => {
    for (const { reason, id } of describeFormula().caps) assert.match(reason, /^[A-Z].+\.$/, id);
  });
});

describe('the formula as data', () => {
  const formula = describeFormula();

  it('is what grade() counts with', () => {
    assert.equal(formula.version, FORMULA_VERSION);
    assert.equal(grade(article('Zinc')).formulaVersion, formula.version);
    assert.equal(formula.max, 100);
    for (const { part, max } of grade(magnesiumTrial('64 adults')).breakdown) {
      if (part !== 'cap') assert.equal(formula.parts.find((entry) => entry.part === part)?.max, max);
    }
  });

  it('names four tiers with labels and falling thresholds', () => {
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

  it('has no row above the most its part can give', () => {
    for (const { rows, max, part } of formula.parts)
      for (const row of rows) assert.ok(row.points <= max && row.points >= 0, part);
  });

  it('survives a round trip through JSON', () => assert.deepEqual(JSON.parse(JSON.stringify(formula)), formula));
});
