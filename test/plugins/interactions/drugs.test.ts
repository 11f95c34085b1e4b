import assert from 'node:assert/strict';
import { api } from '../../support/client.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

interface Suggestions {
  readonly query: string;
  readonly suggestions: string[];
  readonly items: { name: string; rxcui: string; drug_class: string; interaction_count: number }[];
}

describe('GET /api/drugs/suggest', () => {
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });
  const ask = async (query: object): Promise<Suggestions> =>
    (await api(service).get('/api/drugs/suggest').query(query).expect(200)).body as Suggestions;

  it('returns names that start with the query before names that contain it, with their ids', async () => {
    const { items, ...rest } = await ask({ q: 'warf', limit: 3 });
    assert.deepEqual(rest, {
      query: 'warf',
      suggestions: ['Warfarin', 'Panwarfin', 'Skin Exposure Reduction Paste Against Chemical Warfare Agents'],
    });
    assert.deepEqual(
      items.map(({ name, rxcui, drug_class }) => ({ name, rxcui, drug_class })),
      [
        { name: 'Warfarin', rxcui: '11289', drug_class: 'Vitamin K antagonists' },
        { name: 'Panwarfin', rxcui: '11289', drug_class: 'Vitamin K antagonists' },
        { name: 'Skin Exposure Reduction Paste Against Chemical Warfare Agents', rxcui: '', drug_class: '' },
      ],
    );
    for (const item of items) assert.ok(Number.isInteger(item.interaction_count) && item.interaction_count >= 0);
  });

  it('orders by match position, then length, then alphabetically', async () => {
    for (const q of ['a', 'li', 'met', 'cillin', 'ol', 'x', 'insulin', 'hydro']) {
      const { suggestions } = await ask({ q, limit: 20 });
      const ranked = suggestions.toSorted((a, b) => {
        const tier = (name: string): number => Number(!name.toLowerCase().startsWith(q));
        return tier(a) - tier(b) || a.length - b.length || (a < b ? -1 : 1);
      });
      assert.deepEqual(suggestions, ranked);
      assert.equal(new Set(suggestions).size, suggestions.length);
      for (const name of suggestions)
        assert.ok(
          name
            .toLowerCase()
            .replace(/[^a-z0-9]/g, '')
            .includes(q),
          `${name} for ${q}`,
        );
    }
  });

  it('returns names in title case without hyphens', async () => {
    const { suggestions } = await ask({ q: 'ortho nov', limit: 20 });
    assert.deepEqual(suggestions, ['Ortho Novum']);
  });

  it('finds brand names regardless of case, accents and surrounding spaces', async () => {
    for (const q of ['Coumad', 'COUMAD', ' coumad ', 'coumád']) {
      const { suggestions, items } = await ask({ q });
      assert.deepEqual(suggestions, ['Coumadin']);
      assert.equal(items[0]?.rxcui, '11289');
    }
  });

  it('returns no names for an empty or unknown query, and 8 names by default', async () => {
    for (const q of ['', '   ', '%%%', 'zzzzqq']) {
      assert.deepEqual(await ask({ q }), { query: q, suggestions: [], items: [] });
    }
    assert.deepEqual(await ask({}), { query: '', suggestions: [], items: [] });
    assert.equal((await ask({ q: 'a' })).suggestions.length, 8);
    assert.equal((await ask({ q: 'a', limit: 20 })).suggestions.length, 20);
    assert.equal((await ask({ q: 'a', limit: 1 })).suggestions.length, 1);
  });

  it('returns 422 for a query over 60 characters or a limit outside 1 to 20', async () => {
    await api(service)
      .get('/api/drugs/suggest')
      .query({ q: 'a'.repeat(60) })
      .expect(200);
    const { body } = await api(service)
      .get('/api/drugs/suggest')
      .query({ q: 'a'.repeat(61) })
      .expect(422);
    assert.deepEqual(body.detail, [
      {
        type: 'string_too_long',
        loc: ['query', 'q'],
        msg: 'String should have at most 60 characters',
        input: 'a'.repeat(61),
      },
    ]);
    for (const limit of ['0', '21', 'many']) await api(service).get('/api/drugs/suggest').query({ limit }).expect(422);
  });
});

describe('GET /api/drugs/{name}', () => {
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });
  const ask = (name: string) => api(service).get(`/api/drugs/${encodeURIComponent(name)}`);

  it('prefers the editors’ meaning of a trade name to that of the Orange Book', async () => {
    for (const [brand, slug] of [
      ['Mirena', 'levonorgestrel-intrauterine-system'],
      ['Depo-Provera', 'medroxyprogesterone-depot-injection'],
      ['Plan B', 'levonorgestrel'],
    ] as const)
      assert.equal((await ask(brand).expect(200)).body.drug.slug, slug);
  });

  it('finds trade names from other countries and does not take them for a misspelt medicine', async () => {
    for (const [brand, slug] of [
      ['Riamet', 'artemether-and-lumefantrine'],
      ['Fludex', 'indapamide'],
      ['Lopirin', 'captopril'],
      ['Prostap', 'leuprolide'],
      ['Norset', 'mirtazapine'],
      ['Hyperium', 'rilmenidine'],
      ['Microgynon', 'ethinyl-estradiol-and-levonorgestrel'],
    ] as const) {
      const { body } = await ask(brand).expect(200);
      assert.deepEqual([body.drug.slug, body.resolved[0].match_type], [slug, 'brand'], brand);
    }
  });

  it('returns a medicine with its brands, ingredients and classes', async () => {
    const { body } = await ask('coumadin').expect(200);
    const { interaction_count, ...drug } = body.drug;
    assert.deepEqual(body.resolved, [
      { input: 'coumadin', kind: 'drug', slug: 'warfarin', name: 'Warfarin', match_type: 'brand', confidence: 0.9 },
    ]);
    assert.deepEqual(drug, {
      slug: 'warfarin',
      name: 'Warfarin',
      rxcui: '11289',
      brands: ['Athrombin', 'Athrombin-K', 'Coumadin', 'Jantoven', 'Marevan', 'Panwarfin'],
      ingredients: [{ slug: 'warfarin', name: 'Warfarin', rxcui: '11289' }],
      classes: [
        { slug: 'vitamin-k-antagonists', name: 'Vitamin K antagonists' },
        { slug: 'anticoagulants', name: 'Anticoagulants' },
      ],
    });
    assert.ok(interaction_count >= 0);
    assert.equal(body.class, null);
  });

  for (const [input, slug, matchType] of [
    ['warfarin', 'warfarin', 'exact'],
    ['WARFARIN SODIUM', 'warfarin', 'synonym'],
    ['11289', 'warfarin', 'exact'],
    ['warfrin', 'warfarin', 'typo'],
    ['Lipitor 20 mg tablets', 'atorvastatin', 'brand'],
    ['metformin HCl', 'metformin', 'exact'],
    ['Depakote', 'valproate', 'brand'],
    ['valproic acid', 'valproate', 'synonym'],
    ['paracetamol', 'acetaminophen', 'synonym'],
    ['lithium carbonate', 'lithium', 'synonym'],
    ['Adderall', 'amphetamine-and-dextroamphetamine', 'brand'],
    ['Caduet', 'amlodipine-and-atorvastatin', 'brand'],
    ['atorvastatin / amlodipine', 'amlodipine-and-atorvastatin', 'synonym'],
    ['sodium chloride', 'sodium-chloride', 'exact'],
    ['dimethyl fumarate', 'dimethyl-fumarate', 'exact'],
    ['Lantus', 'insulin-glargine', 'brand'],
  ] as const) {
    it(`resolves "${input}" to ${slug}`, async () => {
      const { body } = await ask(input).expect(200);
      assert.deepEqual([body.resolved[0].slug, body.resolved[0].match_type], [slug, matchType]);
      assert.equal(body.drug.slug, slug);
    });
  }

  it('returns the classes of every ingredient of a combination', async () => {
    const { body } = await ask('Caduet').expect(200);
    assert.deepEqual(
      body.drug.ingredients.map(({ slug }: { slug: string }) => slug),
      ['amlodipine', 'atorvastatin'],
    );
    const classes = body.drug.classes.map(({ slug }: { slug: string }) => slug);
    for (const slug of ['statins', 'calcium-channel-blockers', 'antihypertensives']) assert.ok(classes.includes(slug));
  });

  it('returns a class with its members, including those of narrower classes', async () => {
    for (const input of ['blood thinners', 'anticoagulants', 'Anticoagulant']) {
      const { body } = await ask(input).expect(200);
      assert.equal(body.drug, null);
      assert.equal(body.class.slug, 'anticoagulants');
      const members = body.class.members.map(({ slug }: { slug: string }) => slug);
      for (const slug of ['warfarin', 'apixaban', 'heparin']) assert.ok(members.includes(slug), slug);
    }
  });

  it('returns 404 for a supplement whose name is one letter from that of a medicine', async () => {
    await ask('zinc').expect(404);
    await ask('Ziac').expect(200);
  });

  it('returns 404 with suggestions for an unknown name', async () => {
    const { body } = await ask('warfarinol forte').expect(404);
    assert.equal(body.code, 'not_found');
    assert.equal(body.detail, "Drug 'warfarinol forte' not found");
    assert.ok(body.did_you_mean.includes('Warfarin'), body.did_you_mean.join());
  });
});
