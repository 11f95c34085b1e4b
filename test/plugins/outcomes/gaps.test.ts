import assert from 'node:assert/strict';
import { gapsOf } from '#plugins/outcomes/gaps.ts';
import type { OutcomeSource } from '#plugins/outcomes/grading/source.ts';
import { weighSources } from '#plugins/outcomes/grading/weigh-sources.ts';
import { registered, review, trial } from './support.ts';

const gapsOn = (topic: string, ...sources: readonly OutcomeSource[]) =>
  gapsOf({ topic, figures: weighSources({ supplement: 'zinc', topic }, sources, []).figures }, 2026);
const gaps = (...sources: readonly OutcomeSource[]) => gapsOn('colds', ...sources);
const reasons = (...sources: readonly OutcomeSource[]) => gaps(...sources).map(({ reason }) => reason);

describe('gapsOf()', () => {
  it('returns no gaps when recent trials and a review agree', () => {
    assert.deepEqual(reasons(review({ year: 2024 }), trial({ year: 2023 })), []);
  });

  it('returns the numbers behind each reason', () => {
    const cohort = trial({ evidenceLevel: 'cohort', year: 2010 });
    assert.deepEqual(
      gaps(cohort).map(({ reason, numbers }) => [reason, numbers]),
      [
        ['no_rct', { randomised_trials: 0, reviews: 0, sources_in_people: 1 }],
        ['old', { newest_year: 2010, years: 16, limit: 10 }],
      ],
    );
    const [small] = gaps(trial({ sampleSizeN: 60 }), trial({ sampleSizeN: 30 }));
    assert.deepEqual(small?.numbers, { randomised_trials: 2, largest_trial: 60, people: 90, limit: 100 });
    assert.match(small?.text ?? '', /the largest of known size had 60 people/);
  });

  it('does not count a review of observational studies as a review of trials', () => {
    assert.deepEqual(reasons(review({ observational: true, year: 2025 })), ['no_rct']);
  });

  it('reports conflicting sources only when their results were read', () => {
    const [yes, no] = [trial(), trial({ effectDirection: 'null' })];
    assert.deepEqual(reasons(yes, no), ['conflicting']);
    assert.deepEqual(reasons({ ...yes, read: '' }, { ...no, read: '' }), []);
  });

  it('distinguishes mixed results within studies from disagreement between sources', () => {
    const mixed = () => trial({ effectDirection: 'mixed' });
    assert.match(gaps(mixed(), mixed())[0]?.text ?? '', /^The studies mostly report mixed results in themselves/);
    assert.match(gaps(trial(), trial({ effectDirection: 'null' }))[0]?.text ?? '', /^The sources disagree/);
  });

  it('accepts harm or observational studies as evidence on safety and reports small or missing studies', () => {
    const harm = trial({ topics: ['safety'], effectDirection: 'negative' });
    const other = trial({ topics: ['safety'], effectDirection: 'mixed' });
    const none = trial({ topics: ['safety'], effectDirection: 'null' });
    assert.deepEqual(gapsOn('safety', harm, other, none), []);
    const cohort = trial({ topics: ['safety'], evidenceLevel: 'cohort' });
    assert.deepEqual(gapsOn('safety', cohort), []);
    assert.deepEqual(gapsOn('safety', cohort, trial({ topics: ['safety'], sampleSizeN: 20 })), []);
    const [small] = gapsOn('safety', trial({ topics: ['safety'], sampleSizeN: 20 }));
    assert.equal(
      small?.text,
      'The only trial is small: it had 20 people. Only harm that many people get shows in so few.',
    );
    const [gap] = gapsOn('safety', trial({ topics: ['safety'], evidenceLevel: 'case_report', sampleSizeN: 1 }));
    assert.deepEqual([gap?.reason, gap?.numbers.observational], ['no_rct', 0]);
  });

  it('reports a topic studied only in a special group and omits trials in that group', () => {
    const infants = trial({ population: 'infants with colic' });
    const of = (nctId: string, title: string) => registered({ nctId, title });
    const [gap] = gaps(infants, of('NCT99000031', 'Zinc in Infants'), of('NCT99000032', 'Zinc in Adults'));
    assert.deepEqual(
      [gap?.reason, gap?.text, gap?.trials.map(({ nct_id }) => nct_id)],
      ['no_population', 'In this base it was studied only in infants, and not in other people.', ['NCT99000032']],
    );
    assert.deepEqual(reasons(infants, trial()), []);
  });

  it('reports that no people were studied or that the population is not stated', () => {
    const animal = trial({ species: 'animal', evidenceLevel: 'animal' });
    assert.deepEqual(reasons(animal), ['no_rct', 'no_population']);
    assert.deepEqual(reasons(trial({ population: '' })), ['no_population']);
  });

  it('lists registered open trials that would close a gap', () => {
    const small = registered({ nctId: 'NCT99000002', sampleSizeN: 20 });
    const large = registered({ nctId: 'NCT99000003', sampleSizeN: 400 });
    const over = ['COMPLETED (actual)', 'TERMINATED (actual)', 'WITHDRAWN', 'SUSPENDED (planned)', 'UNKNOWN (planned)'];
    const ended = over.map((trialStatus, at) => registered({ nctId: `NCT9900001${at}`, trialStatus }));
    const watched = registered({ nctId: 'NCT99000020', publicationTypes: ['Observational Study'] });
    const [gap] = gaps(trial({ sampleSizeN: 50 }), small, large, watched, ...ended);
    assert.equal(gap?.reason, 'small_n');
    assert.deepEqual(
      gap?.trials.map(({ nct_id, status, people }) => [nct_id, status, people]),
      [['NCT99000003', 'RECRUITING', 400]],
    );
    assert.deepEqual(
      gaps(small).map(({ reason, trials }) => [reason, trials.length]),
      [
        ['no_rct', 1],
        ['only_registered', 1],
      ],
    );
  });

  it('treats a trial without a status as open for five years from its start', () => {
    const entry = (year: number) => registered({ trialStatus: '', year, publicationTypes: ['Clinical Trial'] });
    assert.equal(gaps(entry(2022))[0]?.trials[0]?.status, '');
    assert.deepEqual(gaps(entry(2020))[0]?.trials, []);
  });
});
