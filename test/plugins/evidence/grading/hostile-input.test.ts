import assert from 'node:assert/strict';
import { grade } from '../../../../plugins/evidence/grading/grade.ts';
import { compileVocabulary } from '../../../../plugins/evidence/matching/matcher.ts';
import { article, magnesiumTrial } from './records.ts';

const LENGTH = 200_000;
const PIECES = [
  '1',
  '1,',
  '1,234 ',
  '1 ',
  'n = 12 ',
  '(n=',
  'one hundred and ',
  '12 patients were randomly ',
  'did not no not without any ',
  'pubmed medline embase ',
  'patients with ',
  'results: ',
  'A. ',
  'provided funded Inc ',
  'increased the risk ',
  'A grant from ',
  'the primary outcome was ',
  'p = 0.04, ',
  'ratio 0.7 (95% ci 0.3-1.8) ',
  'compared with the placebo ',
  'neither effects of 12 were randomised to a and ',
  'zinc ',
  ' ',
  'é-',
];
const matcher = compileVocabulary({
  supplements: [{ slug: 'zinc', name: 'Zinc', latinName: '', synonyms: ['zinc zinc zinc zinc gluconate'], forms: [] }],
  topics: [],
});

describe('hostile input', () => {
  for (const piece of PIECES) {
    it(`grades and matches 200 kB of "${piece}" quickly`, () => {
      const text = piece.repeat(Math.ceil(LENGTH / piece.length));
      const record = article(text, text, { bodyText: text, fundingText: text, keywords: [text] });
      const started = performance.now();
      const grading = grade(record);
      matcher.match(record);
      assert.ok(performance.now() - started < 600);
      assert.ok(grading.qualityScore >= 0 && grading.qualityScore <= 100);
    });
  }

  it('grades an empty record', () => {
    const grading = grade(article(''));
    assert.equal(grading.qualityTier, 'D');
    assert.equal(grading.sampleSize, '');
  });

  it('grades an ordinary abstract in well under a millisecond', () => {
    const trial = magnesiumTrial('64 adults');
    const record = { ...trial, abstract: `${trial.abstract} ${'The diary was kept by hand each night. '.repeat(40)}` };
    for (let round = 0; round < 300; round += 1) grade(record);
    const started = performance.now();
    for (let round = 0; round < 300; round += 1) grade(record);
    assert.ok((performance.now() - started) / 300 < 1.5);
  });
});
