import { strict as assert } from 'node:assert';
import { intakeView } from '#plugins/catalog/intake-view.ts';

const authority = { name: 'NIH ODS', address: 'https://ods.od.nih.gov/factsheets/Magnesium-HealthProfessional/' };
const row = (group: string, age: string, value: number) => ({ group, age, value, kind: 'RDA' });

describe('intakeView()', () => {
  it('merges adjacent age ranges of one group that share a value', () => {
    const view = intakeView({
      supplement: 'magnesium',
      unit: 'mg',
      upperLimit: { adult: 350, note: 'from supplements only', groups: [{ group: 'Male', age: '14-18', value: 350 }] },
      recommended: [
        row('Male', '19-30', 400),
        row('Male', '31-50', 420),
        row('Male', '51-70', 420),
        row('Male', '71+', 420),
      ],
      authority,
    });
    assert.deepEqual(view, {
      unit: 'mg',
      recommended: [
        { group: 'Male', ages: '19 to 30', amount: '400', kind: 'RDA' },
        { group: 'Male', ages: '31 and over', amount: '420', kind: 'RDA' },
      ],
      upper: [
        { group: 'Adults', ages: '19 and over', amount: '350', kind: '' },
        { group: 'Male', ages: '14 to 18', amount: '350', kind: '' },
      ],
      upperNote: 'from supplements only',
      authority: { name: authority.name, href: authority.address },
    });
  });

  it('ends the adult limit where an older age group has its own limit', () => {
    const groups = [
      { group: 'Children', age: '1-3', value: 2500 },
      { group: 'Male', age: '51-70', value: 2000 },
    ];
    const upperLimit = { adult: 2500, groups };
    const view = intakeView({ supplement: 'calcium', unit: 'mg', upperLimit, recommended: [], authority });
    assert.deepEqual(
      view?.upper.map(({ group, ages }) => `${group} ${ages}`),
      ['Adults 19 to 50', 'Children 1 to 3', 'Male 51 to 70'],
    );
  });

  it('shows no limit when none was set', () => {
    const view = intakeView({ supplement: 'x', unit: 'mg', upperLimit: null, recommended: [], authority });
    assert.deepEqual(view?.upper, []);
    assert.equal(intakeView(undefined), null);
  });

  it('lists a group for which no limit could be set', () => {
    const upperLimit = { adult: null, groups: [{ group: 'Pregnancy', value: null }] };
    const view = intakeView({ supplement: 'x', unit: 'mg', upperLimit, recommended: [], authority });
    assert.deepEqual(view?.upper, [{ group: 'Pregnancy', ages: '', amount: 'none set', kind: '' }]);
  });
});
