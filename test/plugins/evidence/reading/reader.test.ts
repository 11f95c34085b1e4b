import assert from 'node:assert/strict';
import type { AbstractReader } from '#plugins/evidence/reading/reading.ts';
import { MAGNESIUM, PRESSURE, reader, SLEEP, TRIAL } from './support.ts';

const prompt = { intervention: 'magnesium', comparator: 'placebo', outcome: 'sleep latency' };

describe('abstract reader', function () {
  this.timeout(60_000);
  let read: AbstractReader;
  before(async () => {
    read = await reader();
  });

  it('labels a decrease that the passage states', () => {
    const found = read.label(
      prompt,
      'Sleep latency was significantly shorter with magnesium than with placebo (p = 0.002).',
    );
    assert.ok(found.decreased > 0.5, JSON.stringify(found));
  });

  it('labels an increase when the arms of the prompt are swapped', () => {
    const swapped = { ...prompt, intervention: 'placebo', comparator: 'magnesium' };
    const found = read.label(
      swapped,
      'Sleep latency was significantly shorter with magnesium than with placebo (p = 0.002).',
    );
    assert.ok(found.increased > 0.5, JSON.stringify(found));
  });

  it('labels a difference that is not significant as "none"', () => {
    const found = read.label(
      prompt,
      'Sleep latency did not differ between magnesium and placebo (21 vs 22 min, p = 0.71).',
    );
    assert.ok(found.none > 0.5, JSON.stringify(found));
  });

  it('returns probabilities that add up to one', () => {
    const { increased, decreased, none } = read.label(prompt, 'Sleep latency fell.');
    assert.ok(Math.abs(increased + decreased + none - 1) < 1e-9);
  });

  it('returns the same numbers for the same input', () => {
    assert.deepEqual(read.label(prompt, TRIAL.abstract), read.label(prompt, TRIAL.abstract));
  });

  it('finds the sentence of the abstract that reports the outcome', () => {
    const found = read.labelInAbstract(prompt, TRIAL.abstract);
    assert.ok(found !== null && found.decreased > 0.5, JSON.stringify(found));
    assert.match(TRIAL.abstract.slice(found.passage.start, found.passage.end), /latency/);
  });

  it('abstains on an outcome that the abstract does not mention', () => {
    assert.equal(read.labelInAbstract({ ...prompt, outcome: 'hair colour' }, TRIAL.abstract), null);
  });

  it('returns one finding for each outcome mentioned', () => {
    const found = read.read(TRIAL, { interventions: MAGNESIUM, outcomes: [SLEEP, PRESSURE] });
    assert.deepEqual(
      found.map(({ key, forThePerson }) => [key, forThePerson]),
      [
        ['sleep', 'better'],
        ['blood-pressure', 'no_difference'],
      ],
    );
  });

  it('returns the effect size with its interval in the finding', () => {
    const [sleep] = read.read(TRIAL, { interventions: MAGNESIUM, outcomes: [SLEEP] });
    assert.deepEqual(sleep?.size, { measure: 'MD', value: -12.4, low: -18.1, high: -6.7, unit: 'min' });
  });
});
