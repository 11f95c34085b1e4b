import assert from 'node:assert/strict';
import { readEffectSize } from '#plugins/evidence/reading/effect-size.ts';
import { readHints } from '#plugins/evidence/reading/hints.ts';
import { markPassage } from '#plugins/evidence/reading/marked-passage.ts';
import { splitAbstract } from '#plugins/evidence/reading/sentences.ts';
import { readArms, readHarms } from '#plugins/evidence/reading/study-arms.ts';
import { readValence } from '#plugins/evidence/reading/valence.ts';
import { TRIAL } from './support.ts';

const wordsOf = (text: string): string[] => readHints(text).map(({ words }) => words.join(' '));
const prompt = { intervention: 'zinc', comparator: 'placebo', outcome: 'duration of colds' };
const hintsOf = (text: string): string[] =>
  markPassage(prompt, text)
    .filter(({ isHint }) => isHint)
    .map(({ text: word }) => word);

describe('reading statistics', () => {
  it('reads a p-value below 0.05 as significant', () => {
    assert.deepEqual(wordsOf('shorter (p = 0.03)'), ['p significant']);
  });
  it('reads a p-value above 0.05 as not significant', () => {
    assert.deepEqual(wordsOf('shorter (P=.31)'), ['p not significant']);
  });
  it('reads a ratio whose interval holds 1 as not significant', () => {
    assert.deepEqual(wordsOf('relative risk 0.85 (95% CI 0.65 to 1.12)'), ['not significant']);
  });
  it('reads a ratio whose interval lies below 1 as significantly lower', () => {
    assert.deepEqual(wordsOf('odds ratio 0.60 (95% CI 0.41 to 0.88)'), ['significant lower']);
  });
});

describe('reading arms', () => {
  it('knows which arm is higher when the intervention is named first', () => {
    assert.deepEqual(hintsOf('The duration of colds was longer with zinc than with placebo.'), ['up']);
  });
  it('knows which arm is higher when the comparator is named first', () => {
    assert.deepEqual(hintsOf('The duration of colds was longer with placebo than with zinc.'), ['down']);
  });
  it('knows the subject of a sentence that begins with the comparison', () => {
    assert.deepEqual(hintsOf('Compared with placebo, zinc reduced the duration of colds.'), ['down']);
  });
  it('compares the figures of two arms', () => {
    assert.ok(hintsOf('Colds lasted 4.1 days in the zinc arm and 6.3 days in the placebo arm.').includes('down'));
  });
});

describe('reading the parts of an abstract', () => {
  it('gives the place of every sentence in the original text', () => {
    for (const { text, start, end } of splitAbstract(TRIAL.abstract))
      assert.equal(TRIAL.abstract.slice(start, end), text);
  });
  it('knows the sections by their labels', () => {
    const sections = splitAbstract(TRIAL.abstract).map(({ section }) => section);
    assert.deepEqual(sections, ['background', 'methods', 'results', 'results', 'results', 'conclusion']);
  });
  it('reads comparator, dose and duration', () => {
    assert.deepEqual(readArms(splitAbstract(TRIAL.abstract)), {
      comparator: { value: 'placebo', sentence: 1 },
      dose: { value: '400 mg daily', sentence: 1 },
      duration: { value: '8 weeks', sentence: 1 },
    });
  });
  it('reads that no adverse events were reported', () => {
    assert.deepEqual(
      readHarms(splitAbstract(TRIAL.abstract)).map(({ value }) => value),
      ['none_reported'],
    );
  });
  it('reads that adverse events were more common', () => {
    const [harm] = readHarms(splitAbstract('Adverse events were more common with zinc than with placebo.'));
    assert.equal(harm?.value, 'more');
  });
  it('reads a hazard ratio with its interval', () => {
    assert.deepEqual(readEffectSize('Deaths were fewer (HR 0.83, 95% CI 0.70 to 0.98).'), {
      measure: 'HR',
      value: 0.83,
      low: 0.7,
      high: 0.98,
      unit: '',
    });
  });
  it('reads a change in per cent', () => {
    assert.deepEqual(readEffectSize('Cholesterol was 12.5% lower with oats.'), {
      measure: 'percent',
      value: 12.5,
      low: null,
      high: null,
      unit: '%',
    });
  });
  it('knows outcomes of which less is better', () => {
    for (const outcome of ['pain', 'systolic blood pressure', 'all-cause mortality', 'body weight', 'sleep latency'])
      assert.equal(readValence(outcome), -1, outcome);
  });
  it('knows outcomes of which more is better', () => {
    for (const outcome of ['muscle strength', 'sleep quality', 'bone mineral density', 'live birth', 'quality of life'])
      assert.equal(readValence(outcome), 1, outcome);
  });
  it('leaves an unknown outcome without a valence', () => {
    assert.equal(readValence('number of website visits'), 0);
  });
});
