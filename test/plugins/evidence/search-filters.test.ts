import assert from 'node:assert/strict';
import { RETRACTED, useRealBase } from './real-base.ts';
import { idsOf } from './support.ts';

interface Found {
  readonly source_id: string;
  readonly source_class: string;
  readonly evidence_level: string;
  readonly species: string;
  readonly verticals: string[];
  readonly year: number;
  readonly sample_size_n: number | null;
  readonly effect_direction: string;
  readonly effect_direction_basis: string;
}

describe('the filters and facets of a search', () => {
  const base = useRealBase();
  const ask = async (values: object) =>
    (await base.client.search({ q: 'magnesium', top_k: 50, ...values }).expect(200)).body;
  const find = async (values: object): Promise<Found[]> => (await ask(values)).results;

  const several: readonly (readonly [what: string, values: object, fits: (record: Found) => boolean])[] = [
    [
      'one of two classes',
      { source_class: 'systematic_review, regulatory' },
      (record) => /^(systematic_review|regulatory)$/.test(record.source_class),
    ],
    [
      'all classes but one',
      { source_class: '-systematic_review' },
      (record) => record.source_class !== 'systematic_review',
    ],
    [
      'one of two levels',
      { evidence_level: 'rct,meta_analysis' },
      (record) => /^(rct|meta_analysis)$/.test(record.evidence_level),
    ],
    ['no species but people', { species: 'human,-animal' }, (record) => record.species === 'human'],
    [
      'one vertical and not another',
      { vertical: 'vitamin-d-nutrient-status,-vitamin-d-safety' },
      (record) =>
        record.verticals.includes('vitamin-d-nutrient-status') && !record.verticals.includes('vitamin-d-safety'),
    ],
    ['a least number of people', { min_sample_size: 200 }, (record) => (record.sample_size_n ?? 0) >= 200],
    [
      'a direction that an editor read',
      { effect_direction: 'positive' },
      (record) => record.effect_direction === 'positive' && record.effect_direction_basis === 'editor',
    ],
  ];
  for (const [what, values, fits] of several) {
    it(`keep only ${what}`, async () => {
      const all = await ask({ q: 'vitamin d' });
      const found = await ask({ q: 'vitamin d', ...values });
      assert.ok(found.total_estimate > 0 && found.total_estimate < all.total_estimate, `${found.total_estimate}`);
      assert.deepEqual(idsOf(found.results.filter((record: Found) => !fits(record))), []);
    });
  }

  it('retain sources without a vertical when one is excluded, and match them with `none`', async () => {
    const all = { q: 'Quokkamarginalia' };
    assert.equal((await find({ ...all, vertical: '-magnesium-sleep' })).length, 1);
    assert.equal((await find({ ...all, vertical: 'none', supplement: 'none' })).length, 1);
    assert.deepEqual(await find({ ...all, vertical: 'magnesium-sleep' }), []);
  });

  it('accept a supplement by slug, synonym or misspelling, and return what it was resolved to', async () => {
    const bySlug = await ask({ q: 'pain', supplement: 'curcumin' });
    const byName = await ask({ q: 'pain', supplement: 'Turmeric' });
    assert.deepEqual(idsOf(byName.results), idsOf(bySlug.results));
    assert.ok(byName.results.length > 0);
    assert.ok(
      byName.results.every((record: Found) => record.verticals.some((vertical) => vertical.startsWith('curcumin-'))),
    );
    assert.deepEqual(bySlug.resolved, []);
    assert.deepEqual(byName.resolved, [
      {
        input: 'Turmeric',
        id: 'curcumin',
        type: 'supplement',
        match_type: 'synonym',
        confidence: byName.resolved[0].confidence,
      },
    ]);
  });

  it('return an empty list for unknown values', async () => {
    for (const name of [
      'source_class',
      'vertical',
      'evidence_level',
      'species',
      'supplement',
      'topic',
      'effect_direction',
    ]) {
      const { results, total_estimate: total, warnings } = await ask({ [name]: 'no-such-value' });
      assert.deepEqual([results, total], [[], 0], name);
      assert.deepEqual(
        warnings.map(({ code }: { code: string }) => code),
        ['nothing_found'],
      );
    }
  });

  it('ignore lists without values', async () => {
    assert.deepEqual(idsOf(await find({ source_class: ', ,-', vertical: ',' })), idsOf(await find({})));
  });

  it('count years by decade, newest first, and the twenty most common verticals', async () => {
    const { facets, total_estimate: total } = await ask({ q: 'supplementation', top_k: 1 });
    const decades = Object.keys(facets.year);
    assert.deepEqual(decades, decades.toSorted().reverse());
    assert.ok(decades.every((decade) => /^\d{3}0-\d{3}9$/.test(decade)));
    const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, n) => all + n, 0);
    assert.ok(sum(facets.year) <= total);
    assert.equal(Object.keys(facets.vertical).length, 20);
    assert.equal(Object.keys(facets.supplement).length, 20);
    const counts = Object.values(facets.vertical) as number[];
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => b - a),
    );
    assert.ok(!('none' in facets.vertical));
  });

  it('never include a retracted source', async () => {
    const found = await find({ q: 'zinc lozenges common cold', source_class: 'pubmed_article', supplement: 'zinc' });
    assert.ok(!idsOf(found).includes(`pmid-${RETRACTED}`));
  });
});
