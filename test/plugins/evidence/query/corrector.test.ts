import assert from 'node:assert/strict';
import { type QueryReading, readQuery } from '#plugins/evidence/query/corrector.ts';
import { buildNearWords, type NearWords } from '#plugins/evidence/query/near-words.ts';

/** Words of a fictional index with the number of documents that contain them. */
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
    it(`corrects ${what}: ${typed}`, () => assert.equal(corrected(typed), right));
  }

  it('returns which word was replaced, its correction and the confidence', () => {
    assert.deepEqual(read('Magnezium, for sleep').corrected, {
      query: 'Magnesium, for sleep',
      words: [{ from: 'Magnezium', to: 'Magnesium', confidence: 0.92 }],
    });
  });

  it('prefers a vocabulary name to another word of the same distance', () => {
    assert.equal(corrected('ashwaganda'), 'ashwagandha');
    assert.equal(corrected('zinv'), 'zinc');
  });

  it('does not change words known to the index or the vocabulary, stop words or numbers', () => {
    for (const query of ['trail', 'once', 'rhodiola', 'what is this for', '2000 iu 1234', 'b12'])
      assert.deepEqual([read(query).corrected, read(query).unknown], [null, 0], query);
  });

  it('never changes a short word into the name of a banned substance', () => {
    assert.deepEqual([corrected('dmae'), read('dmae').unknown], [null, 1]);
  });

  it('never changes one medicine into another', () => {
    for (const query of ['prednisone', 'simvastatim simvastatin', 'rosuvastatin'])
      assert.ok(!(corrected(query) ?? query).includes('prednisolone'), query);
    assert.equal(read('fluvastatin').unknown, 0);
  });

  it('does not change words of three letters or acronyms', () => {
    assert.equal(corrected('zin'), null);
    assert.equal(corrected('ZINV'), null);
  });

  it('does not correct a word with two equally near corrections', () => {
    assert.equal(corrected('creatiine'), 'creatine');
    assert.equal(corrected('ferm'), null);
    assert.equal(read('ferm').unknown, 1);
  });

  it('does not change the first letter of a short word, and does not make distant corrections', () => {
    assert.equal(corrected('bold zinc'), null);
    assert.equal(corrected('magnatronic'), null);
  });

  it('does not change a query of mostly unknown words', () => {
    assert.equal(corrected('blockchain kubernetes depresion'), null);
    assert.equal(read('blockchain kubernetes depresion').unknown, 3);
  });

  it('counts unknown words when there are no near words', () => {
    assert.deepEqual(read('magnezium sleep', null), { corrected: null, unknown: 1, absent: 1 });
  });

  it('accepts any text', () => {
    for (const query of ['', '\u202e', '😀 🦘', 'é'.repeat(500), 'a'.repeat(5_000), '-- OR 1=1', 'ｍａｇｎｅｚｉｕｍ'])
      assert.doesNotThrow(() => read(query));
  });
});

describe('buildNearWords', () => {
  it('returns the same words as a comparison with every word', async () => {
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

  it('does not block the event loop', async () => {
    const words = Array.from(
      { length: 40_000 },
      (_, at) => [`word${(at * 7919).toString(36).replace(/\d/g, 'x')}`, 1 + (at % 9)] as const,
    );
    // Turns are counted instead of time, because other programs use the processor as well.
    let turns = 0;
    const ticker = setInterval(() => {
      turns += 1;
    }, 1);
    await buildNearWords(words);
    clearInterval(ticker);
    assert.ok(turns > 3, `${turns} turns`);
  });
});
