import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Book } from '#plugins/biomarkers/book.ts';
import type { Person } from '#plugins/biomarkers/marker.ts';
import { readBook, readShipped, type Shipped } from './shipped.ts';

const DATA = join(process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../../shared/data'), 'loinc');
/** Words that lab companies use for a narrower range of their own. */
const OPTIMAL = /\boptimal\b|\bideal\b|\bhealthy range\b/i;
const PROMISES = /\b(cures?|miracle|guaranteed?|clinically proven|you should|detox)\b/i;

describe('shipped biomarkers', () => {
  let shipped: readonly Shipped[];
  let book: Book;
  before(async () => {
    shipped = await readShipped();
    book = await readBook();
  });
  const rangeOf = (slug: string, person: Partial<Person>) => {
    const marker = book.bySlug(slug);
    assert.ok(marker, slug);
    const range = book.rangeFor(marker, { sex: null, age: null, isPregnant: null, ...person });
    return range && [range.low, range.high];
  };

  it('include at least 85 blood markers and 15 urine markers', () => {
    assert.ok(book.markers.filter(({ specimen }) => specimen === 'blood').length >= 85);
    assert.ok(book.markers.filter(({ specimen }) => specimen === 'urine').length >= 15);
  });

  it('have ordered ranges within the plausible limits, and critical limits outside every range', () => {
    for (const { slug, ranges, plausible, critical, kind } of book.markers) {
      if (kind === 'quantity') assert.ok(plausible && plausible.low < plausible.high, slug);
      for (const { low, high, source } of ranges) {
        assert.ok(low !== null || high !== null, slug);
        if (low !== null && high !== null) assert.ok(low < high, slug);
        for (const end of [low, high])
          if (end !== null && plausible) assert.ok(end >= plausible.low && end <= plausible.high, `${slug} ${end}`);
        if (critical?.low != null) assert.ok((low ?? high ?? 0) > critical.low, slug);
        if (critical?.high != null) assert.ok((high ?? low ?? 0) < critical.high, slug);
        assert.match(source.url, /^https:\/\//, slug);
      }
    }
  });

  it('have unique LOINC codes with valid check digits', () => {
    const seen = new Map<string, string>();
    for (const { slug, loinc } of book.markers)
      for (const { code } of loinc) {
        assert.equal(seen.get(code), undefined, `${code} of ${slug}`);
        seen.set(code, slug);
        assert.equal(book.byLoinc(code)?.slug, slug);
        const [digits = '', check = ''] = code.split('-');
        // This is Luhn's algorithm, which doubles every second digit from the right.
        const sum = [...digits].reverse().reduce((all, digit, at) => {
          const n = Number(digit) * (at % 2 === 0 ? 2 : 1);
          return all + (n > 9 ? n - 9 : n);
        }, 0);
        assert.equal((10 - (sum % 10)) % 10, Number(check), code);
      }
    for (const [code, slug] of [
      ['2339-0', 'glucose'],
      ['3043-7', 'triglycerides'],
      ['2089-1', 'ldl-cholesterol'],
      ['2085-9', 'hdl-cholesterol'],
      ['2093-3', 'total-cholesterol'],
      ['3016-3', 'tsh'],
      ['3026-2', 'total-t4'],
    ] as const)
      assert.equal(book.byLoinc(code)?.slug, slug, code);
  });

  it('cite sources by address, and call nothing optimal', () => {
    for (const { slug, entry, body } of shipped) {
      for (const { address } of entry.sources) assert.match(address, /^(https:\/\/|\/interactions\/)/, slug);
      assert.doesNotMatch(JSON.stringify(entry), OPTIMAL, slug);
      assert.doesNotMatch(body, OPTIMAL, slug);
      assert.doesNotMatch(body, PROMISES, slug);
      const sentences = body.split(/[.!?](?:\s|$)/).filter(Boolean).length;
      assert.ok(sentences >= 2 && sentences <= 8, `${slug}: ${sentences} sentences`);
      const [lead = ''] = body.trim().split(/\n\s*\n/);
      assert.ok(lead.length <= 700, `${slug}: ${lead.length} characters before the first break`);
    }
  });

  it('include every range of the reference bands, with the address of its source', async function () {
    if (!existsSync(DATA)) this.skip();
    const lines = (await readFile(`${DATA}/reference-bands.tsv`, 'utf8')).trim().split('\n').slice(1);
    const held = new Set(
      book.markers.flatMap(({ ranges }) =>
        ranges.map(({ low, high, sex, ageFrom, ageTo, source }) =>
          [sex, ageFrom ?? '', ageTo ?? '', low ?? '', high ?? '', source.url].join(' '),
        ),
      ),
    );
    for (const line of lines) {
      const [, , sex, from, to, low, high, , url] = line.split('\t');
      const number = (text = '') => (text === '' ? '' : Number(text));
      assert.ok(held.has([sex, number(from), number(to), number(low), number(high), url].join(' ')), line);
    }
  });

  it('have LOINC names that match the list of the National Library of Medicine', async function () {
    if (!existsSync(DATA)) this.skip();
    const rows = JSON.parse(await readFile(`${DATA}/biomarkers_loinc.json`, 'utf8')) as {
      loinc: string;
      name: string;
    }[];
    const names = new Map(rows.map(({ loinc, name }) => [loinc, name]));
    for (const { loinc } of book.markers)
      for (const { code, name } of loinc) if (code !== '2089-1') assert.equal(name, names.get(code), code);
  });

  it('return the range for a person, and null when sex or age would have to be guessed', () => {
    assert.deepEqual(rangeOf('ferritin', { sex: 'female', age: 30 }), [16, 154]);
    assert.deepEqual(rangeOf('ferritin', { sex: 'male', age: 65 }), [24, 380]);
    assert.deepEqual(rangeOf('ferritin', { sex: 'male' }), [24, 336]);
    assert.equal(rangeOf('ferritin', { age: 30 }), null);
    assert.deepEqual(rangeOf('sodium', {}), [136, 145]);
    assert.deepEqual(rangeOf('vitamin-d', { age: 40 }), [20, null]);
    assert.deepEqual(rangeOf('igf-1', { age: 30 }), [114, 492]);
    assert.equal(rangeOf('igf-1', {}), null);
  });

  it('return no adult range for minors or in pregnancy, and none where the cycle day decides', () => {
    assert.equal(rangeOf('sodium', { age: 12 }), null);
    assert.deepEqual(rangeOf('total-cholesterol', { age: 12 }), [null, 170]);
    assert.deepEqual(rangeOf('total-cholesterol', { age: 40 }), [null, 200]);
    assert.equal(rangeOf('esr', { age: 12, sex: 'male' }), null);
    assert.equal(rangeOf('haemoglobin', { age: 30, sex: 'female', isPregnant: true }), null);
    assert.equal(rangeOf('estradiol', { age: 30, sex: 'female' }), null);
    assert.deepEqual(rangeOf('estradiol', { age: 30, sex: 'male' }), [20, 50]);
  });
});
