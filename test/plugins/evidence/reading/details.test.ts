import assert from 'node:assert/strict';
import { passagesOf, readDetails } from '#plugins/evidence/reading/details.ts';
import { MAGNESIUM, PRESSURE, reader, SLEEP, TRIAL } from './support.ts';

const READING = { size: { n: 120, studies: null, phrase: '' }, population: 'older adults' } as never;
const ASKED = { interventions: MAGNESIUM, outcomes: [SLEEP, PRESSURE] };

describe('readDetails', () => {
  it('returns every value with the number of its sentence', async () => {
    const details = readDetails(TRIAL, READING, ASKED, await reader());
    assert.deepEqual(
      [details?.sentences, details?.sample_size?.sentence, details?.dose, details?.duration?.value].map((value) =>
        typeof value === 'object' ? { ...value, probability: 0 } : value,
      ),
      [6, 2, { value: '400 mg daily', sentence: 2, probability: 0 }, '8 weeks'],
    );
  });
  it('returns each outcome with its effect, its size and its sentence', async () => {
    const details = readDetails(TRIAL, READING, ASKED, await reader());
    const [sleep, pressure] = details?.outcomes ?? [];
    assert.deepEqual(
      [sleep?.effect, sleep?.for_the_person, sleep?.size?.value, sleep?.size?.low, sleep?.size?.high, sleep?.sentence],
      ['decreased', 'better', -12.4, -18.1, -6.7, 3],
    );
    assert.deepEqual([pressure?.effect, pressure?.size, pressure?.sentence], ['no_difference', null, 4]);
  });
  it('returns the statement about harms with its sentence', async () => {
    const details = readDetails(TRIAL, READING, ASKED, await reader());
    assert.deepEqual(
      details?.harms.map(({ value, sentence }) => [value, sentence]),
      [['none_reported', 5]],
    );
  });
  it('returns null for a protocol', async () => {
    const protocol = {
      title: 'Zinc for colds: study protocol',
      abstract: `${'Adults will be randomised to zinc or placebo. '.repeat(4)}`,
    };
    assert.equal(readDetails(protocol, READING, ASKED, await reader()), null);
  });
  it('does not read an amount measured in blood as a dose', async () => {
    const abstract = TRIAL.abstract
      .replace('magnesium oxide 400 mg daily', 'magnesium')
      .replace('mean difference -12.4 min', 'glucose 95 mg/dL');
    assert.equal(readDetails({ ...TRIAL, abstract }, READING, ASKED, await reader())?.dose, null);
  });
  it('does not read a follow-up, a run-in or an age as a duration', async () => {
    const abstract = TRIAL.abstract.replace(
      'for 8 weeks',
      'after a 4-week run-in period, aged 65 years, with 12 months follow-up',
    );
    assert.equal(readDetails({ ...TRIAL, abstract }, READING, ASKED, await reader())?.duration, null);
  });
  it('allows all cited sentences of an abstract with unlimited quotation', async () => {
    const details = readDetails(TRIAL, READING, ASKED, await reader());
    assert.ok(details);
    assert.equal(
      passagesOf(details, TRIAL.abstract, Number.POSITIVE_INFINITY)['5'],
      'No serious adverse events were reported.',
    );
  });
  it('allows at most 49 words of an abstract with limited quotation', async () => {
    const details = readDetails(TRIAL, READING, ASKED, await reader());
    assert.ok(details);
    const words = Object.values(passagesOf(details, TRIAL.abstract, 49))
      .join(' ')
      .split(' ').length;
    assert.ok(words > 0 && words <= 49, `${words} words`);
  });
  it('allows no passage of an abstract other than the one that was read', async () => {
    const details = readDetails(TRIAL, READING, ASKED, await reader());
    assert.ok(details);
    assert.deepEqual(passagesOf(details, `${TRIAL.abstract} One more sentence.`, 1_000), {});
  });
});
