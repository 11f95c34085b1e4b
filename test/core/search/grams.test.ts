import assert from 'node:assert/strict';
import { buildGrams, gramsOf, mergeGrams, wordsWith } from '#core/search/grams.ts';

const shared = (a: string, b: string) => gramsOf(a).filter((gram) => gramsOf(b).includes(gram)).length;

describe('character n-grams', () => {
  it('splits a word of n letters into n - 2 distinct n-grams, with marked word ends', () => {
    assert.equal(gramsOf('apigenin').length, 6);
    assert.equal(gramsOf('iron').length, 2);
    assert.equal(new Set(gramsOf('nananananana')).size, gramsOf('nananananana').length);
  });

  it('gives a word of up to three letters one n-gram of its own', () => {
    const words = ['c', 'd', 'b6', 'd3', 'epa', 'dha', 'ep'];
    assert.ok(words.every((word) => gramsOf(word).length === 1));
    assert.equal(new Set(words.flatMap(gramsOf)).size, words.length);
    assert.equal(shared('epa', 'hepatic'), 0);
  });

  it('finds shared n-grams between truncated, lengthened or misspelled words and the right one', () => {
    assert.equal(shared('apigen', 'apigenin'), 3);
    assert.ok(shared('endocannabinoids', 'cannabinoids') >= 9);
    assert.equal(shared('quercitin', 'quercetin'), 2);
    assert.equal(shared('magnesium', 'curcumin'), 0);
  });

  it('accepts other scripts, and distinguishes most of their words', () => {
    const words = ['緑茶', '日本語', 'куркумин', 'магний', 'زنجبيل', '🧪🧪🧪'];
    const all = words.map(gramsOf);
    assert.ok(all.flat().every((gram) => Number.isInteger(gram) && gram >= 0 && gram < 37 ** 5));
    assert.equal(new Set(all.flat()).size, all.flat().length);
    assert.deepEqual(gramsOf('куркумин'), gramsOf('куркумин'));
  });

  it('maps each n-gram to the words that contain it, and others to none', () => {
    const words = ['apigenin', 'cannabinoids', 'curcumin', 'epa', 'genistein', 'genome'];
    const table = buildGrams(words);
    const [start] = gramsOf('geno');
    assert.deepEqual(
      [...wordsWith(table, gramsOf('genistein')[0]!)].map((word) => words[word]),
      ['genistein'],
    );
    assert.deepEqual(
      [...wordsWith(table, start!)].map((word) => words[word]),
      ['genome'],
    );
    for (const [w, word] of words.entries()) {
      for (const gram of gramsOf(word)) assert.ok(wordsWith(table, gram).includes(w), word);
    }
    assert.deepEqual([...wordsWith(table, gramsOf('zinc')[0]!)], []);
    assert.deepEqual([...wordsWith(buildGrams([]), start!)], []);
  });

  it('merges two tables into that of both word lists, without removed words', () => {
    const a = ['apigenin', 'curcumin', 'ginger', 'iron'];
    const b = ['apigenin', 'cannabinoids', 'iron', 'zinc', 'zingiber'];
    const left = [...new Set([...a, ...b])].filter((word) => !['iron', 'zinc'].includes(word)).sort();
    const numbersOf = (words: readonly string[]) => Int32Array.from(words, (word) => left.indexOf(word));
    const merged = mergeGrams(buildGrams(a), buildGrams(b), [numbersOf(a), numbersOf(b)]);
    assert.deepEqual(merged, buildGrams(left));
    const none = new Int32Array(a.length).fill(-1);
    assert.deepEqual(mergeGrams(buildGrams(a), buildGrams([]), [none, new Int32Array(0)]), buildGrams([]));
  });
});
