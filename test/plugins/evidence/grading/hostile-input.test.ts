import assert from 'node:assert/strict';
import { grade } from '../../../../plugins/evidence/grading/grade.ts';
import { compileVocabulary } from '../../../../plugins/evidence/matching/matcher.ts';
import { article } from './records.ts';

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

/** Returns CPU time in milliseconds: the minimum of three runs, which reduces the effect of other load. */
const costOf = (work: () => void): number =>
  Math.min(
    ...[1, 2, 3].map(() => {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    }),
  );

describe('hostile input', () => {
  for (const piece of PIECES) {
    it(`takes time linear in the length of repeated "${piece}" to grade and match`, () => {
      const costOfLength = (length: number): number => {
        const text = piece.repeat(Math.ceil(length / piece.length));
        const record = article(text, text, { bodyText: text, fundingText: text, keywords: [text] });
        return costOf(() => {
          const { qualityScore } = grade(record);
          matcher.match(record);
          assert.ok(qualityScore >= 0 && qualityScore <= 100);
        });
      };
      const [half, whole] = [costOfLength(LENGTH / 2), costOfLength(LENGTH)];
      // Quadratic growth takes four times as long, which is far above the noise of a few milliseconds.
      assert.ok(whole < 3 * half + 40, `${whole} ms for ${LENGTH} characters, ${half} ms for half of them`);
    });
  }

  it('gives an empty record tier D and no sample size', () => {
    const grading = grade(article(''));
    assert.equal(grading.qualityTier, 'D');
    assert.equal(grading.sampleSize, '');
  });
});
