import assert from 'node:assert/strict';
import { findControl } from '#plugins/evidence/reading/control-arm.ts';
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

describe('reading arms that the text names in other words', () => {
  const marksOf = (intervention: string, comparator: string, text: string): string[] =>
    markPassage({ intervention, comparator, outcome: 'pain' }, text)
      .filter(({ isHint }) => isHint)
      .map(({ text: word }) => word);
  const words = (marks: readonly string[]) => marks.filter((mark) => mark === 'up' || mark === 'down');

  it('knows the letter of a group from the prompt', () => {
    const marks = marksOf('clonidine (group A)', 'saline (group B)', 'Pain was lower in group B than in group A.');
    assert.deepEqual(marks, ['up']);
  });
  it('knows the letter of a group from the first letter of its drug', () => {
    assert.deepEqual(marksOf('propofol', 'saline', 'Pain was lower in group P than in group S.'), ['down']);
  });
  it('takes the bare word for the arm that had it when the other arm went without', () => {
    assert.deepEqual(marksOf('weekly lessons', 'no coaching', 'Pain was lower in those who had coaching.'), ['down']);
  });
  it('does not take "in comparison with" for the comparator', () => {
    assert.deepEqual(marksOf('zinc', 'placebo', 'Zinc reduced pain in comparison with placebo.'), ['down']);
  });
  it('does not take "treated" behind the name of the comparator for the intervention', () => {
    assert.deepEqual(marksOf('zinc', 'iron', 'Pain was lower in iron-treated adults.'), ['up']);
  });
  it('does not end a sentence behind "vs."', () => {
    const marks = marksOf('zinc', 'placebo', 'Pain with zinc was 3.2 mm vs. 4.1 mm with placebo.');
    assert.deepEqual(words(marks), ['down', 'down']);
  });
  it('turns a reduction that was called smaller', () => {
    assert.deepEqual(marksOf('zinc', 'placebo', 'There was less reduction of pain with zinc.').at(-1), 'up');
  });
  it('compares shares and not the counts beside them', () => {
    const text = 'Pain remained in 19 of 70 (27 %) with placebo and in 20 of 120 (17 %) with zinc.';
    assert.ok(words(marksOf('zinc', 'placebo', text)).every((mark) => mark === 'down'));
  });
  it('compares figures that stand in the order of the arms', () => {
    const text = 'In the zinc and placebo groups pain was 3.2 and 4.1, respectively.';
    assert.ok(words(marksOf('zinc', 'placebo', text)).every((mark) => mark === 'down'));
  });
  it('reads figures before and after a treatment in the order of time', () => {
    assert.ok(marksOf('zinc', 'baseline', 'Pain was 5.1 vs 3.2 mm.').includes('down'));
  });
  it('does not count a reduction in the name of the outcome', () => {
    const marked = markPassage(
      { intervention: 'zinc', comparator: 'placebo', outcome: 'pain reduction' },
      'Pain reduction was greater with zinc.',
    );
    assert.deepEqual(
      marked.filter(({ isHint }) => isHint).map(({ text }) => text),
      ['up'],
    );
  });
});

describe('reading which arm is the control', () => {
  it('takes the arm that went without for the control', () => {
    assert.equal(findControl('zinc', 'no zinc'), -1);
  });
  it('takes the surer of two control words', () => {
    assert.equal(findControl('standard zinc', 'placebo'), -1);
  });
  it('does not take "standard" inside a long name for a control', () => {
    assert.equal(findControl('doses set by standard meters', 'doses set by hunger'), 0);
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
