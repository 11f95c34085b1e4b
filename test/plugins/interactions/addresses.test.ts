import assert from 'node:assert/strict';
import { addressesOf } from '#plugins/interactions/book/addresses.ts';
import type { Subject } from '#plugins/interactions/book/rule-record.ts';
import type { Drug, DrugBook, DrugClass } from '#plugins/interactions/drugs/drug-book.ts';

const subject = (slug: string): Subject => ({
  slug,
  name: slug,
  kind: 'supplement',
  substanceKind: '',
  statement: '',
  authority: null,
  statusAsOf: '',
});
const drug = (slug: string): Drug => ({ slug, name: slug, rxcui: '', brands: [], ingredients: [slug], classes: [] });
const classOf = (slug: string): DrugClass => ({
  slug,
  name: slug,
  description: '',
  atc: [],
  parents: [],
  dataIds: [],
  members: [],
});

const addresses = (subjects: readonly string[], drugs: readonly string[], classes: readonly string[]) => {
  const bySlug = new Map(drugs.map((slug) => [slug, drug(slug)]));
  const book = {
    drug: (slug: string) => bySlug.get(slug),
    classes: new Map(classes.map((slug) => [slug, classOf(slug)])),
  } as unknown as DrugBook;
  const named = new Map(subjects.map((slug) => [slug, subject(slug)]));
  const pairings = subjects.flatMap((slug) => drugs.map((name) => ({ subject: subject(slug), drug: drug(name) })));
  const around = {
    named: new Set(subjects),
    depleting: new Set<string>(),
    subjects: named,
    drugs: book,
    medicines: new Map(),
  };
  return addressesOf(pairings, around);
};

describe('addressesOf()', () => {
  it('adds a suffix to a medicine named like a supplement and to a class named like a medicine', () => {
    const found = addresses(['melatonin', 'ginkgo'], ['melatonin', 'lithium'], ['lithium', 'statins']);
    assert.deepEqual(found.find('melatonin'), { kind: 'supplement', slug: 'melatonin' });
    assert.deepEqual(found.find('melatonin-medicine'), { kind: 'drug', slug: 'melatonin' });
    assert.deepEqual(found.find('lithium'), { kind: 'drug', slug: 'lithium' });
    assert.deepEqual(found.find('lithium-medicines'), { kind: 'class', slug: 'lithium' });
    assert.deepEqual(found.find('statins'), { kind: 'class', slug: 'statins' });
    assert.deepEqual(
      [found.hubOf('drug', 'melatonin'), found.hubOf('class', 'statins')],
      ['melatonin-medicine', 'statins'],
    );
  });

  it('gives every page a unique address', () => {
    const found = addresses(['a', 'a-b', 'a-b-c'], ['c', 'b-c'], []);
    assert.deepEqual(found.find('a-b-c'), { kind: 'supplement', slug: 'a-b-c' });
    const pairs = [...found.all()].filter(([, { kind }]) => kind === 'pair').map(([slug]) => slug);
    assert.equal(pairs.length, 6);
    assert.equal(found.pair('a-b', 'c'), 'a-b-with-c');
    assert.equal(found.pair('a', 'b-c'), 'a-with-b-c');
    assert.deepEqual(found.find('a-with-b-c'), { kind: 'pair', subject: 'a', drug: 'b-c' });
  });

  it('returns null for an unknown address', () => {
    const found = addresses(['ginkgo'], ['warfarin'], []);
    for (const slug of ['', 'check', 'warfarin-medicine', 'ginkgo-', '../ginkgo'])
      assert.equal(found.find(slug), null, slug);
  });
});
