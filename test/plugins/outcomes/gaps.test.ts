import assert from 'node:assert/strict';
import { gapsOf } from '#plugins/outcomes/gaps.ts';
import { gradeOutcome } from '#plugins/outcomes/grading/grade-outcome.ts';
import type { OutcomeSource } from '#plugins/outcomes/grading/source.ts';
import { registered, review, trial } from './support.ts';

const gaps = (...sources: readonly OutcomeSource[]) =>
  gapsOf(gradeOutcome({ supplement: 'zinc', topic: 'colds' }, sources, []).figures, 2026);
const reasons = (...sources: readonly OutcomeSource[]) => gaps(...sources).map(({ reason }) => reason);

describe('gaps', () => {
  it('are none where new trials and a review of them agree', () => {
    assert.deepEqual(reasons(review({ year: 2024 }), trial({ year: 2023 })), []);
  });

  it('carry the numbers behind each reason', () => {
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

  it('know what no review of trials can be', () => {
    assert.deepEqual(reasons(review({ observational: true, year: 2025 })), ['no_rct']);
  });

  it('tell that sources conflict only when somebody judged them', () => {
    const [yes, no] = [trial(), trial({ effectDirection: 'null' })];
    assert.deepEqual(reasons(yes, no), ['conflicting']);
    assert.deepEqual(reasons({ ...yes, read: '' }, { ...no, read: '' }), []);
  });

  it('tell that nobody in people was studied, or that nobody says who', () => {
    const animal = trial({ species: 'animal', evidenceLevel: 'animal' });
    assert.deepEqual(reasons(animal), ['no_rct', 'no_population']);
    assert.deepEqual(reasons(trial({ population: '' })), ['no_population']);
  });

  it('name the registered trials that would fill them', () => {
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

  it('take a record without a status for a trial under way for five years from its start', () => {
    const entry = (year: number) => registered({ trialStatus: '', year, publicationTypes: ['Clinical Trial'] });
    assert.equal(gaps(entry(2022))[0]?.trials[0]?.status, '');
    assert.deepEqual(gaps(entry(2020))[0]?.trials, []);
  });
});
