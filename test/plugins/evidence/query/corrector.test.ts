import assert from 'node:assert/strict';
import { type QueryReading, readQuery } from '#plugins/evidence/query/corrector.ts';
import { buildNearWords, type NearWords } from '#plugins/evidence/query/near-words.ts';

/** Words of a made-up index, and the documents that hold them. */
const INDEX: Readonly<Record<string, number>> = {
  magnesium: 300,
  sleep: 200,
  zinc: 250,
  cold: 120,
  vitamin: 500,
  deficiency: 90,
  depression: 140,
  anxiety: 100,
  ashwagandha: 30,
  curcumin: 80,
  creatine: 60,
  creatinine: 50,
  breast: 70,
  cancer: 150,
  trial: 900,
  trail: 2,
  form: 40,
  from: 2_000,
  farm: 40,
  prednisolone: 12,
  once: 1,
  collagen: 25,
  omega: 80,
  dmaa: 5,
};
const NAMES = new Set(['ashwagandha', 'rhodiola', 'zinc', 'prednisone']);

describe('typo correction', () => {
  let near: NearWords;
  before(async () => {
    near = await buildNearWords(Object.entries(INDEX));
  });
  const read = (query: string, from: NearWords | null = near): QueryReading =>
    readQuery(query, {
      frequency: (word) => INDEX[word.toLowerCase()] ?? 0,
      isName: (word) => NAMES.has(word),
      isSubstance: (word) => word === 'dmaa',
      near: from,
    });
  const corrected = (query: string): string | null => read(query).corrected?.query ?? null;

  const slips: readonly (readonly [what: string, typed: string, right: string])[] = [
    ['a wrong letter', 'magnezium sleep', 'magnesium sleep'],
    ['swapped letters', 'magnesuim sleep', 'magnesium sleep'],
    ['a missing letter', 'vitmin deficiency', 'vitamin deficiency'],
    ['a doubled letter', 'sleeep', 'sleep'],
    ['two slips in a long word', 'defficency', 'deficiency'],
    ['two words at once', 'depresion anxeity', 'depression anxiety'],
    ['a part of a compound', 'omegga-3', 'omega-3'],
  ];
  for (const [what, typed, right] of slips) {
    it(`sets right ${what}: ${typed}`, () => assert.equal(corrected(typed), right));
  }

  it('says which word became which, and how sure that is', () => {
    assert.deepEqual(read('Magnezium, for sleep').corrected, {
      query: 'Magnesium, for sleep',
      words: [{ from: 'Magnezium', to: 'Magnesium', confidence: 0.92 }],
    });
  });

  it('takes the name of the vocabulary before another word as near', () => {
    assert.equal(corrected('ashwaganda'), 'ashwagandha');
    assert.equal(corrected('zinv'), 'zinc');
  });

  it('leaves alone what the index or the vocabulary knows, stop words and numbers', () => {
    for (const query of ['trail', 'once', 'rhodiola', 'what is this for', '2000 iu 1234', 'b12'])
      assert.deepEqual([read(query).corrected, read(query).unknown], [null, 0], query);
  });

  it('never turns a short word into the name of a banned substance', () => {
    assert.deepEqual([corrected('dmae'), read('dmae').unknown], [null, 1]);
  });

  it('never turns one medicine into another', () => {
    for (const query of ['prednisone', 'simvastatim simvastatin', 'rosuvastatin'])
      assert.ok(!(corrected(query) ?? query).includes('prednisolone'), query);
    assert.equal(read('fluvastatin').unknown, 0);
  });

  it('leaves alone words of three letters and acronyms', () => {
    assert.equal(corrected('zin'), null);
    assert.equal(corrected('ZINV'), null);
  });

  it('refuses when two corrections are equally near', () => {
    assert.equal(corrected('creatiine'), 'creatine');
    assert.equal(corrected('ferm'), null);
    assert.equal(read('ferm').unknown, 1);
  });

  it('refuses what would change the first letter of a short word, or is too far', () => {
    assert.equal(corrected('bold zinc'), null);
    assert.equal(corrected('magnatronic'), null);
  });

  it('leaves a query alone that is mostly about something else', () => {
    assert.equal(corrected('blockchain kubernetes depresion'), null);
    assert.equal(read('blockchain kubernetes depresion').unknown, 3);
  });

  it('counts unknown words without any words to correct them with', () => {
    assert.deepEqual(read('magnezium sleep', null), { corrected: null, unknown: 1, absent: 1 });
  });

  it('takes any text', () => {
    for (const query of ['', '\u202e', '😀 🦘', 'é'.repeat(500), 'a'.repeat(5_000), '-- OR 1=1', 'ｍａｇｎｅｚｉｕｍ'])
      assert.doesNotThrow(() => read(query));
  });
});

describe('words near a typed one', () => {
  it('are all that are within the edits allowed, as comparing with each of them gives', async () => {
    const { editDistance } = await import('#core/search/edit-distance.ts');
    const letters = 'abcde';
    let state = 7;
    const below = (limit: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
    const word = (): string => Array.from({ length: 4 + below(7) }, () => letters[below(5)]).join('');
    const words = [...new Set(Array.from({ length: 3_000 }, word))];
    const near = await buildNearWords(words.map((each) => [each, 5] as const));
    for (let at = 0; at < 200; at += 1) {
      const typed = word();
      const limit = typed.length < 8 ? 1 : 2;
      const expected = words.filter((each) => each !== typed && editDistance(typed, each, limit) <= limit);
      assert.deepEqual(
        near
          .near(typed)
          .map((each) => each.word)
          .sort(),
        expected.sort(),
      );
    }
  });

  it('are filed without holding up other work', async () => {
    const words = Array.from(
      { length: 40_000 },
      (_, at) => [`word${(at * 7919).toString(36).replace(/\d/g, 'x')}`, 1 + (at % 9)] as const,
    );
    // Counted and not timed: other programs take the processor as well.
    let turns = 0;
    const ticker = setInterval(() => {
      turns += 1;
    }, 1);
    await buildNearWords(words);
    clearInterval(ticker);
    assert.ok(turns > 3, `${turns} turns`);
  });
});
