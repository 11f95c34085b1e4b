import assert from 'node:assert/strict';
import { activeMoiety, substancesIn } from '#plugins/interactions/drugs/active-moiety.ts';
import { brandName, displayName, withoutNumber, withoutStrength } from '#plugins/interactions/drugs/drug-words.ts';

const none = (): boolean => false;

describe('substance names', () => {
  for (const [raw, name] of [
    ['WARFARIN SODIUM', 'warfarin'],
    ['METOPROLOL SUCCINATE', 'metoprolol'],
    ['DEXAMETHASONE SODIUM PHOSPHATE', 'dexamethasone'],
    ['TIOTROPIUM BROMIDE MONOHYDRATE', 'tiotropium'],
    ['OLMESARTAN MEDOXOMIL', 'olmesartan'],
    ['LEVOTHYROXINE SODIUM **', 'levothyroxine'],
    ['SODIUM CHLORIDE', 'sodium chloride'],
    ['POTASSIUM CITRATE', 'potassium citrate'],
    ['FERROUS SULFATE', 'ferrous sulfate'],
    ['DIMETHYL FUMARATE', 'dimethyl fumarate'],
    ['BENZYL BENZOATE', 'benzyl benzoate'],
    ['EDETATE DISODIUM', 'edetate disodium'],
    ['EDETATE CALCIUM DISODIUM', 'edetate calcium disodium'],
  ] as const) {
    it(`reduces ${raw} to ${name}`, () => assert.equal(activeMoiety(raw, none), name));
  }

  it('keeps the salt when the whole name is a known substance', () => {
    assert.equal(activeMoiety('CALCIUM ACETATE', none), 'calcium acetate');
    assert.equal(
      activeMoiety('DABIGATRAN ETEXILATE MESYLATE', (name) => name === 'dabigatran etexilate'),
      'dabigatran etexilate',
    );
  });

  it('splits at semicolons, slashes, and commas that separate substances', () => {
    assert.deepEqual(substancesIn('AMLODIPINE BESYLATE; BENAZEPRIL HYDROCHLORIDE'), [
      'amlodipine besylate',
      'benazepril hydrochloride',
    ]);
    assert.deepEqual(substancesIn('ELEXACAFTOR, IVACAFTOR, TEZACAFTOR'), ['elexacaftor', 'ivacaftor', 'tezacaftor']);
    assert.deepEqual(substancesIn('SODIUM PHOSPHATE, DIBASIC, HEPTAHYDRATE'), [
      'sodium phosphate, dibasic, heptahydrate',
    ]);
    assert.deepEqual(substancesIn('LIOTRIX (T4;T3)'), ['liotrix']);
  });
});

describe('display names', () => {
  it('uses title case without hyphens for display and keeps release forms in brand names', () => {
    assert.equal(displayName('LO-ZUMANDIMINE'), 'Lo Zumandimine');
    assert.equal(displayName('insulin aspart'), 'Insulin Aspart');
    assert.equal(brandName('GLUCOPHAGE XR'), 'Glucophage XR');
    assert.equal(brandName('LO-ZUMANDIMINE'), 'Lo-Zumandimine');
    assert.equal(brandName('NovoRapid'), 'NovoRapid');
  });

  it('removes strength, form and number', () => {
    assert.equal(withoutStrength('Lipitor 20 mg tablets'), 'Lipitor');
    assert.equal(withoutStrength('metformin 500mg'), 'metformin');
    for (const [name, bare] of [
      ['ADDERALL 10', 'ADDERALL'],
      ["AUGMENTIN '125'", 'AUGMENTIN'],
      ['ORTHO-NOVUM 1/50 21', 'ORTHO-NOVUM'],
      ['TYLENOL W/ CODEINE NO. 3', 'TYLENOL W/ CODEINE'],
      ['B12', 'B12'],
    ] as const)
      assert.equal(withoutNumber(name), bare);
  });
});
