import assert from 'node:assert/strict';
import { grade } from '../../../../plugins/evidence/grading/grade.ts';
import { findNumbers } from '../../../../plugins/evidence/grading/number-words.ts';
import { article, stated } from './records.ts';

const TRIAL = { publicationTypes: ['Randomized Controlled Trial'] };
const sizeOf = (abstract: string, title = 'Zinc for colds'): number | null =>
  grade(article(title, abstract, TRIAL)).sampleSizeN;

describe('findNumbers', () => {
  const cases: readonly (readonly [string, number])[] = [
    ['twenty-four', 24],
    ['one hundred and seventy-four', 174],
    ['two thousand four hundred forty-four', 2444],
    ['one thousand ninety-nine', 1099],
    ['1,208', 1208],
    ['12 345', 12345],
  ];
  for (const [text, value] of cases) {
    it(`parses ${text}`, () =>
      assert.deepEqual(
        findNumbers(text).map((found) => found.value),
        [value],
      ));
  }
  it('does not combine adjacent numbers', () => {
    assert.deepEqual(
      findNumbers('twenty, six and 30 or 2012 120').map((found) => found.value),
      [20, 6, 30, 2012, 120],
    );
  });
});

describe('sample size of a single study', () => {
  const cases: readonly (readonly [string, number | null])[] = [
    ['A total of 1,208 adults with colds were enrolled.', 1208],
    ['Sixty-four healthy men were randomised to zinc or placebo.', 64],
    ['We randomly assigned 212 women to zinc or placebo.', 212],
    ['Participants (n = 64) were allocated to two groups.', 64],
    ['Zinc (n = 31) was compared with placebo (n = 33).', 64],
    ['Patients (N = 90) received zinc (n = 45) or placebo (n = 45).', 90],
    ['Children were divided into two groups, 32 in each group.', null],
    ['Children were divided into three groups (n = 20 per group).', 60],
    ['In each of two groups of 14 women, zinc was measured.', 28],
    ['The players (14 males, 12 females) took zinc.', 26],
    ['Of 900 people screened, 120 patients were randomised; 110 completed.', 120],
    ['In 2012 patients aged 65 years took 30 mg for 12 weeks; 45% improved.', null],
    ['Adults aged 18 to 65 years took 50 mg of zinc for 8 weeks (p = 0.04).', null],
    ['The trial included 86 women. Forty-one women were assigned to zinc and 39 women to placebo.', 86],
    ['Eighty-one type 2 diabetic patients were included.', 81],
    ['In this trial, 24 older volunteers took zinc. Four participants withdrew.', 24],
  ];
  for (const [abstract, size] of cases)
    it(`reads ${size} in "${abstract}"`, () => assert.equal(sizeOf(abstract), size));

  it('counts the animals in an animal study, not people mentioned later', () => {
    const record = article('Zinc in broilers', 'A total of 240 broilers were fed zinc. It may help 500 patients.');
    assert.equal(grade(record).sampleSizeN, 240);
  });

  it('is read from the full text when the abstract states none', () => {
    const record = article('Zinc for colds: a randomised trial', 'Zinc was compared with placebo.', {
      bodyText: 'We recruited 88 volunteers from a university.',
    });
    assert.equal(grade(record).sampleSizeN, 88);
  });

  it('takes the number randomised from the full text when the abstract counts only completers', () => {
    const finished = 'We randomised adults with colds to zinc or placebo. Fifty-seven adults completed the trial.';
    const sizeWith = (bodyText: string): number | null =>
      grade(article('Zinc for colds: a randomised trial', finished, { bodyText })).sampleSizeN;
    assert.equal(sizeWith('Of 90 people screened, 64 were randomised.'), 64);
    assert.equal(sizeWith('In the parent trial, 640 adults were randomised.'), 57);
    assert.equal(sizeWith('Participants avoided tea for 60 h and were randomised. 60 schools were randomised.'), 57);
  });

  it('takes the total rather than the size of one of its equal arms', () => {
    const text =
      'The study population consisted of 192 patients. Sixty-four patients were given zinc. Another group of 64 patients was given copper. A third group of 64 patients received placebo.';
    assert.equal(grade(article('Zinc for colds', text)).sampleSizeN, 192);
  });

  it('prefers the number of the editor or the registry', () => {
    assert.equal(grade(article('Zinc', 'A total of 10 men took part.', { stated })).sampleSizeN, 321);
    const trial = { ...article('Zinc'), origin: 'ctgov' as const, enrolment: 354, trialStatus: 'RECRUITING' };
    assert.equal(grade(trial).sampleSize, '354 (planned)');
    assert.equal(grade({ ...trial, trialStatus: 'COMPLETED' }).sampleSize, '354');
  });
});

describe('sample size of a review', () => {
  const reviewed = (abstract: string): string => grade(article('Zinc for colds: a meta-analysis', abstract)).sampleSize;

  it('includes the numbers of participants and studies', () => {
    assert.equal(reviewed('Twelve RCTs (1,208 participants) were included.'), '1,208 in 12 studies');
    assert.equal(reviewed('A total of 16 studies enrolling 999 subjects met the criteria.'), '999 in 16 studies');
    assert.equal(reviewed('We pooled data. The meta-analysis comprised 394 people.'), '394');
  });

  it('gives only the number of studies when participants are not counted', () => {
    assert.equal(reviewed('Nine trials were included.'), '9 studies');
  });

  it('does not count search results', () => {
    assert.equal(reviewed('The search identified 1,540 articles, of which 9 trials were included.'), '9 studies');
  });
});
