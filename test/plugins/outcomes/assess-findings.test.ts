import assert from 'node:assert/strict';
import type { Finding } from '#plugins/findings/index.ts';
import { type AssessmentInput, assess } from '#plugins/outcomes/grading/assess.ts';
import { assessFindings } from '#plugins/outcomes/grading/assess-findings.ts';
import { certaintyOfFinding } from '#plugins/outcomes/grading/finding-certainty.ts';
import { gradeOutcome } from '#plugins/outcomes/grading/grade-outcome.ts';
import { CERTAINTIES, type Certainty, FINDING_REASONS } from '#plugins/outcomes/grading/method.ts';
import { toldDirection } from '#plugins/outcomes/index.ts';
import {
  ingest,
  MADE_TOPICS,
  madeArticle,
  madeFile,
  madeSupplement,
  temporaryFolder,
  useService,
  zincTrial,
} from '../evidence/support.ts';
import { madeFinding, madeTable, madeValues } from '../findings/support.ts';
import { trial } from './support.ts';

const ADULTS = { people: 'adults', condition: '' } as const;
const COLDS = { topic: 'colds', isMeasurement: false, sourceIds: new Map<string, string>() };

const assessed = (findings: readonly Finding[], question = COLDS) =>
  assessFindings(ADULTS, findings, question) ?? assert.fail('the question was not assessed');
const short = (findings: readonly Finding[], question = COLDS): string => {
  const { certainty, direction } = assessed(findings, question);
  return `${certainty} ${direction}`;
};
const codes = (findings: readonly Finding[]): string[] => assessed(findings).reasons.map(({ code }) => code);

/** Returns a finding of a review that rates its certainty. */
const rated = (fields: Partial<Finding> = {}): Finding => madeFinding({ participants: 2_000, ...fields });
/** Returns a finding of a large trial that found no difference, with a narrow interval. */
const largeTrial = (fields: Partial<Finding> = {}): Finding =>
  madeFinding({
    design: 'rct',
    year: 2022,
    participants: 5_000,
    studies: 1,
    certainty: '',
    direction: 'no_difference',
    estimate: 0,
    low: -0.05,
    high: 0.05,
    ...fields,
  });

const NO_FIGURE = { measure: '', estimate: null, low: null, high: null, participants: null, studies: null } as const;

describe('assessFindings()', () => {
  it('uses the newest review that rates its certainty', () => {
    const old = rated({ year: 2015, certainty: 'high' });
    const recent = rated({ year: 2023, certainty: 'low', direction: 'no_difference', participants: 1_500 });
    const found = assessed([old, recent]);
    assert.deepEqual([found.certainty, found.direction, found.basis, found.lead], ['low', 'null', 'review', recent.id]);
    assert.equal(found.reasons[0]?.code, 'rated_by_review');
    assert.deepEqual([found.people, found.studies, found.summary], [1_500, 6, recent.summary]);
  });

  it('prefers a review that rates its certainty to a newer one that does not', () => {
    const old = rated({ year: 2015, certainty: 'moderate' });
    const unrated = rated({ year: 2024, certainty: '', direction: 'no_difference', participants: 1_900 });
    assert.equal(short([old, unrated]), 'moderate positive');
  });

  it('ignores a certainty rating that an editor marked as doubtful', () => {
    const doubtful = rated({ year: 2024, certainty: 'high', direction: 'worse', doubtful: true });
    assert.equal(short([rated({ year: 2015 }), doubtful]), 'moderate positive');
  });

  it('prefers an older review of the last six years with at least 1.5 times as many participants', () => {
    const recent = rated({ year: 2023, certainty: 'low', direction: 'no_difference', participants: 2_000 });
    const older = (year: number, participants: number) => short([rated({ year, participants }), recent]);
    assert.equal(older(2017, 3_000), 'moderate positive');
    assert.equal(older(2017, 2_999), 'low null');
    assert.equal(older(2016, 90_000), 'low null');
  });

  it('uses the newest review when that review does not state its number of participants', () => {
    const recent = rated({ year: 2023, certainty: 'low', direction: 'no_difference', participants: null });
    assert.equal(short([rated({ year: 2021, participants: 90_000 }), recent]), 'low null');
  });

  it('uses a later trial that is larger than the review', () => {
    const later = largeTrial();
    const found = assessed([rated({ year: 2015 }), later]);
    assert.deepEqual([found.direction, found.lead, found.basis], ['null', later.id, 'findings']);
    assert.ok(found.reasons.some(({ code }) => code === 'later_trial'));
    assert.ok(CERTAINTIES.indexOf(found.certainty) >= CERTAINTIES.indexOf('moderate'));
  });

  it('lowers certainty one level when a later large trial, smaller than the review, disagrees', () => {
    const review = rated({ year: 2015, participants: 10_000 });
    const later = largeTrial({ participants: 1_500 });
    assert.equal(short([review, later]), 'low positive');
    assert.ok(codes([review, later]).includes('later_trial_disagrees'));
    assert.equal(assessed([review, later]).lead, review.id);
  });

  it('raises certainty one level, at most to moderate, when a later large trial at low risk of bias agrees', () => {
    const review = (certainty: Certainty) => rated({ year: 2015, participants: 10_000, certainty });
    const later = (bias: Finding['bias'] = 'low') =>
      largeTrial({ direction: 'better', estimate: -0.3, low: -0.4, high: -0.2, bias });
    assert.equal(short([review('very_low'), later()]), 'low positive');
    assert.equal(short([review('low'), later()]), 'moderate positive');
    assert.equal(short([review('moderate'), later()]), 'moderate positive');
    assert.ok(codes([review('low'), later()]).includes('later_trial_agrees'));
    assert.ok(!codes([review('moderate'), later()]).includes('later_trial_agrees'));
    for (const bias of ['', 'some', 'high'] as const) assert.equal(short([review('low'), later(bias)]), 'low positive');
  });

  it('ignores later evidence that is small, not newer, unclear or of another importance', () => {
    const review = rated({ year: 2015, participants: 10_000 });
    for (const fields of [
      { participants: 999 },
      { year: 2015 },
      { year: 2014 },
      { direction: 'unclear' },
      { importance: 'surrogate' },
    ] as const)
      assert.equal(short([review, largeTrial(fields)]), 'moderate positive', JSON.stringify(fields));
  });

  it('uses a later review only when it has more participants', () => {
    const review = rated({ year: 2015, participants: 10_000 });
    const later = (participants: number) =>
      largeTrial({ design: 'meta-analysis', studies: 20, participants, bias: 'low' });
    assert.equal(short([review, later(9_000)]), 'moderate positive');
    assert.equal(assessed([review, later(11_000)]).direction, 'null');
  });

  it('takes the direction of a later trial when the review is unclear', () => {
    const review = rated({ year: 2015, participants: 10_000, direction: 'unclear', certainty: 'low' });
    const found = assessed([review, largeTrial({ participants: 1_500, bias: 'low' })]);
    assert.equal(found.direction, 'null');
    assert.ok(found.reasons.some(({ code }) => code === 'later_trial'));
  });

  it('takes the direction of the newest conclusive guideline when no review rates its certainty', () => {
    const statement = (year: number, direction: Finding['direction']) =>
      madeFinding({ design: 'position-stand', year, direction, certainty: '', ...NO_FIGURE });
    const review = rated({ certainty: '', year: 2024, participants: 9_000, bias: 'low' });
    const found = assessed([statement(2015, 'worse'), statement(2021, 'better'), statement(2023, 'unclear'), review]);
    assert.deepEqual([found.direction, found.basis, found.summary], ['positive', 'findings', review.summary]);
    // The effect size comes from the review; its participants belong to a different finding and are not shown.
    assert.deepEqual([found.people, found.magnitude.effect?.value], [null, -0.3]);
    assert.equal(short([statement(2023, 'better'), rated({ direction: 'no_difference' })]), 'moderate null');
  });

  it('prefers a newer guideline that finds insufficient evidence to a single trial, but not to a review', () => {
    const trial = madeFinding({ design: 'rct', year: 2012, participants: 14_000, certainty: '', direction: 'better' });
    const panel = (year: number) =>
      madeFinding({ design: 'guideline', year, direction: 'unclear', certainty: '', ...NO_FIGURE });
    assert.equal(short([trial, panel(2022)]).split(' ')[1], 'unclear');
    assert.equal(short([trial, panel(2010)]).split(' ')[1], 'positive');
    const review = madeFinding({ design: 'meta-analysis', year: 2012, participants: 14_000, certainty: '' });
    assert.equal(short([review, panel(2022)]).split(' ')[1], 'positive');
  });

  it('leads with the most important outcome, then with the most certain one', () => {
    const source = 'pmid:99150001';
    const value = rated({ source, importance: 'surrogate', certainty: 'high', direction: 'better' });
    const important = rated({ source, importance: 'important', certainty: 'high', direction: 'no_difference' });
    const critical = rated({ source, importance: 'critical', certainty: 'low', direction: 'worse' });
    const found = assessed([value, important, critical]);
    assert.equal(found.lead, critical.id);
    assert.deepEqual(
      found.outcomes.map(({ finding }) => finding),
      [critical.id, important.id, value.id],
    );
  });

  it('returns mixed and the reason outcomes_differ when outcomes of equal weight conflict', () => {
    const source = 'pmid:99150002';
    const both = [rated({ source }), rated({ source, direction: 'worse' })];
    assert.equal(short(both), 'moderate mixed');
    assert.ok(codes(both).includes('outcomes_differ'));
  });

  it('follows the majority of outcomes of equal weight', () => {
    const source = 'pmid:99150003';
    const none = () => rated({ source, direction: 'no_difference' });
    const findings = [rated({ source }), none(), none()];
    assert.equal(short(findings), 'moderate null');
    assert.ok(codes(findings).includes('outcomes_differ'));
  });

  it('does not depend on the order of the findings', () => {
    const findings = [
      rated({ year: 2015, participants: 10_000 }),
      largeTrial({ participants: 1_500 }),
      largeTrial({ year: 2023, participants: 20_000, direction: 'worse' }),
    ];
    // Outcomes of equal rank keep the input order, which FindingServices.book() sorts.
    const unordered = (given: readonly Finding[]) => {
      const { outcomes, ...rest } = assessed(given);
      return { ...rest, outcomes: outcomes.toSorted((a, b) => (a.finding < b.finding ? -1 : 1)) };
    };
    assert.deepEqual(unordered(findings), unordered(findings.toReversed()));
  });

  it('takes the effect size from the lead finding', () => {
    const lead = rated({ measure: 'RR', estimate: 0.6, low: 0.5, high: 0.7 });
    const sourceIds = new Map([[lead.source, 'pmid-99']]);
    const { magnitude } = assessed([lead], { ...COLDS, sourceIds });
    assert.deepEqual([magnitude.level, magnitude.effect?.source_id], ['moderate', 'pmid-99']);
    assert.equal(magnitude.basis, 'Length of a cold: risk ratio 0.6 (95% interval 0.5 to 0.7), in invented adults.');
    const { magnitude: none } = assessed([rated({ measure: '', estimate: null, low: null, high: null })]);
    assert.deepEqual([none.level, none.effect], ['not_stated', null]);
  });

  it('compares a mean difference with the minimal important difference when a source states one', () => {
    const pain = (estimate: number, outcome = 'pain', unit = 'points (0-100)') =>
      assessed([rated({ measure: 'MD', outcome, unit, estimate, low: estimate - 2, high: estimate + 2 })]).magnitude;
    assert.deepEqual(
      [-9, -11, -21].map((value) => pain(value).level),
      ['small', 'moderate', 'large'],
    );
    assert.match(pain(-9).basis, /people notice a difference of 10 points of 100 or more: this one is smaller\.$/);
    assert.equal(pain(-9).smallest?.source, 'doi:10.1002/14651858.cd002947.pub2');
    assert.deepEqual([pain(-9, 'weight', 'kg').level, pain(-9, 'weight', 'kg').smallest], ['not_stated', undefined]);
  });

  it('returns null when the supplement was compared only with other treatments or doses', () => {
    const compared = ['active:melatonin', 'dose', 'active:placebo tea'].map((comparator) => rated({ comparator }));
    assert.equal(assessFindings(ADULTS, compared, COLDS), null);
  });

  it('lists comparisons with other treatments without using them for the grade', () => {
    const active = rated({ year: 2024, comparator: 'active:melatonin', direction: 'worse', participants: 90_000 });
    const alone = rated({ year: 2015 });
    const found = assessed([alone, active]);
    assert.deepEqual([found.direction, found.certainty, found.compared], ['positive', 'moderate', [active.id]]);
    assert.deepEqual(
      found.outcomes.map(({ finding }) => finding),
      [alone.id],
    );
  });

  it('lists harms without changing a benefit', () => {
    const harm = rated({ year: 2024, importance: 'harm', direction: 'worse', certainty: 'high', participants: 90_000 });
    const benefit = rated({ year: 2015 });
    const found = assessed([benefit, harm]);
    assert.deepEqual([found.direction, found.certainty, found.harms], ['positive', 'moderate', [harm.id]]);
  });

  it('assesses harm when there are only findings on harm', () => {
    const harm = rated({ importance: 'harm', direction: 'worse', certainty: 'low' });
    assert.equal(short([harm]), 'low negative');
  });

  it('uses harms as the lead finding for the safety topic', () => {
    const harm = rated({ importance: 'harm', direction: 'worse', certainty: 'low' });
    const found = assessed([harm], { ...COLDS, topic: 'safety' });
    assert.deepEqual([found.direction, found.harms], ['negative', []]);
  });

  it('lists a combination without using it when there is a finding on the supplement alone', () => {
    const alone = rated({ year: 2015 });
    const both = rated({
      supplements: ['zinc', 'iron'],
      vertical: '',
      year: 2024,
      direction: 'worse',
      participants: 90_000,
    });
    const found = assessed([alone, both]);
    assert.deepEqual([found.direction, found.lead, found.combined], ['positive', alone.id, [both.id]]);
  });

  it('uses a combination without benefit when there is no other finding', () => {
    const both = (direction: Finding['direction']) => rated({ supplements: ['zinc', 'iron'], vertical: '', direction });
    const found = assessed([both('no_difference')]);
    assert.deepEqual([found.direction, found.combined, found.reasons[0]?.code], ['null', [], 'only_combined']);
    assert.equal(assessFindings(ADULTS, [both('better'), both('no_difference')], COLDS), null);
  });

  it('reads little or no difference from a rated inconclusive result with a narrow interval or enough certainty', () => {
    const open = (fields: Partial<Finding>) => short([rated({ direction: 'unclear', ...fields })]);
    const ratio = { measure: 'RR', estimate: 0.9, low: 0.7, high: 1.1 } as const;
    assert.equal(open({ ...ratio, certainty: 'low' }), 'low null');
    assert.equal(open({ ...ratio, estimate: 0.8, low: 0.5, certainty: 'low' }), 'low unclear');
    assert.equal(open({ ...ratio, certainty: 'very_low' }), 'very_low unclear');
    const difference = { measure: 'MD', estimate: -2, low: -5, high: 1 } as const;
    assert.equal(open({ ...difference, certainty: 'moderate' }), 'moderate null');
    assert.equal(open({ ...difference, certainty: 'low' }), 'low unclear');
    assert.equal(open({ ...difference, high: -0.1, certainty: 'moderate' }), 'moderate unclear');
  });

  it('reads no difference from an unrated inconclusive result with at least 1,000 participants and a narrow interval', () => {
    const open = (fields: Partial<Finding>) =>
      short([
        rated({ direction: 'unclear', certainty: '', measure: 'RR', estimate: 0.9, low: 0.78, high: 1.02, ...fields }),
      ]);
    assert.equal(open({ participants: 1_000 }), 'moderate null');
    assert.equal(open({ participants: 999 }), 'low unclear');
    assert.equal(open({ low: 0.61, high: 1.32 }), 'low unclear');
    assert.equal(open({ high: 0.98 }), 'low unclear');
    assert.equal(open({ importance: 'harm' }), 'low unclear');
  });

  it('reads the direction of an estimate that was unclear only because of very low certainty', () => {
    const open = (fields: Partial<Finding>) =>
      short([
        rated({
          direction: 'unclear',
          certainty: 'very_low',
          measure: 'RR',
          estimate: 0.65,
          low: 0.43,
          high: 0.98,
          ...fields,
        }),
      ]);
    assert.equal(open({}), 'very_low positive');
    assert.equal(open({ betterWhen: 'higher' }), 'very_low negative');
    assert.equal(open({ measure: 'MD', estimate: 9, low: 1, high: 17 }), 'very_low negative');
    assert.equal(open({ high: 1.02 }), 'very_low unclear');
    assert.equal(open({ betterWhen: '' }), 'very_low unclear');
    assert.equal(open({ certainty: 'low' }), 'low unclear');
  });

  it('uses the most certain review when none states its number of participants', () => {
    const silent = { certainty: '', participants: null, studies: 12 } as const;
    const newer = rated({ ...silent, year: 2024, bias: 'high', direction: 'no_difference' });
    const older = rated({ ...silent, year: 2019 });
    assert.equal(assessed([newer, older]).lead, older.id);
    assert.equal(assessed([{ ...newer, participants: 500 }, older]).lead, newer.id);
    const larger = rated({ ...silent, year: 2012, studies: 40 });
    assert.equal(assessed([older, larger]).lead, larger.id);
  });

  it('prefers a review of a patient-important outcome to a larger review of a surrogate', () => {
    const enzyme = rated({ certainty: '', importance: 'surrogate', participants: 3_500 });
    const illness = rated({ certainty: '', participants: 1_000 });
    assert.equal(assessed([enzyme, illness]).lead, illness.id);
    assert.equal(assessed([enzyme]).lead, enzyme.id);
  });

  const stated = (fields: Partial<Finding>): Finding =>
    madeFinding({
      design: 'authority',
      source: 'https://authority.example/zinc/',
      year: null,
      bias: '',
      ...NO_FIGURE,
      ...fields,
    });

  it('uses an authority statement when there is nothing else and reports it as the basis', () => {
    const found = assessed([stated({ direction: 'no_difference', certainty: 'moderate' })]);
    assert.deepEqual(
      [found.basis, found.direction, found.certainty, found.people],
      ['authority', 'null', 'moderate', null],
    );
    assert.deepEqual(
      found.reasons.map(({ code }) => code),
      ['authority'],
    );
    assert.equal(short([stated({ direction: 'unclear', certainty: 'very_low' })]), 'very_low unclear');
  });

  it('prefers a more certain authority statement to unrated findings only', () => {
    const none = stated({ direction: 'no_difference', certainty: 'moderate' });
    const unrated = rated({ certainty: '', bias: 'some', participants: 300 });
    assert.equal(short([unrated]), 'low positive');
    assert.equal(short([unrated, none]), 'moderate null');
    assert.equal(short([unrated, stated({ direction: 'unclear', certainty: 'very_low' })]), 'low positive');
    assert.equal(short([rated({ certainty: 'low' }), none]), 'low positive');
  });

  it('prefers a more certain authority statement to a review that rates its certainty very low', () => {
    const review = rated({ certainty: 'very_low', direction: 'unclear', estimate: null, low: null, high: null });
    const none = stated({ direction: 'no_difference', certainty: 'low' });
    const found = assessed([review, none]);
    assert.deepEqual([found.certainty, found.direction, found.basis], ['low', 'null', 'authority']);
  });

  it('returns mixed with low certainty at most when an authority contradicts an unrated benefit', () => {
    const none = stated({ direction: 'no_difference', certainty: 'low' });
    const unrated = (bias: Finding['bias']) => rated({ certainty: '', bias });
    for (const bias of ['low', 'some'] as const) {
      assert.equal(short([unrated(bias)]), 'moderate positive');
      const found = assessed([unrated(bias), none]);
      assert.deepEqual([found.certainty, found.direction, found.basis], ['low', 'mixed', 'findings']);
      assert.equal(found.reasons.at(-1)?.code, 'contested');
    }
    assert.equal(short([rated({ certainty: 'low' }), none]), 'low positive');
    assert.equal(short([{ ...unrated('some'), direction: 'worse' }, none]), 'moderate negative');
  });

  it('prefers a harm stated by an authority to trials without harm for the safety topic', () => {
    const harm = stated({ direction: 'worse', importance: 'harm', certainty: 'moderate' });
    const trials = rated({ importance: 'harm', direction: 'no_difference', certainty: 'high' });
    const safety = { ...COLDS, topic: 'safety' };
    assert.equal(short([trials, harm], safety), 'moderate negative');
    const surer = rated({ importance: 'harm', direction: 'worse', certainty: 'high' });
    assert.equal(assessed([surer, harm], safety).lead, surer.id);
  });

  it('never returns benefit or no harm for the safety topic', () => {
    const none = rated({ importance: 'harm', direction: 'no_difference', certainty: 'high' });
    for (const direction of ['no_difference', 'better'] as const) {
      const found = assessFindings(ADULTS, [{ ...none, direction }], { ...COLDS, topic: 'safety' });
      assert.ok(!found || !['positive', 'null'].includes(found.direction), `${direction}: ${found?.direction}`);
    }
  });
});

describe('certaintyOfFinding() for an unrated finding', () => {
  const unrated = (fields: Partial<Finding> = {}): Finding => madeFinding({ certainty: '', bias: 'low', ...fields });
  const agreeing = (direction: Finding['direction'] = 'better') => [1, 2].map(() => rated({ direction }));
  const STEPS: readonly Certainty[] = CERTAINTIES;

  /** One finding for each reason; for `confirmed` findings the test adds two reviews that agree. */
  const CASES: readonly {
    readonly code: keyof typeof FINDING_REASONS;
    readonly finding: Partial<Finding>;
    readonly confirmed: boolean;
    readonly others?: readonly Finding[];
  }[] = [
    { code: 'bias_high', finding: { bias: 'high' }, confirmed: true },
    { code: 'bias_some', finding: { bias: 'some' }, confirmed: false },
    { code: 'bias_unknown', finding: { bias: '' }, confirmed: false },
    {
      code: 'inconsistent_findings',
      finding: {},
      confirmed: true,
      others: [rated({ direction: 'no_difference', certainty: '' })],
    },
    { code: 'inconsistent_trials', finding: { i2: 75 }, confirmed: true },
    { code: 'surrogate', finding: { importance: 'surrogate' }, confirmed: true },
    { code: 'few_people', finding: { participants: 399 }, confirmed: true },
    { code: 'few_people_serious', finding: { participants: 99 }, confirmed: true },
    { code: 'people_unknown', finding: { participants: null, low: null, high: null }, confirmed: true },
    { code: 'interval_includes_nothing', finding: { high: 0.1 }, confirmed: true },
    {
      code: 'interval_wide',
      finding: { direction: 'no_difference', measure: 'RR', estimate: 0.95, low: 0.7, high: 1.3 },
      confirmed: true,
    },
    {
      code: 'small_large',
      finding: { participants: 800, studies: 20, estimate: -0.9, low: -1.2, high: -0.6 },
      confirmed: true,
    },
    { code: 'doubtful', finding: { doubtful: true }, confirmed: true },
  ];
  const MOVED_BY_LATER = ['later_trial', 'later_trial_disagrees', 'later_trial_agrees', 'outcomes_differ'];
  const CEILINGS = ['single_trial', 'single_small_trial', 'unclear_result', 'unrated'];
  const REMARKS = [
    'authority',
    'only_combined',
    'contested',
    'leans_benefit',
    'leans_null',
    'very_low_benefit',
    'very_low_null',
  ];

  it('has a test for every reason', () => {
    assert.deepEqual(
      [...CASES.map(({ code }) => code), ...CEILINGS, ...REMARKS, ...MOVED_BY_LATER].sort(),
      Object.keys(FINDING_REASONS).sort(),
    );
  });

  it('returns high for a large review at low risk of bias that two others confirm', () => {
    const { certainty, reasons } = certaintyOfFinding(unrated(), agreeing(), false);
    assert.equal(certainty, 'high');
    assert.deepEqual(
      reasons.map(({ code }) => code),
      ['start_high'],
    );
  });

  for (const { code, finding, confirmed, others = [] } of CASES)
    it(`lowers certainty by ${FINDING_REASONS[code].steps} for the reason ${code} and returns its text`, () => {
      const one = unrated(finding);
      const beside = [...(confirmed ? agreeing(one.direction) : []), ...others];
      const { certainty, reasons } = certaintyOfFinding(one, beside, false);
      assert.deepEqual(
        reasons.map((reason) => reason.code),
        ['start_high', code],
      );
      assert.equal(certainty, STEPS[FINDING_REASONS[code].steps]);
      assert.equal(reasons[1]?.text, FINDING_REASONS[code].text);
    });

  it('returns moderate at most when fewer than two others confirm the finding', () => {
    const { certainty, reasons } = certaintyOfFinding(unrated(), agreeing().slice(1), false);
    assert.equal(certainty, 'moderate');
    assert.deepEqual(
      reasons.map(({ code }) => code),
      ['start_high', 'unrated'],
    );
  });

  it('does not lower certainty for unknown participants when at least ten trials were pooled', () => {
    const codesOf = (studies: number) =>
      certaintyOfFinding(
        unrated({ participants: null, low: null, high: null, studies }),
        agreeing(),
        false,
      ).reasons.map(({ code }) => code);
    assert.ok(codesOf(9).includes('people_unknown'));
    assert.ok(!codesOf(10).includes('people_unknown'));
  });

  it('lowers certainty for a benefit in an unknown number of participants despite a narrow interval', () => {
    const isLowered = (fields: Partial<Finding>): boolean =>
      certaintyOfFinding(unrated({ participants: null, studies: 9, ...fields }), agreeing(fields.direction), false)
        .reasons.map(({ code }) => code)
        .includes('people_unknown');
    assert.ok(isLowered({}));
    assert.ok(!isLowered({ studies: 10 }));
    assert.ok(!isLowered({ participantsAtLeast: 2_000 }));
    assert.ok(!isLowered({ direction: 'worse', estimate: 0.3, low: 0.1, high: 0.5 }));
    assert.ok(!isLowered({ direction: 'no_difference', estimate: 0, low: -0.05, high: 0.05 }));
  });

  it('returns low at most for one trial with fewer than 1,000 participants', () => {
    const small = certaintyOfFinding(unrated({ design: 'rct', participants: 999 }), agreeing(), false);
    assert.equal(small.certainty, 'low');
    assert.ok(small.reasons.some(({ code }) => code === 'single_trial'));
    assert.equal(certaintyOfFinding(unrated({ design: 'rct', participants: 1_000 }), [], false).certainty, 'moderate');
  });

  it('returns very low for one trial with fewer than 400 participants unless another study agrees', () => {
    const small = unrated({ design: 'rct', participants: 399 });
    const alone = certaintyOfFinding(small, [small, unrated({ direction: 'no_difference' })], false);
    assert.equal(alone.certainty, 'very_low');
    assert.ok(alone.reasons.some(({ code }) => code === 'single_small_trial'));
    assert.equal(certaintyOfFinding(small, [unrated({ design: 'rct', participants: 50 })], false).certainty, 'low');
    assert.equal(certaintyOfFinding({ ...small, participants: 400 }, [], false).certainty, 'low');
  });

  it('returns low at most for an unclear result', () => {
    const { certainty, reasons } = certaintyOfFinding(unrated({ direction: 'unclear' }), agreeing('unclear'), false);
    assert.equal(certainty, 'low');
    assert.ok(reasons.some(({ code }) => code === 'unclear_result'));
  });

  it('starts high for guidelines and position stands, low for cohorts and very low for case reports', () => {
    const start = (design: Finding['design']) => certaintyOfFinding(unrated({ design }), agreeing(), false).certainty;
    assert.deepEqual((['guideline', 'position-stand', 'cohort', 'case-reports'] as const).map(start), [
      'high',
      'high',
      'low',
      'very_low',
    ]);
  });

  it('returns moderate at most for a guideline that no other source confirms', () => {
    const guideline = unrated({ design: 'guideline' });
    assert.equal(certaintyOfFinding(guideline, [], false).certainty, 'moderate');
    assert.equal(certaintyOfFinding(guideline, agreeing().slice(1), false).certainty, 'high');
  });

  it('does not lower certainty for an unknown risk of bias in a large placebo-controlled trial', () => {
    const reasons = (fields: Partial<Finding>) =>
      certaintyOfFinding(unrated({ design: 'rct', bias: '', ...fields }), [], false).reasons.map(({ code }) => code);
    assert.ok(!reasons({ participants: 1_000 }).includes('bias_unknown'));
    assert.ok(reasons({ participants: 1_000, comparator: 'nothing' }).includes('bias_unknown'));
    assert.ok(reasons({ participants: 999 }).includes('bias_unknown'));
  });

  it('uses the minimum number of participants when the exact number is not confirmed', () => {
    const stated = (participantsAtLeast: number) => unrated({ design: 'rct', participants: null, participantsAtLeast });
    assert.equal(certaintyOfFinding(stated(1_000), [], false).certainty, 'moderate');
    assert.equal(certaintyOfFinding(stated(999), [], false).certainty, 'low');
  });

  it('adds up all reasons and stops at very low', () => {
    const worst = unrated({ bias: 'high', i2: 90, participants: 40, importance: 'surrogate', doubtful: true });
    const { certainty, reasons } = certaintyOfFinding(worst, [], false);
    assert.equal(certainty, 'very_low');
    assert.deepEqual(
      reasons.map(({ code }) => code),
      ['start_high', 'bias_high', 'inconsistent_trials', 'surrogate', 'few_people_serious', 'doubtful'],
    );
  });

  it('does not lower certainty for a surrogate when the outcome is a measurement', () => {
    const value = unrated({ importance: 'surrogate' });
    assert.equal(certaintyOfFinding(value, agreeing(), true).certainty, 'high');
  });

  it('does not lower certainty for small trials with a small effect or large trials with a large effect', () => {
    const small = unrated({ participants: 800, studies: 20, estimate: -0.3, low: -0.5, high: -0.1 });
    const large = unrated({ participants: 1_600, studies: 20, estimate: -0.9, low: -1.2, high: -0.6 });
    for (const one of [small, large]) assert.equal(certaintyOfFinding(one, agreeing(), false).certainty, 'high');
  });

  it('lowers certainty for many small trials with a large ratio in either direction', () => {
    for (const [estimate, low, high] of [
      [2.1, 1.6, 2.8],
      [0.45, 0.3, 0.6],
    ] as const) {
      const one = unrated({ measure: 'RR', estimate, low, high, participants: 800, studies: 20 });
      assert.equal(certaintyOfFinding(one, agreeing(), false).certainty, 'moderate', String(estimate));
    }
  });

  it('does not count another finding of the same source as confirmation or contradiction', () => {
    const one = unrated({ source: 'pmid:99150009', bias: 'some' });
    const same = [unrated({ source: one.source }), unrated({ source: one.source, direction: 'worse' })];
    assert.deepEqual(
      certaintyOfFinding(one, same, false).reasons.map(({ code }) => code),
      ['start_high', 'bias_some'],
    );
  });
});

describe('populations of a question', () => {
  const input = (findings: readonly Finding[], more: Partial<AssessmentInput> = {}): AssessmentInput => ({
    supplement: 'zinc',
    topic: 'colds',
    findings,
    sources: [],
    claims: [],
    findCondition: () => '',
    ownConditions: new Set(),
    sourceIds: new Map(),
    ...more,
  });
  const keys = (given: AssessmentInput): string[] =>
    assess(given).map(({ population: { people, condition } }) => [people, condition].filter(Boolean).join('/'));

  it('are assessed independently of each other', () => {
    const groups: readonly Partial<Finding>[] = [
      { people: 'adults', direction: 'better' },
      { people: 'pregnant-women', direction: 'worse', year: 2024, participants: 90_000 },
      { people: 'children', direction: 'no_difference', year: 2025, certainty: 'high' },
      { people: 'adults', condition: 'depression', direction: 'unclear', certainty: 'low' },
      { people: 'preterm-infants', direction: 'worse', certainty: 'very_low', year: 2026 },
    ];
    const findings = groups.map(rated);
    const together = assess(input(findings));
    assert.equal(together.length, findings.length);
    for (const finding of findings) {
      const [alone] = assess(input([finding]));
      assert.deepEqual(
        together.find(({ lead }) => lead === finding.id),
        alone,
      );
    }
  });

  it('start with adults in general, even when another population has a more certain finding', () => {
    const adults = rated({ certainty: 'low' });
    const women = rated({ people: 'pregnant-women', certainty: 'high' });
    const ill = rated({ condition: 'depression', certainty: 'high' });
    assert.deepEqual(keys(input([women, ill, adults])), ['adults', 'adults/depression', 'pregnancy']);
  });

  it('start with people with the condition of the topic when their finding is more certain', () => {
    const adults = rated({ certainty: 'low' });
    const ill = rated({ condition: 'depression', certainty: 'high' });
    const own = { ownConditions: new Set(['depression']) };
    assert.deepEqual(keys(input([adults, ill], own)), ['adults/depression', 'adults']);
  });

  it('start with people with the condition of the topic before those with other conditions', () => {
    const ill = rated({ condition: 'fatty-liver', certainty: 'very_low' });
    const others = rated({ condition: 'tuberculosis', certainty: 'high' });
    const own = { ownConditions: new Set(['fatty-liver']) };
    assert.deepEqual(keys(input([others, ill], own)), ['adults/fatty-liver', 'adults/tuberculosis']);
    const adults = rated({ certainty: 'low' });
    assert.deepEqual(keys(input([others, ill, adults], own)), ['adults', 'adults/fatty-liver', 'adults/tuberculosis']);
  });

  it('put populations with findings before those with only read sources', () => {
    const sources = [trial(), trial()];
    const pregnant = rated({ people: 'pregnant-women' });
    const [first, second] = assess(input([pregnant], { sources }));
    assert.deepEqual([first?.basis, second?.basis, second?.population.people], ['review', 'sources', 'adults']);
  });

  it('are assessed by sources only when no finding is about them', () => {
    const sources = [1, 2, 3].map(() => trial({ effectDirection: 'negative' }));
    const [only, ...more] = assess(input([rated()], { sources }));
    assert.deepEqual([only?.basis, only?.direction, more], ['review', 'positive', []]);
  });

  it('have no direction except harm at very low certainty, with the reason', () => {
    const of = (direction: Finding['direction']) => {
      const [only] = assess(input([rated({ certainty: 'very_low', direction })]));
      return [only?.direction, only?.magnitude.level, only?.reasons.at(-1)?.code];
    };
    assert.deepEqual(of('better'), ['unclear', 'not_stated', 'leans_benefit']);
    assert.deepEqual(of('no_difference'), ['unclear', 'not_stated', 'leans_null']);
    assert.equal(of('worse')[0], 'negative');
    const [small] = assess(input([rated({ certainty: '', design: 'rct', participants: 60, studies: 1 })]));
    assert.deepEqual([small?.direction, small?.reasons.at(-1)?.code], ['unclear', 'very_low_benefit']);
  });

  it('use GRADE wording when a review rates its certainty very low', () => {
    const told = (fields: Partial<Finding>) => {
      const [only] = assess(input([rated({ certainty: 'very_low', ...fields })]));
      return only && toldDirection(only);
    };
    assert.deepEqual(told({}), { code: 'unclear', word: 'May help, very uncertain' });
    assert.deepEqual(told({ direction: 'no_difference' }), {
      code: 'unclear',
      word: 'May make no difference, very uncertain',
    });
    assert.deepEqual(told({ direction: 'unclear', estimate: null }), { code: 'unclear', word: 'Unclear' });
    assert.deepEqual(told({ certainty: '', participants: 60 }), { code: 'unclear', word: 'Unclear' });
  });

  it('provide the grade of the question from the leading population', () => {
    const [adults, women] = [rated(), rated({ people: 'pregnant-women', direction: 'worse' })];
    const grade = gradeOutcome(input([women, adults]));
    assert.deepEqual(
      [grade.assessed, grade.direction, grade.certainty, grade.assessments.length],
      [true, 'positive', 'moderate', 2],
    );
  });

  it('leave a question without findings and sources unassessed', () => {
    const grade = gradeOutcome(input([]));
    assert.deepEqual([grade.assessed, grade.assessments, grade.direction], [false, [], 'unclear']);
  });

  it('leave a question unassessed when only a program read its only trial', () => {
    const read = [{ supplement: 'zinc', topic: 'colds', direction: 'positive', probability: 0.99 }] as never;
    const source = trial({ read: '', findings: read });
    assert.equal(gradeOutcome(input([], { sources: [source] })).assessed, false);
  });
});

describe('findings of a whole database', () => {
  const content = temporaryFolder();
  const files = temporaryFolder();
  const [RIGHT, WRONG] = [99_151_001, 99_151_002];
  before(async () => {
    await content.put('topics.yaml', MADE_TOPICS);
    await content.put('supplements/zinc.md', madeSupplement('Zinc'));
    await content.put('supplements/iron.md', madeSupplement('Iron'));
    const rows = [
      madeValues({ source: `pmid:${RIGHT}`, certainty: 'low', direction: 'no_difference', year: '2012' }),
      madeValues({ source: `pmid:${WRONG}`, certainty: 'high', direction: 'better', year: '2024' }),
      madeValues({ source: 'pmid:99151003', supplement: 'zinc+iron', topic: 'sleep' }),
      madeValues({ source: 'pmid:99151004', supplement: 'iron', topic: 'sleep', use: 'subgroup' }),
    ];
    await content.put('findings/made.tsv', madeTable(...rows));
  });
  const base = useService(() => ({ contentDir: content.path() }));
  const outcome = async (vertical: string) => (await base.client.get(`/api/outcomes/${vertical}`).expect(200)).body;

  it('grade a question that has no source in the corpus', async () => {
    const { certainty, direction, assessed: is, source_count, population } = await outcome('zinc-colds');
    assert.deepEqual([certainty, direction, is, source_count, population], ['high', 'positive', true, 0, 'adults']);
  });

  it('do not grade a single supplement by a combination or a subgroup', async () => {
    for (const vertical of ['zinc-sleep', 'iron-sleep']) await base.client.get(`/api/outcomes/${vertical}`).expect(404);
    const { body } = await base.client.get('/api/findings', { supplement: 'iron', topic: 'sleep' }).expect(200);
    assert.deepEqual(
      body.findings.map(({ id, vertical }: { id: string; vertical: string }) => [id, vertical]),
      [
        ['pmid:99151004#1', 'iron-sleep'],
        ['pmid:99151003#1', ''],
      ],
    );
  });

  it('are ignored after the retraction of their source', async () => {
    await ingest(base.service, 'pubmed', await files.put('made.xml', madeFile(madeArticle(zincTrial(WRONG)))));
    assert.deepEqual((await outcome('zinc-colds')).direction, 'positive');
    await ingest(
      base.service,
      'retractions',
      await files.put('list.tsv', `pmid\tdoi\tnature\n${WRONG}\t\tRetraction\n`),
    );
    const after = await outcome('zinc-colds');
    assert.deepEqual([after.certainty, after.direction], ['low', 'null']);
    assert.deepEqual(
      after.assessments.map(({ lead }: { lead: string }) => lead),
      [`pmid:${RIGHT}#1`],
    );
  });
});
