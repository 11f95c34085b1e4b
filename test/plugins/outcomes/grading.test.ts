import assert from 'node:assert/strict';
import { groupsIn } from '#plugins/evidence/index.ts';
import { sizeInWords } from '#plugins/outcomes/grade-words.ts';
import { describeMethod } from '#plugins/outcomes/grading/describe-method.ts';
import { gradeOutcome } from '#plugins/outcomes/grading/grade-outcome.ts';
import { CEILINGS, CERTAINTIES, DOWNGRADES, SIZE_LIMITS } from '#plugins/outcomes/grading/method.ts';
import type { EffectSize, OutcomeClaim, OutcomeSource } from '#plugins/outcomes/grading/source.ts';
import { levelOf } from '#plugins/outcomes/grading/stated-sizes.ts';
import { weighSources } from '#plugins/outcomes/grading/weigh-sources.ts';
import { claim, registered, review, trial } from './support.ts';

const COLDS = { supplement: 'zinc', topic: 'colds' };
const grade = (sources: readonly OutcomeSource[], claims: readonly OutcomeClaim[] = [], question = COLDS) =>
  weighSources(question, sources, claims);
const short = (sources: readonly OutcomeSource[], claims: readonly OutcomeClaim[] = [], question = COLDS): string => {
  const { certainty, direction } = grade(sources, claims, question);
  return `${certainty} ${direction}`;
};
const codes = (sources: readonly OutcomeSource[], claims: readonly OutcomeClaim[] = [], question = COLDS): string[] => {
  const { reasons, caps } = grade(sources, claims, question);
  return [...reasons, ...caps].map(({ code }) => code);
};
const rank = (certainty: string): number => CERTAINTIES.indexOf(certainty as 'high');
const strong = (fields: Partial<OutcomeSource> = {}) => trial({ qualityTier: 'A', qualityScore: 80, ...fields });
const size = (fields: Partial<EffectSize>): EffectSize => ({
  topic: 'colds',
  measure: 'SMD',
  value: 0.5,
  outcome: 'length of a cold',
  direction: 'positive',
  ...fields,
});
/** Returns the fields of an unread source with a direction classified by a program. */
const readByProgram = (direction: string, probability: number, more: object = {}): Partial<OutcomeSource> => ({
  read: '',
  effectDirection: 'unclear',
  findings: [{ ...COLDS, by: 'program', outcome: '', direction, probability, ...more }] as OutcomeSource['findings'],
});

describe('weighSources()', () => {
  it('returns high only for two tier A sources that agree', () => {
    assert.equal(short([review(), strong()]), 'high positive');
    assert.equal(short([review(), trial()]), 'moderate positive');
    assert.equal(short([trial(), trial()]), 'moderate positive');
  });

  it('lowers certainty step by step and returns the reason', () => {
    const cases: readonly [string, readonly OutcomeSource[], string, string][] = [
      ['tier B only', [trial(), trial()], 'moderate positive', 'bias'],
      ['tier D only', [trial({ qualityTier: 'D' }), trial({ qualityTier: 'D' })], 'low positive', 'bias_serious'],
      ['few people', [strong({ sampleSizeN: 100 }), strong({ sampleSizeN: 100 })], 'moderate positive', 'imprecision'],
      [
        'hardly any people',
        [strong({ sampleSizeN: 20 }), strong({ sampleSizeN: 20 })],
        'low positive',
        'imprecision_serious',
      ],
      [
        'size unknown',
        [strong({ sampleSizeN: null }), strong({ sampleSizeN: null })],
        'moderate positive',
        'imprecision',
      ],
      [
        'one of four says no',
        [strong(), strong(), strong(), strong({ effectDirection: 'null' })],
        'moderate positive',
        'inconsistency',
      ],
      [
        'half say no',
        [strong(), strong(), strong({ effectDirection: 'null' }), strong({ effectDirection: 'null' })],
        'low mixed',
        'inconsistency_serious',
      ],
      [
        'all mixed',
        [strong({ effectDirection: 'mixed' }), strong({ effectDirection: 'mixed' })],
        'low mixed',
        'mixed_results',
      ],
      [
        'with others',
        [strong({ supplements: ['zinc', 'iron'] }), strong({ supplements: ['zinc', 'iron'] })],
        'moderate positive',
        'indirect_combined',
      ],
      [
        'about another',
        [strong({ supplements: ['iron', 'zinc'] }), strong({ supplements: ['iron', 'zinc'] })],
        'low positive',
        'indirect_other',
      ],
      [
        'mostly unread',
        [strong(), strong(), ...[1, 2, 3].map(() => strong({ read: '' }))],
        'moderate positive',
        'unjudged',
      ],
    ];
    for (const [name, sources, expected, code] of cases) {
      assert.equal(short(sources), expected, name);
      assert.ok(codes(sources).includes(code), `${name}: ${codes(sources)}`);
    }
  });

  it('starts low for observational studies and for reviews of them', () => {
    const cohort = () => trial({ evidenceLevel: 'cohort', sampleSizeN: 50_000 });
    assert.equal(short([cohort(), cohort()]), 'low positive');
    assert.equal(short([review({ observational: true }), review({ observational: true })]), 'low positive');
    assert.equal(
      short([trial({ evidenceLevel: 'case_report', qualityTier: 'D', sampleSizeN: 1 })]),
      'very_low positive',
    );
  });

  it('limits a single study to low, or to moderate when it is large and tier A, and a review to moderate', () => {
    assert.equal(short([strong()]), 'low positive');
    assert.equal(short([strong({ sampleSizeN: 5_000 })]), 'moderate positive');
    assert.equal(short([trial({ sampleSizeN: 5_000 })]), 'low positive');
    assert.equal(short([review()]), 'moderate positive');
    assert.ok(codes([strong()]).includes('one_study'));
    assert.ok(codes([review()]).includes('one_review'));
  });

  it('limits a single review below tier A to low', () => {
    assert.equal(short([review({ qualityTier: 'B' })]), 'low positive');
    assert.ok(codes([review({ qualityTier: 'B' })]).includes('one_weak_review'));
  });

  it('does not return no difference when a quarter of the weight is in favour', () => {
    const none = Array.from({ length: 6 }, (_, at) => strong({ sourceId: `null-${at}`, effectDirection: 'null' }));
    const mixed = Array.from({ length: 6 }, (_, at) => strong({ sourceId: `mixed-${at}`, effectDirection: 'mixed' }));
    assert.equal(short([...none, ...mixed.slice(0, 2)]).endsWith(' null'), true);
    assert.equal(short([...none, ...mixed]), 'low mixed');
  });

  it('counts two reports of one registered trial as one study', () => {
    const reports = [strong({ nctId: 'NCT99000009' }), strong({ nctId: 'NCT99000009' })];
    assert.equal(short(reports), 'low positive');
    assert.equal(short([strong({ nctId: 'NCT99000009' }), strong({ nctId: 'NCT99000010' })]), 'high positive');
  });

  it('does not return high when all evidence is funded by industry', () => {
    const paid = { funding: 'industry' } as const;
    assert.equal(short([review(paid), strong(paid), strong(paid)]), 'moderate positive');
    assert.ok(codes([review(paid), strong(paid)]).includes('industry_only'));
    assert.equal(short([review(paid), strong()]), 'high positive');
  });

  it('returns at most the certainty that the strongest review states on the outcome', () => {
    assert.equal(short([review({ certaintyStated: 'very_low' }), strong()]), 'very_low positive');
    const onAnother = review({ certaintyStated: 'very_low', topics: ['sleep', 'colds'], effectSizes: [size({})] });
    assert.equal(short([onAnother, strong()]), 'high positive');
  });

  it('returns very low and unclear when only animals or cells were studied', () => {
    const animals = trial({ species: 'animal', evidenceLevel: 'animal', qualityTier: 'D' });
    const cells = trial({ species: 'in_vitro', evidenceLevel: 'in_vitro', qualityTier: 'D' });
    assert.equal(short([animals, cells]), 'very_low unclear');
    assert.deepEqual(codes([animals, cells]), ['start_very_low', 'not_in_people']);
  });

  it('takes no direction from unread sources without a confident classification', () => {
    assert.equal(short([1, 2, 3, 4].map(() => review({ read: '' }))), 'very_low unclear');
    assert.ok(codes([review({ read: '' })]).includes('not_judged'));
    const unsure = [1, 2, 3].map(() => review(readByProgram('positive', 0.3)));
    assert.equal(short(unsure), 'very_low unclear');
    assert.equal(grade(unsure).isEnough, false);
  });

  it('takes a direction that a program classified with confidence, with low certainty at most', () => {
    const sources = [1, 2, 3, 4].map(() => review(readByProgram('positive', 0.99)));
    assert.equal(short(sources), 'low positive');
    assert.ok(codes(sources).includes('program_only'));
    assert.ok(!codes([...sources, review(), strong()]).includes('program_only'));
  });

  it('weighs a direction classified by a program by its probability', () => {
    const read = grade([strong(readByProgram('positive', 0.9)), strong({ effectDirection: 'null' })]).figures.weights;
    assert.ok(read.positive > 0 && Math.abs(read.positive - read.null * 0.9) < 0.01 * read.null);
  });

  it('ignores a classification on another supplement or outcome', () => {
    const other = review(readByProgram('positive', 0.99, { supplement: 'iron' }));
    const elsewhere = review(readByProgram('positive', 0.99, { topic: 'sleep' }));
    assert.equal(short([other, elsewhere]), 'very_low unclear');
  });

  it('needs a review or two trials when all sources were read by a program', () => {
    const trialRead = () => trial(readByProgram('positive', 0.99));
    assert.equal(grade([trialRead()]).isEnough, false);
    assert.equal(grade([trialRead(), trialRead()]).isEnough, true);
    assert.equal(grade([review(readByProgram('positive', 0.99))]).isEnough, true);
    assert.equal(grade([trial()]).isEnough, true);
  });

  it('uses the direction of the main outcome only for that outcome', () => {
    const other = strong({ topics: ['sleep', 'colds'] });
    assert.equal(short([other]), 'very_low unclear');
    assert.equal(short([other], [claim('null', other)]), 'low null');
    const measured = strong({ topics: ['sleep', 'colds'], effectSizes: [size({ direction: 'null' })] });
    assert.equal(short([measured]), 'low null');
  });

  it('lowers certainty for a claim that differs from the main result of its sources', () => {
    const [one, two] = [review({ effectDirection: 'mixed' }), strong({ effectDirection: 'mixed' })];
    const claims = [claim('null', one), claim('null', two)];
    assert.equal(short([one, two], claims), 'moderate null');
    assert.ok(codes([one, two], claims).includes('indirect_part'));
    assert.equal(
      short([one, strong({ effectDirection: 'null' }), strong({ effectDirection: 'null' })], claims),
      'high null',
    );
  });

  it('takes no direction from a study that compared only forms', () => {
    assert.equal(short([trial({ compares: 'forms', effectDirection: 'null' })]), 'very_low unclear');
    assert.equal(short([review(), strong(), trial({ compares: 'forms', effectDirection: 'null' })]), 'high positive');
    assert.equal(short([trial({ compares: 'active', effectDirection: 'negative' })]), 'low negative');
  });

  it('does not return positive when a quarter of the weight is negative', () => {
    const sources = [strong(), strong(), strong(), strong({ effectDirection: 'negative' })];
    assert.equal(short(sources), 'low mixed');
    assert.ok(codes(sources).includes('inconsistency_serious'));
  });

  it('lets a more cautious claim override the sources, but not a more favourable one', () => {
    const sources = [strong(), strong()];
    assert.equal(short(sources, [claim('mixed', ...sources)]), 'low mixed');
    assert.equal(short(sources, [claim('unclear', ...sources)]), 'very_low unclear');
    assert.equal(short(sources, [claim('negative', trial())]), 'low mixed');
    const nulls = [strong({ effectDirection: 'null' }), strong({ effectDirection: 'null' })];
    assert.equal(short(nulls, [claim('positive', ...nulls)]), 'low mixed');
    const against = [strong({ effectDirection: 'negative' }), strong({ effectDirection: 'negative' })];
    assert.equal(short(against, [claim('positive', ...against)]), 'high negative');
  });

  it('ignores a claim with a retracted source', () => {
    const [one, two] = [strong({ topics: ['sleep', 'colds'] }), strong({ topics: ['sleep', 'colds'] })];
    assert.equal(short([one, two], [claim('positive', one, two)]), 'high positive');
    assert.equal(short([one, two], [{ ...claim('positive', one, two), shaken: true }]), 'very_low unclear');
  });

  it('never returns benefit or no harm for the safety topic', () => {
    const question = { supplement: 'zinc', topic: 'safety' };
    const on = (effectDirection: string) => strong({ topics: ['safety'], effectDirection });
    assert.equal(short([on('positive'), on('positive')], [], question), 'very_low unclear');
    assert.equal(short([on('null'), on('null')], [], question), 'very_low unclear');
    assert.equal(short([on('negative'), on('negative')], [], question), 'low negative');
    assert.ok(codes([on('negative'), on('negative')], [], question).includes('safety'));
  });

  it('does not count retracted sources or registered trials without results', () => {
    const lost = strong({ retractionStatus: 'retracted', effectDirection: 'negative' });
    const { figures, certainty, direction } = grade([strong(), strong(), lost, registered()]);
    assert.deepEqual([certainty, direction], ['high', 'positive']);
    assert.deepEqual(
      [figures.sources, figures.counted, figures.retracted, figures.registered, figures.people.text],
      [3, 2, 1, 1, '1,000'],
    );
    assert.deepEqual(codes([lost]), ['start_very_low', 'all_retracted']);
    assert.ok(codes([registered()]).includes('only_registered'));
  });

  it('does not count papers without an abstract and reports when there is nothing else', () => {
    const listed = trial({ read: '', hasAbstract: false, species: 'unknown', effectDirection: 'unclear' });
    const { figures, certainty, direction } = grade([strong(), strong(), listed, listed]);
    assert.deepEqual([certainty, direction], ['high', 'positive']);
    assert.deepEqual([figures.sources, figures.counted, figures.only_listed, figures.not_in_people], [4, 2, 2, 0]);
    assert.deepEqual(codes([listed, trial({ species: 'animal' })]), ['start_very_low', 'only_listed']);
  });

  it('never raises certainty after the retraction of an agreeing source', () => {
    const sources = [review(), strong(), strong(), trial()];
    const before = grade(sources).certainty;
    for (const gone of sources) {
      const after = sources.map((one) => (one === gone ? { ...one, retractionStatus: 'retracted' as const } : one));
      assert.ok(rank(grade(after).certainty) >= rank(before));
    }
  });

  it('does not depend on the order of the sources', () => {
    const sources = [review(), strong({ effectDirection: 'mixed' }), trial({ effectDirection: 'null' }), registered()];
    assert.deepEqual(grade(sources), grade(sources.toReversed()));
    assert.notDeepEqual(grade(sources), grade(sources.slice(1)));
  });
});

describe('effect size', () => {
  it('is rated by published thresholds, with the same level for a ratio and its inverse', () => {
    const levels = [0.1, 0.2, 0.5, -0.8].map((value) => levelOf({ measure: 'SMD', value }));
    assert.deepEqual(levels, ['none', 'small', 'moderate', 'large']);
    const ratios = [1.05, 1.2, 0.6, 2.5, 0.4].map((value) => levelOf({ measure: 'RR', value }));
    assert.deepEqual(ratios, ['none', 'small', 'moderate', 'large', 'large']);
    assert.equal(levelOf({ measure: 'MD', value: 900 }), 'not_stated');
  });

  it('is taken from an entered figure, with its source', () => {
    const source = strong({ effectSizes: [size({ value: 0.6, low: 0.2, high: 1 })], title: 'Zinc and colds.' });
    const { magnitude } = grade([source, strong()]);
    assert.equal(magnitude.level, 'moderate');
    assert.equal(
      magnitude.basis,
      'Length of a cold: standardised difference 0.6 (95% interval 0.2 to 1), in adults, from “Zinc and colds” (2020), tier A. One trial only, of 500 people.',
    );
    assert.deepEqual(
      [magnitude.effect?.source_id, magnitude.effect?.population, magnitude.effect?.groups],
      [source.sourceId, 'adults', []],
    );
    assert.equal(grade([strong(), strong()]).magnitude.level, 'not_stated');
  });

  it('is the median of several figures and the smaller of two', () => {
    const of = (...values: readonly number[]) =>
      grade(values.map((value) => strong({ effectSizes: [size({ value })] }))).magnitude;
    assert.equal(of(0.1, 0.3, 0.9).effect?.value, 0.3);
    assert.equal(of(0.3, 0.9).effect?.value, 0.3);
    assert.match(of(0.1, 0.3, 0.9).basis, /The middle one of 3 figures, from 0\.1 to 0\.9\.$/);
  });

  it('is none when the direction is no difference and not stated when results are mixed', () => {
    const none = [strong({ effectDirection: 'null' }), strong({ effectDirection: 'null' })];
    assert.equal(grade(none).magnitude.level, 'none');
    const mixed = [strong({ effectSizes: [size({ value: 2 })] }), strong({ effectDirection: 'null' })];
    assert.equal(grade(mixed).magnitude.level, 'not_stated');
  });

  it('is shown without a rating when its unit has no common scale', () => {
    const words = (...sources: readonly OutcomeSource[]): string => {
      const { magnitude, direction } = grade(sources);
      return sizeInWords(magnitude, direction);
    };
    const kilograms = size({ measure: 'MD', value: 1.08, unit: 'kg', outcome: 'lean mass' });
    assert.equal(words(review({ effectSizes: [kilograms] })), 'Difference 1.08 kg, not rated as small or large');
    const share = size({ measure: 'percent', value: -12 });
    assert.equal(words(review({ effectSizes: [share] })), 'Difference -12%, not rated as small or large');
    assert.equal(
      words(strong({ effectSizes: [kilograms] })),
      'Not rated: one trial only; its unit has no scale of small and large',
    );
    const mixed = [strong({ effectSizes: [size({ value: 2 })] }), strong({ effectDirection: 'null' })];
    assert.equal(words(...mixed), 'Not rated: the results differ');
    assert.equal(words(strong(), strong()), 'Not rated');
  });

  it('lowers certainty when the interval includes no effect', () => {
    const wide = [size({ value: 0.3, low: -0.1, high: 0.7 })];
    assert.ok(codes([strong({ effectSizes: wide }), strong()]).includes('imprecise_interval'));
    const ratio = [size({ measure: 'RR', value: 1.4, low: 1.1, high: 1.8 })];
    assert.ok(!codes([strong({ effectSizes: ratio }), strong()]).includes('imprecise_interval'));
  });

  it('is ignored for a supplement that is not the main subject of the source', () => {
    const source = strong({ supplements: ['iron', 'zinc'], effectSizes: [size({ value: 0.9 })] });
    assert.equal(grade([source, strong()]).magnitude.level, 'not_stated');
  });
});

describe('population of the evidence', () => {
  const infants = (fields: Partial<OutcomeSource> = {}) => review({ population: 'infants with colic', ...fields });
  const large = size({ measure: 'OR', value: 6.98, outcome: 'colic eased' });

  it('is shown with the effect size, which is not rated, when only infants were measured', () => {
    const { magnitude } = grade([infants({ effectSizes: [large], title: 'Colic.' }), infants()]);
    assert.deepEqual([magnitude.level, magnitude.limits], ['not_stated', ['special_group']]);
    assert.deepEqual([magnitude.effect?.population, magnitude.effect?.groups], ['infants with colic', ['infants']]);
    assert.equal(
      magnitude.basis,
      'Colic eased: odds ratio 6.98, in infants with colic, from “Colic” (2020), tier A. It was measured only in infants, and is no size for others.',
    );
    assert.equal(sizeInWords(magnitude, 'positive'), 'Not rated: measured only in infants');
  });

  it('is taken from the outcome or the figure before the source', () => {
    const all = { population: 'children and adults' };
    const named = review({ ...all, effectSizes: [{ ...large, outcome: 'colic eased in infants' }] });
    assert.deepEqual(grade([named, strong()]).magnitude.limits, ['special_group']);
    const part = review({ ...all, effectSizes: [{ ...large, population: 'pregnant women' }] });
    assert.deepEqual(grade([part, strong()]).magnitude.effect?.groups, ['pregnancy']);
    assert.deepEqual(grade([review({ ...all, effectSizes: [large] }), strong()]).magnitude.limits, []);
  });

  it('does not prevent rating the effect size by figures for everybody', () => {
    const { magnitude } = grade([infants({ effectSizes: [large] }), review({ effectSizes: [size({ value: 0.3 })] })]);
    assert.deepEqual([magnitude.level, magnitude.effect?.value], ['small', 0.3]);
  });

  it('limits certainty when only a special group was studied, unless the outcome applies only to that group', () => {
    const pregnant = strong({ population: 'pregnant women in Australia', topics: ['pregnancy-outcomes', 'colds'] });
    const both = [pregnant, { ...pregnant, sourceId: 'pmid-99109999' }];
    assert.equal(short(both, [], { supplement: 'zinc', topic: 'pregnancy-outcomes' }), 'high positive');
    assert.equal(short([infants(), infants()]), 'low positive');
    assert.deepEqual(grade([infants(), infants()]).caps, [
      {
        code: 'special_group',
        ceiling: 'low',
        reason: 'The direction rests on studies in infants alone; for others it is indirect.',
      },
    ]);
    assert.equal(short([infants(), review()]), 'high positive');
    const harm = () => infants({ effectDirection: 'negative' });
    assert.equal(short([harm(), harm()]), 'high negative');
  });

  it('is detected from words about people, not from similar words', () => {
    const read = ['non-pregnant women', 'women of childbearing age', 'survivors of childhood cancer', 'young men'];
    assert.deepEqual(read.flatMap(groupsIn), []);
    assert.deepEqual(groupsIn('preterm infants fed breast milk'), ['infants']);
    assert.deepEqual(groupsIn('women before week 16 of pregnancy'), ['pregnancy']);
    assert.deepEqual(groupsIn('breastfeeding women'), ['breastfeeding']);
  });
});

describe('effect size of a single study', () => {
  const large = [size({ measure: 'RR', value: 0.25 })];

  it('is marked, limited to moderate, and not rated for few participants', () => {
    const { magnitude } = grade([strong({ effectSizes: large, sampleSizeN: 600 })]);
    assert.deepEqual([magnitude.level, magnitude.limits], ['moderate', ['one_trial']]);
    assert.equal(sizeInWords(magnitude, 'positive'), 'Moderate, one trial only');
    const few = grade([strong({ effectSizes: large, sampleSizeN: 81 })]).magnitude;
    assert.deepEqual([few.level, sizeInWords(few, 'positive')], ['not_stated', 'Not rated: one trial only']);
    assert.match(few.basis, / One trial only, of 81 people, too small to say how large the effect is\.$/);
  });

  it('is not limited for a review of several studies or for two studies', () => {
    assert.deepEqual(grade([review({ effectSizes: large })]).magnitude.limits, []);
    const two = [strong({ effectSizes: large }), strong({ effectSizes: large })];
    assert.deepEqual([grade(two).magnitude.level, grade(two).magnitude.limits], ['large', []]);
    const reports = two.map((one) => ({ ...one, nctId: 'NCT99000009' }));
    assert.deepEqual(grade(reports).magnitude.limits, ['one_trial']);
    assert.deepEqual(grade([review({ effectSizes: large, sampleSize: '40 people in 1 study' })]).magnitude.limits, [
      'one_study',
    ]);
  });

  it('is not limited for a harm', () => {
    const harm = size({ measure: 'HR', value: 2.5, direction: 'negative' });
    const { magnitude } = grade([strong({ effectSizes: [harm], effectDirection: 'negative', sampleSizeN: 301 })]);
    assert.deepEqual([magnitude.level, magnitude.limits], ['large', ['one_trial']]);
    assert.match(magnitude.basis, /One trial only, of 301 people\.$/);
  });

  it('is not rated as none for one study or few participants', () => {
    const none = (fields: Partial<OutcomeSource> = {}) => strong({ effectDirection: 'null', ...fields });
    assert.deepEqual(grade([none()]).magnitude.limits, ['too_few']);
    assert.equal(grade([none({ sampleSizeN: 30 }), none({ sampleSizeN: 30 })]).magnitude.level, 'not_stated');
    assert.equal(grade([none(), none()]).magnitude.level, 'none');
  });
});

describe('participants behind a grade', () => {
  const people = (...sources: readonly OutcomeSource[]): string => grade(sources).figures.people.text;

  it('exclude those of a review of several supplements', () => {
    const several = review({ sampleSizeN: 5_000, supplements: ['zinc', 'iron', 'selenium'] });
    assert.equal(people(several), 'not stated');
    assert.equal(people(several, trial({ sampleSizeN: 120 })), 'at least 120');
    assert.ok(codes([several, several]).includes('imprecision'));
  });

  it('exclude those of a review that pools other substances', () => {
    assert.equal(people(review({ wider: true })), 'not stated');
    assert.equal(grade([review({ wider: true })]).figures.studies, null);
  });

  it('are those entered for a figure, with each population counted once', () => {
    const figure = size({ population: 'adults with colds', people: 300 });
    const of = (fields: Partial<OutcomeSource>) => people(review({ sampleSizeN: 2_259, ...fields }));
    assert.equal(of({ effectSizes: [figure] }), '300');
    assert.equal(of({ effectSizes: [figure, figure] }), '300');
    assert.equal(of({ effectSizes: [figure, { ...figure, population: 'nurses', people: 55 }] }), '355');
    assert.equal(of({ effectSizes: [figure], supplements: ['zinc', 'iron'] }), '300');
    assert.equal(of({ effectSizes: [figure], supplements: ['iron', 'zinc'] }), 'not stated');
  });

  it('include all of a trial that tested several supplements', () => {
    assert.equal(people(trial({ sampleSizeN: 120, supplements: ['zinc', 'iron'] })), '120');
  });
});

describe('gradeOutcome()', () => {
  const graded = (sources: readonly OutcomeSource[], topic = 'colds', claims: readonly OutcomeClaim[] = []) =>
    gradeOutcome({
      supplement: 'zinc',
      topic,
      findings: [],
      sources,
      claims,
      findCondition: () => '',
      ownConditions: new Set(),
      sourceIds: new Map(),
    });
  const remarks = (...given: Parameters<typeof graded>): string[] => graded(...given).reasons.map(({ code }) => code);

  it('uses the sources when there is no finding', () => {
    const { assessed, certainty, direction, assessments } = graded([review(), strong()]);
    assert.deepEqual([assessed, certainty, direction], [true, 'high', 'positive']);
    assert.deepEqual(
      assessments.map(({ basis, lead, summary }) => [basis, lead, summary]),
      [['sources', '', '']],
    );
  });

  it('returns unassessed when sources are unread, unclear, on animals or only registered', () => {
    for (const sources of [
      [review({ read: '' })],
      [strong({ effectDirection: 'unclear' })],
      [trial({ species: 'animal', evidenceLevel: 'animal' })],
      [registered()],
    ]) {
      const { assessed, assessments, direction, certainty, caps } = graded(sources);
      assert.deepEqual([assessed, assessments, direction, certainty], [false, [], 'unclear', 'very_low']);
      assert.equal(caps.length, 1);
    }
  });

  it('weighs the sources of each population separately', () => {
    const women = () => strong({ population: 'pregnant women', effectDirection: 'null' });
    const { assessments, direction } = graded([strong(), strong(), women(), women()]);
    assert.equal(direction, 'positive');
    assert.deepEqual(
      assessments.map(({ population, direction: way, people }) => [population.people, way, people]),
      [
        ['adults', 'positive', 1_000],
        ['pregnancy', 'null', 1_000],
      ],
    );
  });

  it('adds the remark harm when some of the weight is negative', () => {
    const sources = [strong(), strong(), strong(), strong({ effectDirection: 'negative' })];
    assert.ok(remarks(sources).includes('harm'));
    assert.ok(!remarks(sources.slice(0, 3)).includes('harm'));
  });

  it('adds the remark retracted when a source was retracted', () => {
    const lost = strong({ retractionStatus: 'retracted' });
    assert.ok(remarks([strong(), lost]).includes('retracted'));
    assert.deepEqual([graded([lost]).assessed, remarks([lost])], [false, ['retracted']]);
  });

  it('adds the remark tempered when a claim is more cautious than its sources', () => {
    const sources = [strong(), strong()];
    assert.ok(remarks(sources, 'colds', [claim('mixed', ...sources)]).includes('tempered'));
    assert.ok(!remarks(sources).includes('tempered'));
  });

  it('adds remarks on safety and on outcomes that are measurements', () => {
    assert.ok(remarks([strong({ topics: ['safety'], effectDirection: 'negative' })], 'safety').includes('safety'));
    assert.ok(remarks([strong({ topics: ['cholesterol'] })], 'cholesterol').includes('measurement'));
  });

  it('changes the digest when a source or a claim changes, but not with the order of sources', () => {
    const sources = [review(), strong(), strong({ effectDirection: 'null' })];
    const { digest } = graded(sources);
    assert.equal(graded(sources.toReversed()).digest, digest);
    assert.notEqual(graded(sources.slice(1)).digest, digest);
    assert.notEqual(graded(sources, 'colds', [claim('mixed', ...sources)]).digest, digest);
  });
});

describe('describeMethod()', () => {
  it('lists every downgrade, cap and effect size limit', () => {
    const method = describeMethod();
    assert.equal(method.version, 'outcome-2.3');
    assert.deepEqual(
      method.downgrades.map(({ code }) => code),
      Object.keys(DOWNGRADES),
    );
    assert.deepEqual(
      method.caps.map(({ code }) => code),
      Object.keys(CEILINGS),
    );
    assert.deepEqual(
      method.magnitude.limits.map(({ code }) => code),
      Object.keys(SIZE_LIMITS),
    );
  });
});
