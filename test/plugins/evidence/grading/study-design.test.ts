import assert from 'node:assert/strict';
import { grade } from '../../../../plugins/evidence/grading/grade.ts';
import type { EvidenceLevel, SourceRecord } from '../../../../plugins/evidence/source-record.ts';
import { article, stated } from './records.ts';

const levelOf = (record: SourceRecord): EvidenceLevel => grade(record).evidenceLevel;
const typed = (...publicationTypes: string[]): Partial<SourceRecord> => ({ publicationTypes });

describe('study design', () => {
  it('prefers the publication type, and the strongest of several types', () => {
    assert.equal(
      levelOf(article('Zinc and colds', '', typed('Journal Article', 'Randomized Controlled Trial'))),
      'rct',
    );
    assert.equal(levelOf(article('Zinc and colds', '', typed('Systematic Review', 'Meta-Analysis'))), 'meta_analysis');
    assert.equal(levelOf(article('Zinc and colds', '', typed('Review'))), 'expert_opinion');
    assert.equal(levelOf(article('Zinc and colds: a systematic review', '', typed('Review'))), 'systematic_review');
    assert.equal(levelOf(article('Zinc and colds', '', typed('Letter'))), 'expert_opinion');
    assert.equal(levelOf(article('Zinc and colds', '', typed('Practice Guideline'))), 'guideline');
    assert.equal(levelOf(article('Zinc and colds', '', typed('Case Reports'))), 'case_report');
  });

  const titles: readonly (readonly [string, EvidenceLevel])[] = [
    ['Ginger for nausea: a meta-analysis of randomised trials', 'meta_analysis'],
    ['Ginger for nausea: an umbrella review', 'systematic_review'],
    ['Ginger for nausea in pregnancy: a cluster randomised trial', 'rct'],
    ['Ginger for nausea: protocol for a randomised controlled trial', 'other'],
    ['Study protocol for a systematic review of ginger', 'other'],
    ['Ginger in older adults: trial design and methodology of a randomised trial', 'other'],
    ['Baseline characteristics of adults in a randomised trial of ginger', 'cross_sectional'],
    ['Ginger and worms in goat kids: a randomised trial', 'animal'],
    ['Correction to: Ginger for nausea, a randomised trial', 'other'],
    ['Retraction: Ginger for nausea, a randomised trial', 'other'],
    ['Garlic intake and gastric cancer: a prospective cohort study', 'cohort'],
    ['Garlic intake and gastric cancer: a case-control study', 'case_control'],
    ['Use of garlic in older adults: a cross-sectional survey', 'cross_sectional'],
    ['Liver injury after green tea extract: a case report', 'case_report'],
    ['Position statement of the society: vitamin D in athletes', 'guideline'],
    ['Curcumin in ageing: a narrative review', 'expert_opinion'],
    ['Taurine supplementation in rats: a randomised controlled trial', 'animal'],
    ['Quercetin slows growth of HepG2 cells in vitro', 'in_vitro'],
  ];
  for (const [title, level] of titles)
    it(`reads "${title}" as ${level}`, () => assert.equal(levelOf(article(title)), level));

  it('distinguishes the correction of a deficiency from a correction notice', () => {
    assert.equal(levelOf(article('Correction of vitamin D deficiency in hepatitis: a randomised trial')), 'rct');
  });

  it('reads a comparison of dosing schedules as a randomised trial', () => {
    assert.equal(levelOf(article('A randomised comparison of two creatine loading schedules in cyclists')), 'rct');
  });

  it('reads randomisation of the study itself, not of cited trials', () => {
    const own = 'Twenty cyclists were randomly assigned to taurine or placebo. Power was measured.';
    const cited = 'This review discusses taurine. Randomised trials by others have shown small gains in power.';
    assert.equal(levelOf(article('Taurine and power', own)), 'rct');
    assert.equal(levelOf(article('Taurine and power', cited)), 'expert_opinion');
  });

  it('does not read a call for a randomised trial as one', () => {
    const wish = 'Twenty women received a probiotic. A randomised controlled trial is needed to confirm these data.';
    assert.equal(levelOf(article('A probiotic in pregnancy', wish)), 'other');
  });

  it('does not infer randomisation from blinding or from "non-randomised"', () => {
    const blind = 'In a double-blind crossover study ten cyclists ingested taurine and placebo.';
    const open = 'In this non-randomised study 30 patients received taurine and 30 did not.';
    assert.equal(levelOf(article('Taurine and power', blind)), 'other');
    assert.equal(levelOf(article('Taurine and liver', open)), 'other');
  });

  it('prefers randomisation in the methods to the publication type "Case Reports"', () => {
    const filed = typed('Case Reports');
    const bodyText = 'Thirty-two patients were randomly assigned to zinc or placebo.';
    assert.equal(levelOf(article('Zinc for gums', 'Gums were measured.', { ...filed, bodyText })), 'rct');
  });

  it('reads randomisation from the full text when the abstract does not mention it', () => {
    const record = article('Taurine and power', 'Thirty students received taurine for a week.', {
      bodyText: 'Participants were randomly allocated by a computer list.',
    });
    assert.equal(levelOf(record), 'rct');
  });

  it('does not read the cross-sectional area of a muscle as a cross-sectional study', () => {
    const abstract = 'Twelve men performed squats after taking leucine. The cross-sectional area of the thigh grew.';
    assert.equal(levelOf(article('Leucine and squats', abstract)), 'other');
  });

  it('prefers the design that the editor states', () => {
    assert.equal(levelOf(article('Ginger: a meta-analysis', '', { stated })), 'cohort');
  });

  it('determines the source class', () => {
    const classOf = (record: SourceRecord) => grade(record).sourceClass;
    assert.equal(classOf(article('Ginger: a meta-analysis')), 'systematic_review');
    assert.equal(classOf(article('Ginger: a randomised trial')), 'pubmed_article');
    assert.equal(classOf(article('Ginger: a randomised trial', '', typed('Preprint'))), 'preprint');
    assert.equal(classOf(article('Consensus statement on ginger')), 'guideline');
    assert.equal(classOf({ ...article('Ginger'), origin: 'ctgov' }), 'clinical_trial');
  });
});
