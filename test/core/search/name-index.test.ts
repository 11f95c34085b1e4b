import assert from 'node:assert/strict';
import { buildNameIndex, foldName, type NamedThing } from '#core/search/name-index.ts';

const things: readonly NamedThing[] = [
  {
    id: 'st-johns-wort',
    name: 'St. John’s Wort',
    aliases: [
      { text: 'hypericum', type: 'synonym' },
      { text: 'Hypericum perforatum', type: 'latin' },
      { text: 'Jarsin®', type: 'brand' },
    ],
  },
  { id: 'magnesium', name: 'Magnesium', aliases: [{ text: 'magnesium citrate', type: 'synonym' }] },
  { id: 'manganese', name: 'Manganese' },
  { id: 'beta-carotene', name: 'β-Carotene' },
  { id: 'coq10', name: 'Coenzyme Q10', aliases: [{ text: 'CoQ10', type: 'synonym' }] },
  { id: 'fibre', name: 'Dietary fibre' },
  { id: 'vitamin-b6', name: 'Vitamin B6' },
  { id: 'vitamin-b12', name: 'Vitamin B12' },
  { id: 'vitamin-e', name: 'Vitamin E' },
  { id: 'vitamin-k', name: 'Vitamin K' },
  { id: 'zinc', name: 'Zinc' },
  { id: 'nac', name: 'NAC' },
  { id: 'caraway', name: 'Caraway' },
  { id: 'carawan', name: 'Carawan' },
  { id: 'glucosamine', name: 'Glucosamine' },
  { id: 'anise', name: 'Anise' },
];
const index = buildNameIndex(things);
const idOf = (input: string): string | null => index.resolve(input)?.id ?? null;
const idsOf = (hits: readonly { id: string }[]): string[] => hits.map(({ id }) => id);

describe('name index', () => {
  it('resolves a misspelling of a shared name like the name itself', () => {
    const shared = buildNameIndex([
      { id: 'drug:lithium', name: 'lithium' },
      { id: 'class:lithium', name: 'Lithium' },
    ]);
    assert.equal(shared.resolve('lithium')?.id, 'drug:lithium');
    assert.deepEqual([shared.resolve('lithum')?.id, shared.resolve('lithum')?.matchType], ['drug:lithium', 'typo']);
  });

  it('ignores case, accents, apostrophes, hyphens, ™ and whitespace', () => {
    for (const input of [
      "St. John's Wort",
      'ST JOHNS WORT',
      '  st.  johns-wort ',
      'St John´s Wort™',
      'st-johns-wort',
      'Stjohnswort',
    ]) {
      assert.deepEqual(index.resolve(input), {
        id: 'st-johns-wort',
        matched: 'St. John’s Wort',
        matchType: 'exact',
        confidence: 1,
      });
    }
    assert.equal(idOf('Mágnésium'), 'magnesium');
    assert.equal(idOf('jarsin'), 'st-johns-wort');
  });

  it('resolves Greek letters, ampersands and both spellings of English', () => {
    assert.equal(foldName('β-Carotene & α-Lipoic acid'), 'beta carotene and alpha lipoic acid');
    assert.equal(foldName('Dietary Fibre'), foldName('dietary fiber'));
    assert.equal(idOf('beta carotene'), 'beta-carotene');
    assert.equal(idOf('dietary fiber'), 'fibre');
    assert.equal(idOf('anise'), 'anise');
    for (const input of ['Co-Q 10', 'coq 10', 'CoQ-10']) assert.equal(idOf(input), 'coq10');
    for (const input of ['vit b12', 'Vit. B 12', 'vitaminB12', 'vitamin-b-12'])
      assert.equal(idOf(input), 'vitamin-b12');
  });

  it('resolves the words of a name in any order, unless they fit two things', () => {
    assert.equal(idOf('Wort, St. John’s'), 'st-johns-wort');
    assert.equal(idOf('citrate of magnesium'), null);
    assert.equal(idOf('citrate magnesium'), 'magnesium');
    const two = buildNameIndex([
      { id: 'a', name: 'red oil' },
      { id: 'b', name: 'oil red' },
    ]);
    assert.equal(two.resolve('oil red')?.id, 'b');
    assert.equal(two.resolve('red, oil')?.id, 'a');
  });

  it('returns the type of the name that matched', () => {
    const typeOf = (input: string) => [index.resolve(input)?.matchType, index.resolve(input)?.confidence];
    assert.deepEqual(typeOf('magnesium'), ['exact', 1]);
    assert.deepEqual(typeOf('Hypericum'), ['synonym', 0.95]);
    assert.deepEqual(typeOf('hypericum perforatum'), ['latin', 0.95]);
    assert.deepEqual(typeOf('Jarsin'), ['brand', 0.9]);
    assert.equal(typeOf('magnesum')[0], 'typo');
  });

  it('corrects one letter in names of six to nine letters, and two in longer ones', () => {
    assert.equal(idOf('magnesuim'), 'magnesium');
    assert.equal(idOf('magnezuim'), null);
    assert.equal(idOf('glucosmaime'), 'glucosamine');
    assert.equal(idOf('glcosmaime'), null);
    const { confidence = 0 } = index.resolve('glucosamin') ?? {};
    assert.ok(confidence > 0.5 && confidence <= 0.85);
    assert.ok(confidence > (index.resolve('magnesuim')?.confidence ?? 1));
  });

  it('only suggests a name of at most five letters, or one with another first letter', () => {
    for (const [input, near] of [
      ['znic', 'zinc'],
      ['zink', 'zinc'],
      ['zincs', 'zinc'],
      ['ragnesium', 'magnesium'],
    ] as const) {
      assert.equal(index.resolve(input), null, input);
      assert.equal(index.near(input, 1)[0]?.id, near, input);
    }
  });

  it('corrects fewer letters with a lower limit, and suggests the name otherwise', () => {
    const strict = buildNameIndex([{ id: 'efalizumab', name: 'efalizumab' }], { mostTypos: 1 });
    assert.equal(strict.resolve('efalizumeb')?.id, 'efalizumab');
    assert.equal(strict.resolve('efalixumeb'), null);
    assert.equal(strict.near('efalixumeb', 1)[0]?.id, 'efalizumab');
  });

  it('never swaps the parts of a code, such as MK-7 and 7-MK', () => {
    const codes = buildNameIndex([{ id: 'kratom', name: '7-MK' }]);
    assert.equal(codes.resolve('MK-7'), null);
    assert.equal(codes.resolve('7 MK')?.id, 'kratom');
  });

  it('corrects no short word, single letter or number, and nothing when typos are off', () => {
    assert.equal(idOf('nax'), null);
    assert.equal(idOf('nacs'), null);
    for (const input of ['vitamin b5', 'vitamin d', 'vitamine', 'vitamin f', 'coenzyme q11'])
      assert.equal(idOf(input), null);
    assert.equal(idOf('vitamn e'), 'vitamin-e');
    assert.equal(index.resolve('magnesuim', { typos: false }), null);
  });

  it('does not resolve a misspelling equally near to two things', () => {
    assert.equal(idOf('carawax'), null);
    assert.deepEqual(idsOf(index.near('carawax', 2)).sort(), ['carawan', 'caraway']);
  });

  it('prefers a name to an alias of another thing, and a synonym to a brand', () => {
    const shared = buildNameIndex([
      { id: 'a', name: 'A thing', aliases: [{ text: 'Relora', type: 'brand' }] },
      {
        id: 'b',
        name: 'B thing',
        aliases: [
          { text: 'relora', type: 'synonym' },
          { text: 'c thing', type: 'synonym' },
        ],
      },
      { id: 'c', name: 'C thing' },
    ]);
    assert.equal(shared.resolve('RELORA')?.id, 'b');
    assert.equal(shared.resolve('c thing')?.id, 'c');
  });

  it('suggests prefix matches before other matches, shorter names first, and each thing once', () => {
    assert.deepEqual(idsOf(index.suggest('ma', 5)), ['magnesium', 'manganese']);
    assert.deepEqual(idsOf(index.suggest('magn', 5)), ['magnesium']);
    assert.deepEqual(idsOf(index.suggest('e', 5)), []);
    assert.deepEqual(idsOf(index.suggest('wort', 5)), ['st-johns-wort']);
    assert.deepEqual(idsOf(index.suggest('b1', 5)), ['vitamin-b12']);
    assert.deepEqual(idsOf(index.suggest('caro', 5)), ['beta-carotene']);
    assert.deepEqual(idsOf(index.suggest('an', 5)), ['anise']);
    assert.deepEqual(idsOf(index.suggest('ane', 5)), ['manganese']);
    assert.deepEqual(idsOf(index.suggest('vitamin', 2)), ['vitamin-e', 'vitamin-k']);
    assert.deepEqual(idsOf(index.suggest('anis', 5)), ['anise']);
    for (const input of ['fibr', 'fibre', 'fiber', 'dietary-f'])
      assert.deepEqual(idsOf(index.suggest(input, 5)), ['fibre']);
    assert.deepEqual(index.suggest('', 5), []);
  });

  it('returns the nearest things for an unknown input', () => {
    assert.equal(index.near('magnesiumm oxid', 3)[0]?.id, 'magnesium');
    assert.deepEqual(index.near('xyzzy', 3), []);
    assert.deepEqual(index.near('zinc', 1)[0]?.matchType, 'exact');
    assert.deepEqual(index.near('', 3), []);
  });

  it('accepts any text', () => {
    for (const input of ['', '   ', '™', '((((', '漢方', 'a'.repeat(500), '%_\\', '\0'])
      assert.equal(idOf(input), null);
  });
});
