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

describe('readHints', () => {
  it('reads a p-value below 0.05 as significant', () => {
    assert.deepEqual(wordsOf('shorter (p = 0.03)'), ['p significant']);
  });
  it('reads a p-value above 0.05 as not significant', () => {
    assert.deepEqual(wordsOf('shorter (P=.31)'), ['p not significant']);
  });
  it('reads a ratio whose interval contains 1 as not significant', () => {
    assert.deepEqual(wordsOf('relative risk 0.85 (95% CI 0.65 to 1.12)'), ['not significant']);
  });
  it('reads a ratio whose interval is below 1 as significantly lower', () => {
    assert.deepEqual(wordsOf('odds ratio 0.60 (95% CI 0.41 to 0.88)'), ['significant lower']);
  });
});

describe('markPassage', () => {
  it('detects the higher arm when the intervention is named first', () => {
    assert.deepEqual(hintsOf('The duration of colds was longer with zinc than with placebo.'), ['up']);
  });
  it('detects the higher arm when the comparator is named first', () => {
    assert.deepEqual(hintsOf('The duration of colds was longer with placebo than with zinc.'), ['down']);
  });
  it('detects the subject of a sentence that begins with the comparison', () => {
    assert.deepEqual(hintsOf('Compared with placebo, zinc reduced the duration of colds.'), ['down']);
  });
  it('compares the values of two arms', () => {
    assert.ok(hintsOf('Colds lasted 4.1 days in the zinc arm and 6.3 days in the placebo arm.').includes('down'));
  });
});

describe('markPassage for arms named by letters or other words', () => {
  const marksOf = (intervention: string, comparator: string, text: string): string[] =>
    markPassage({ intervention, comparator, outcome: 'pain' }, text)
      .filter(({ isHint }) => isHint)
      .map(({ text: word }) => word);
  const words = (marks: readonly string[]) => marks.filter((mark) => mark === 'up' || mark === 'down');

  it('matches group letters that the prompt states', () => {
    const marks = marksOf('clonidine (group A)', 'saline (group B)', 'Pain was lower in group B than in group A.');
    assert.deepEqual(marks, ['up']);
  });
  it('matches group letters to the first letters of the drugs', () => {
    assert.deepEqual(marksOf('propofol', 'saline', 'Pain was lower in group P than in group S.'), ['down']);
  });
  it('assigns a single word to the arm that received it when the other arm received none', () => {
    assert.deepEqual(marksOf('weekly lessons', 'no coaching', 'Pain was lower in those who had coaching.'), ['down']);
  });
  it('does not read "in comparison with" as the comparator', () => {
    assert.deepEqual(marksOf('zinc', 'placebo', 'Zinc reduced pain in comparison with placebo.'), ['down']);
  });
  it('does not read "treated" after the name of the comparator as the intervention', () => {
    assert.deepEqual(marksOf('zinc', 'iron', 'Pain was lower in iron-treated adults.'), ['up']);
  });
  it('does not end a sentence after "vs."', () => {
    const marks = marksOf('zinc', 'placebo', 'Pain with zinc was 3.2 mm vs. 4.1 mm with placebo.');
    assert.deepEqual(words(marks), ['down', 'down']);
  });
  it('reverses the direction of a smaller reduction', () => {
    assert.deepEqual(marksOf('zinc', 'placebo', 'There was less reduction of pain with zinc.').at(-1), 'up');
  });
  it('compares percentages rather than the counts next to them', () => {
    const text = 'Pain remained in 19 of 70 (27 %) with placebo and in 20 of 120 (17 %) with zinc.';
    assert.ok(words(marksOf('zinc', 'placebo', text)).every((mark) => mark === 'down'));
  });
  it('compares values listed in the order of the arms', () => {
    const text = 'In the zinc and placebo groups pain was 3.2 and 4.1, respectively.';
    assert.ok(words(marksOf('zinc', 'placebo', text)).every((mark) => mark === 'down'));
  });
  it('reads values before and after a treatment in chronological order', () => {
    assert.ok(marksOf('zinc', 'baseline', 'Pain was 5.1 vs 3.2 mm.').includes('down'));
  });
  it('ignores a reduction in the name of the outcome', () => {
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

describe('findControl', () => {
  it('identifies the arm without treatment as the control', () => {
    assert.equal(findControl('zinc', 'no zinc'), -1);
  });
  it('prefers the more specific of two control words', () => {
    assert.equal(findControl('standard zinc', 'placebo'), -1);
  });
  it('does not read "standard" inside a long name as a control', () => {
    assert.equal(findControl('doses set by standard meters', 'doses set by hunger'), 0);
  });
});

describe('parts of an abstract', () => {
  it('splits an abstract into sentences with their positions in the original text', () => {
    for (const { text, start, end } of splitAbstract(TRIAL.abstract))
      assert.equal(TRIAL.abstract.slice(start, end), text);
  });
  it('detects sections by their labels', () => {
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
  it('reads a statement that no adverse events were reported', () => {
    assert.deepEqual(
      readHarms(splitAbstract(TRIAL.abstract)).map(({ value }) => value),
      ['none_reported'],
    );
  });
  it('reads a statement that adverse events were more common', () => {
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
  it('reads a percentage change', () => {
    assert.deepEqual(readEffectSize('Cholesterol was 12.5% lower with oats.'), {
      measure: 'percent',
      value: 12.5,
      low: null,
      high: null,
      unit: '%',
    });
  });
  it('classifies outcomes of which a lower value is better', () => {
    for (const outcome of ['pain', 'systolic blood pressure', 'all-cause mortality', 'body weight', 'sleep latency'])
      assert.equal(readValence(outcome), -1, outcome);
  });
  it('classifies outcomes of which a higher value is better', () => {
    for (const outcome of ['muscle strength', 'sleep quality', 'bone mineral density', 'live birth', 'quality of life'])
      assert.equal(readValence(outcome), 1, outcome);
  });
  it('gives an unknown outcome no valence', () => {
    assert.equal(readValence('number of website visits'), 0);
  });
});
