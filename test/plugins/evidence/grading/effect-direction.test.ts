import assert from 'node:assert/strict';
import { grade } from '../../../../plugins/evidence/grading/grade.ts';
import type { EffectDirection } from '../../../../plugins/evidence/source-record.ts';
import { article } from './records.ts';

const METHODS =
  'Background: Sleep matters. Methods: Sixty adults were randomised to magnesium or placebo for eight weeks. ';
const TITLE = 'Magnesium and sleep: a randomised, placebo-controlled trial';

const directionOf = (text: string, bodyText = ''): EffectDirection =>
  grade(article(TITLE, METHODS + text, { bodyText })).direction;

describe('direction of effect, verified against the reported statistics', () => {
  const cases: readonly (readonly [string, string, EffectDirection])[] = [
    [
      'believes a benefit that stands between the groups',
      'Results: Sleep was longer with magnesium compared with placebo (p = 0.01). Conclusions: Magnesium improved sleep.',
      'positive',
    ],
    [
      'takes a benefit only within a group, beside none between the groups, for none',
      'Results: Sleep rose from baseline in both groups (p < 0.001). There was no significant difference between the groups (p = 0.4). Conclusions: Magnesium improved sleep.',
      'null',
    ],
    [
      'calls a benefit that was tested against baseline only unclear',
      'Results: Compared to baseline, sleep was significantly longer after treatment (p < 0.05). Conclusions: Magnesium may improve sleep.',
      'unclear',
    ],
    [
      'goes by the primary outcome when the conclusion goes by others',
      'Results: The primary outcome did not differ between groups (p = 0.31). Mood was better than with placebo (p = 0.02). Conclusions: Magnesium improved mood.',
      'null',
    ],
    [
      'calls two primary outcomes that disagree mixed',
      'Results: Sleep was better than with placebo at the primary endpoint (p = 0.02). No difference was detected between groups in memory. Activity was not different between groups. Conclusions: Magnesium improved sleep.',
      'mixed',
    ],
    [
      'counts the p-values of a list',
      'Results: Compared with placebo, magnesium changed sleep (p = 0.21), mood (p = 0.34) and pain (p = 0.40) and improved appetite (p = 0.03). Waking did not differ between groups. Conclusions: Magnesium may improve appetite.',
      'mixed',
    ],
    [
      'hears the doubt of the authors',
      'Results: Sleep was longer with magnesium than with placebo (p = 0.04). Conclusions: Magnesium improved sleep, but this should be interpreted with caution.',
      'unclear',
    ],
    [
      'takes two treatments that come to the same for no effect',
      'Results: Both were active. Conclusions: Magnesium was as effective as zopiclone.',
      'null',
    ],
    [
      'does not read a gain into its denial',
      'Results: Diaries were kept. Conclusions: Magnesium is safe but ineffective for improving sleep.',
      'null',
    ],
    [
      'keeps a harm that the conclusion names, whatever the primary outcome did',
      'Results: The primary outcome did not differ between groups (p = 0.6). Conclusions: Magnesium was detrimental to waking.',
      'negative',
    ],
    [
      'reads the results where the conclusion names no effect',
      'Results: Sleep did not differ between groups (p = 0.6). Conclusions: Larger doses are of interest.',
      'null',
    ],
    [
      'passes over differences before anything was given',
      'Results: At baseline, there was no significant difference between the groups (p = 0.7). Sleep was longer than with placebo (p = 0.01). Conclusions: Magnesium improved sleep.',
      'positive',
    ],
  ];
  for (const [rule, text, direction] of cases) it(rule, () => assert.equal(directionOf(text), direction));

  it('lets the full text deny a benefit in the primary outcome', () => {
    const abstract = 'Results: Diaries were kept. Conclusions: Magnesium improved sleep.';
    const body =
      'The primary outcome was actigraphic sleep efficiency. Other measures were taken as well. The diaries were read by two people who did not know the groups. ';
    const denied = 'Actigraphic sleep efficiency was not different between the groups (p = 0.52).';
    assert.equal(directionOf(abstract, body + denied), 'null');
    assert.equal(directionOf(abstract), 'positive');
  });

  it('ignores registration and funding sentences at the end of an unstructured abstract', () => {
    const text =
      'Sleep was no longer than with placebo. Magnesium had no effect on sleep. ClinicalTrials.gov identifier NCT01234567.';
    assert.equal(grade(article(TITLE, `Sixty adults were randomised. ${text}`)).direction, 'null');
  });
});
