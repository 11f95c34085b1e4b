import assert from 'node:assert/strict';
import { compileLabelMatcher } from '#plugins/products/matching/matcher.ts';
import { readName } from '#plugins/products/matching/name-reading.ts';
import type { SupplementRow } from '#plugins/vocabulary/index.ts';

const madeRow = (slug: string, category: string, synonyms: readonly string[], more: object = {}): SupplementRow =>
  ({
    slug,
    name: slug.replaceAll('-', ' '),
    latinName: '',
    category,
    traditions: [],
    synonyms,
    entry: { forms: [], ...more },
    body: '',
    digest: '',
    changedAt: new Date(0),
  }) as unknown as SupplementRow;

const matcher = compileLabelMatcher([
  madeRow('magnesium', 'mineral', ['magnesium citrate', 'ZMA']),
  madeRow('zinc', 'mineral', ['ZMA']),
  madeRow('calcium', 'mineral', ['calcium carbonate']),
  madeRow('iron', 'mineral', []),
  madeRow('iodine', 'mineral', ['kelp', 'potassium iodide']),
  madeRow('vitamin-d', 'vitamin', ['vitamin D3', 'cholecalciferol']),
  madeRow('vitamin-c', 'vitamin', ['ascorbic acid', 'ascorbate'], { ids: { unii: 'PQ6CK8PD0R' } }),
  madeRow('vitamin-b12', 'vitamin', ['B12', 'cobalamin'], {
    forms: [{ name: 'Methylcobalamin tablets' }, { name: 'Methylcobalamin' }],
  }),
  madeRow('coenzyme-q10', 'other', ['CoQ10']),
  madeRow('omega-3', 'fatty-acid', ['fish oil', 'EPA', 'DHA']),
  madeRow('curcumin', 'herb', ['turmeric'], { brands: ['Meriva'] }),
  madeRow('ginger', 'herb', []),
  madeRow('ginseng', 'herb', ['panax']),
  madeRow('garlic', 'herb', []),
  madeRow('caffeine', 'other', ['coffee']),
  madeRow('methylsulfonylmethane', 'other', ['MSM supplement']),
  madeRow('whey-protein', 'protein', ['whey']),
]);

const read = (name: string, typeCode = '', brand = 'Madeup Labs') => {
  const found = readName({ name, brand, typeCode }, matcher);
  return found && [found.supplement_slug, found.amount, found.unit];
};

describe('readName', () => {
  const doses: Readonly<Record<string, readonly [string, number | null, string]>> = {
    'Magnesium Citrate 400 mg': ['magnesium', 400, 'mg'],
    'Vitamin D3 5,000 IU': ['vitamin-d', 5000, 'IU'],
    'Vitamin D-3 5000 I.U. Softgels': ['vitamin-d', 5000, 'IU'],
    'Omega-3 1200 mg': ['omega-3', 1200, 'mg'],
    'CoQ10 100mg': ['coenzyme-q10', 100, 'mg'],
    'Madeup Labs Co Q-10 60 mg': ['coenzyme-q10', 60, 'mg'],
    'Methyl B-12 1,000 mcg Natural Berry Flavor Lozenges': ['vitamin-b12', 1000, 'mcg'],
    'Vitamin C-500 mg': ['vitamin-c', 500, 'mg'],
    'Zinc .5 g': ['zinc', 0.5, 'g'],
    'Chewable D-3 1000 IU': ['vitamin-d', 1000, 'IU'],
    'MSM 1,000 mg': ['methylsulfonylmethane', 1000, 'mg'],
    // These names identify one supplement but no certain dose.
    Magnesium: ['magnesium', null, ''],
    'Zinc 30 mg 60 mg': ['zinc', null, ''],
    'Zinc 50': ['zinc', null, ''],
    'Whey Protein Vanilla 908 g': ['whey-protein', null, ''],
    'Fish Oil 1000 mg': ['omega-3', null, ''],
    'Vitamin C 20-30 mg': ['vitamin-c', null, ''],
  };
  for (const [name, expected] of Object.entries(doses))
    it(`reads ${expected[0]} ${expected[1] ?? 'without a dose'} from "${name}"`, () =>
      assert.deepEqual(read(name), expected));

  const silent = [
    'Calcium Magnesium 500 mg',
    'Calcium & Boron 500 mg',
    'Zinc with Echinacea 15 mg',
    'Magnesium + B6',
    'Magnesium Potassium Aspartate 200 mg',
    'ZMA 500 mg',
    'Zinc 30C',
    'Zincum Zinc 6X',
    'Omega 3-6-9 1000 mg',
    'Curcumin Complex 500 mg',
    'Ginger Peach Flavor Drink',
    'Siberian Ginseng 400 mg',
    'Kelp 150 mcg',
    'Coffee 200 mg',
    'Magnesium Stearate 5 mg',
    'Joint Formula',
    '',
  ];
  for (const name of silent)
    it(`reads nothing from the ambiguous name "${name}"`, () => assert.equal(read(name), null));

  it('reads nothing from a name when the label type is a combination', () => {
    assert.equal(read('Zinc 30 mg', 'A1325'), null);
    assert.equal(read('Zinc 30 mg', 'A1315'), null);
    assert.deepEqual(read('Zinc 30 mg', 'A1299'), ['zinc', 30, 'mg']);
  });
});

describe('matcher.ofIngredient', () => {
  const of = (name: string, category = '', more: Partial<{ group: string; unii: string; form: string }> = {}) =>
    matcher.ofIngredient({ name, category, group: '', unii: '', form: '', ...more });

  it('matches by UNII, by whole name, by group and by a name within the text', () => {
    assert.equal(of('Anything', 'other', { unii: 'PQ6CK8PD0R' }), 'vitamin-c');
    assert.equal(of('Vitamin D-3', 'vitamin'), 'vitamin-d');
    assert.equal(of('Methylcobalamin', 'vitamin'), 'vitamin-b12');
    assert.equal(of('Meriva(R) phytosome', 'botanical'), 'curcumin');
    assert.equal(of('Red root of the far east', 'botanical', { group: 'Ginger' }), 'ginger');
    assert.equal(of('organic Ginger root extract 4:1', 'botanical'), 'ginger');
  });

  it('matches the first of two names when the second only states the source', () => {
    assert.equal(of('Iodine (from Kelp)', 'mineral'), 'iodine');
    assert.equal(of('Ginger extract standardized to Garlic', 'botanical'), 'ginger');
    assert.equal(of('Ginger Garlic', 'botanical'), null);
  });

  it('matches nothing when the words mean something else', () => {
    assert.equal(of('Magnesium Stearate', 'other'), null);
    assert.equal(of('Calcium Pantothenate', 'vitamin'), null);
    assert.equal(of('Siberian Ginseng root', 'botanical'), null);
    assert.equal(of('Garlic flavor', 'other'), null);
    assert.equal(of('Ginger Blend', 'blend'), null);
    assert.equal(of('Protein', 'protein'), null);
    assert.equal(of('Ironwood bark', 'botanical'), null);
  });

  it('matches the vitamin, not the mineral, for a salt that the label lists as a vitamin', () => {
    assert.equal(of('Calcium Ascorbate', 'vitamin'), 'vitamin-c');
    assert.equal(of('Calcium Carbonate', 'mineral'), 'calcium');
  });

  it('matches nothing when two supplements share the name', () => assert.equal(of('ZMA', 'mineral'), null));
});
