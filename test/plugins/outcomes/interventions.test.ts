import assert from 'node:assert/strict';
import { byUse, dosesFor } from '#plugins/outcomes/interventions.ts';
import type { OutcomeGrade } from '#plugins/outcomes/read-grades.ts';
import type { SupplementRow, Terms } from '#plugins/vocabulary/index.ts';

const grade = (topic: string, certainty: string, sources = 1): OutcomeGrade =>
  ({ vertical: `zinc-${topic}`, topic_slug: topic, certainty, source_count: sources }) as OutcomeGrade;

const dose = (context: string, ...sources: readonly string[]) => ({ context, dose: '10 mg daily', sources });
const doses = (
  dosing: readonly ReturnType<typeof dose>[],
  cited: readonly [string, { retracted: boolean; population: string }][] = [],
) => {
  const evidence = [{ topic: 'colds', direction: 'positive', sources: ['pmid:1', 'pmid:2'] }];
  const row = { entry: { evidence, dosing } } as unknown as SupplementRow;
  const terms: Pick<Terms, 'supplements'> = { supplements: new Map([['zinc', row]]) };
  return dosesFor({ supplement_slug: 'zinc', topic_slug: 'colds' }, terms, new Map(cited));
};
const contexts = (...given: Parameters<typeof doses>): readonly [string[], [string, string][]] => {
  const { doses: usual, special_doses } = doses(...given);
  return [usual.map(({ context }) => context), special_doses.map(({ context, population }) => [context, population])];
};

describe('byUse()', () => {
  it('orders health outcomes first, then nutrient status, then safety', () => {
    const grades = [
      grade('safety', 'low', 30),
      grade('nutrient-status', 'high', 20),
      grade('sleep', 'very_low'),
      grade('blood-pressure', 'moderate', 9),
      grade('colds', 'moderate', 2),
      grade('pain', 'moderate', 3),
    ];
    assert.deepEqual(
      grades.toSorted(byUse).map(({ topic_slug }) => topic_slug),
      ['pain', 'colds', 'blood-pressure', 'sleep', 'nutrient-status', 'safety'],
    );
  });
});

describe('dosesFor()', () => {
  it('returns the doses that share a source with a claim on the outcome', () => {
    assert.deepEqual(contexts([dose('Adults', 'pmid:1'), dose('Sleep', 'pmid:3')]), [['Adults'], []]);
  });

  it('separates doses for infants, children and pregnancy and states the group', () => {
    const dosing = ['Pregnancy', 'Breast-fed infants', 'Schoolchildren', 'Older women'].map((one) =>
      dose(one, 'pmid:1'),
    );
    assert.deepEqual(contexts(dosing), [
      ['Older women'],
      [
        ['Pregnancy', 'pregnancy'],
        ['Breast-fed infants', 'infants'],
        ['Schoolchildren', 'children'],
      ],
    ]);
  });

  it('takes the population from the sources when the dose context names none', () => {
    const infants = { retracted: false, population: 'infants with colic' };
    const adults = { retracted: false, population: 'adults' };
    const one = [dose('Colds', 'pmid:1', 'pmid:2')];
    assert.deepEqual(contexts(one, [['pmid:1', infants]]), [[], [['Colds', 'infants']]]);
    assert.deepEqual(
      contexts(one, [
        ['pmid:1', infants],
        ['pmid:2', adults],
      ]),
      [['Colds'], []],
    );
  });

  it('ignores retracted sources', () => {
    const gone = { retracted: true, population: 'adults' };
    assert.deepEqual(contexts([dose('Colds', 'pmid:1')], [['pmid:1', gone]]), [[], []]);
    assert.deepEqual(doses([dose('Colds', 'pmid:1', 'pmid:2')], [['pmid:1', gone]]).doses[0]?.sources, ['pmid:2']);
  });
});
