import assert from 'node:assert/strict';
import { temporaryFolder, useService } from '../evidence/support.ts';
import { putContent } from './rule-content.ts';

describe('GET /api/interactions/check', () => {
  const content = temporaryFolder();
  before(() => putContent(content));
  const base = useService(() => ({ contentDir: content.path() }));
  const check = async (supplement?: string, drug?: string) => {
    const { body } = await base.client.get('/api/interactions/check', { supplement, drug }).expect(200);
    return body;
  };

  it('returns every field of a finding', async () => {
    const { searched_at: at, sources, also, resolved, suggestions, ...body } = await check('ginkgo', 'warfarin');
    assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000);
    assert.deepEqual(body, {
      found: true,
      checked: true,
      status: 'found',
      hint: null,
      supplement: {
        kind: 'supplement',
        slug: 'ginkgo',
        name: 'Ginkgo',
        input: 'ginkgo',
        match_type: 'exact',
        confidence: 1,
      },
      drug: {
        kind: 'drug',
        slug: 'warfarin',
        name: 'warfarin',
        rxcui: '11289',
        input: 'warfarin',
        match_type: 'exact',
        confidence: 1,
      },
      slug: 'ginkgo-warfarin',
      severity: 'major',
      severity_reasons: [
        {
          factor: 'outcome',
          level: 'slight',
          points_to: 'minor',
          text: 'No outcome is named that would need treatment.',
        },
      ],
      action: 'caution',
      effect: 'Invented effect of ginkgo-warfarin.',
      direction: 'harmful',
      mechanism: { type: 'pharmacodynamic', detail: 'Invented.', through: [] },
      likelihood: 'probable',
      grounds: {
        basis: 'studied',
        statement: 'This pair itself was studied, or cases of it were described.',
        properties: [],
        mechanisms: [],
        studies: [],
      },
      evidence_tier: sources[0].quality_tier,
      evidence_basis: 'graded',
      onset: 'delayed',
      origin: 'opened',
      recommendation: 'Ask a pharmacist before combining them.',
      timing: null,
      dose_threshold: null,
      basis: 'pair',
      via_class: null,
      only_for: null,
      exceptions: [],
      reviewed_at: '2026-11-21',
      coverage: 'sparse',
      confidence: 1,
      needs_confirmation: false,
      url: '/interactions/ginkgo-warfarin',
      disclaimer_url: '/disclaimer',
    });
    assert.deepEqual(resolved, { supplement: body.supplement, drug: body.drug });
    assert.deepEqual(suggestions, []);
    assert.deepEqual(
      sources.map(({ source_id: id, pmid, title, year, kind }: Record<string, unknown>) => [
        id,
        pmid,
        title,
        year,
        kind,
      ]),
      [
        ['pmid-99500001', '99500001', 'Ginkgo and bleeding, as the editor has it', 2020, 'graded'],
        ['', '99500009', 'A case of bleeding', 2001, 'reference'],
      ],
    );
    assert.deepEqual(
      also.map(({ slug, basis, severity }: Record<string, unknown>) => [slug, basis, severity]),
      [['ginkgo-anticoagulants', 'class', 'moderate']],
    );
  });

  it('resolves names, synonyms, brands and misspellings and returns how each was matched', async () => {
    for (const [supplement, drug, kinds] of [
      ['Ginkgo', 'Warfarin', ['exact', 'exact']],
      ['Maidenhair Tree', 'Coumadin', ['synonym', 'brand']],
      ['gingko', 'warfarine', ['typo', 'typo']],
    ] as const) {
      const body = await check(supplement, drug);
      assert.equal(body.slug, 'ginkgo-warfarin', `${supplement} ${drug}`);
      assert.deepEqual([body.supplement.match_type, body.drug.match_type], kinds);
      assert.deepEqual([body.supplement.input, body.drug.input], [supplement, drug]);
      assert.equal(body.confidence, Math.min(body.supplement.confidence, body.drug.confidence));
      assert.equal(body.needs_confirmation, kinds[0] === 'typo');
    }
  });

  it('does not resolve a name with two wrong letters but suggests the correct one', async () => {
    const body = await check('ginkgo', 'worfaren');
    assert.deepEqual([body.found, body.resolved.drug], [false, null]);
    assert.ok(body.suggestions.some(({ name }: { name: string }) => /warfarin/i.test(name)));
  });

  it('labels a class result with the class and its exceptions', async () => {
    const body = await check('ginkgo', 'Zocor');
    assert.equal(body.effect, 'Expected from the class (statins): Invented effect of ginkgo-statins.');
    assert.deepEqual(
      [body.basis, body.via_class, body.evidence_tier, body.evidence_basis],
      ['class', { slug: 'statins', name: 'Statins' }, 'D', 'authority'],
    );
    assert.deepEqual(body.exceptions, [
      { slug: 'pravastatin', drug: 'pravastatin', note: 'Not broken down by that enzyme.' },
    ]);
    assert.deepEqual(body.timing, { separate_hours: 4, note: 'Four hours apart.' });
  });

  it('finds nothing for an exception and gives the reason without calling it safe', async () => {
    const body = await check('ginkgo', 'pravastatin');
    assert.deepEqual(
      [body.found, body.message],
      [false, 'No record in our sources. This does not mean the combination is safe.'],
    );
    assert.deepEqual(body.known_exceptions, [
      { drug: 'pravastatin', note: 'Not broken down by that enzyme.', of_rule: 'ginkgo-statins', class: 'Statins' },
    ]);
  });

  it('applies a class rule to members of narrower classes', async () => {
    assert.equal((await check('ginkgo', 'heparin')).slug, 'ginkgo-anticoagulants');
  });

  it('resolves a drug class and applies rules on wider classes and on members', async () => {
    const wider = await check('ginkgo', 'blood thinners');
    assert.deepEqual([wider.found, wider.drug.kind, wider.severity], [true, 'class', 'major']);
    assert.deepEqual(wider.only_for, { slug: 'warfarin', name: 'warfarin' });
    assert.match(wider.effect, /^About warfarin: /);
    const narrower = await check('ginkgo', 'vitamin k antagonists');
    assert.ok(narrower.also.some(({ slug }: { slug: string }) => slug === 'ginkgo-anticoagulants'));
  });

  it('checks each ingredient of a brand and returns the most severe finding', async () => {
    const body = await check('grapefruit', 'Caduet');
    assert.deepEqual([body.severity, body.slug], ['major', 'grapefruit-atorvastatin']);
    assert.deepEqual(body.only_for, { slug: 'atorvastatin', name: 'atorvastatin' });
    assert.deepEqual(body.drug.ingredients.toSorted(), ['amlodipine', 'atorvastatin']);
    assert.deepEqual(
      body.also.map(({ slug }: { slug: string }) => slug),
      ['grapefruit-amlodipine'],
    );
  });

  it('accepts a food or a restricted substance as the supplement and returns its kind', async () => {
    const food = await check('grapefruit juice', 'simvastatin');
    assert.deepEqual(
      [food.severity, food.supplement.kind, food.supplement.substance_kind],
      ['contraindicated', 'substance', 'food'],
    );
    const rice = await check('monacolin k', 'simvastatin');
    assert.deepEqual([rice.found, rice.coverage], [false, 'none']);
    assert.equal(rice.resolved.supplement.statement, 'May hold a medicine.');
    assert.equal(rice.resolved.supplement.authority.name, 'FDA');
  });

  it('returns the coverage and no statement of safety when nothing was found', async () => {
    const { searched_at: _, ...body } = await check('zinc', 'metformin');
    assert.equal(body.found, false);
    assert.equal(body.coverage, 'none');
    assert.equal(body.message, 'No record in our sources. This does not mean the combination is safe.');
    assert.deepEqual([body.resolved.supplement.slug, body.resolved.drug.slug], ['zinc', 'metformin']);
  });

  it('returns null for an unknown name', async () => {
    const body = await check('zzyzxite', 'warfarin');
    assert.deepEqual([body.found, body.checked, body.coverage], [false, true, 'none']);
    assert.equal(body.resolved.supplement, null);
    assert.equal(body.resolved.drug.slug, 'warfarin');
  });

  it('returns the same result for swapped names, with a hint', async () => {
    const bare = ({ searched_at: _, hint: __, suggestions: ___, ...body }: Record<string, unknown>) => body;
    for (const [a, b] of [
      ['ginkgo', 'warfarin'],
      ['Maidenhair Tree', 'Coumadin'],
      ['gingko', 'warfarine'],
      ['ginkgo', 'blood thinners'],
      ['grapefruit', 'Caduet'],
      ['ginkgo', 'pravastatin'],
      ['zinc', 'metformin'],
      ['zzyzxite', 'warfarin'],
    ] as const) {
      const [one, other] = [await check(a, b), await check(b, a)];
      assert.equal(one.found, other.found, `${a} ${b}`);
      if (one.status !== 'unresolved') assert.deepEqual(bare(other), bare(one), `${a} ${b}`);
    }
    const swapped = await check('warfarin', 'ginkgo');
    assert.deepEqual([swapped.supplement.slug, swapped.drug.slug, swapped.instead], ['ginkgo', 'warfarin', undefined]);
    assert.match(swapped.hint, /“warfarin” is a medicine, and “ginkgo” is a supplement: .* the other way round/);
  });

  it('checks two supplements in either order', async () => {
    for (const [a, b] of [
      ['garlic', 'ginkgo'],
      ['ginkgo', 'garlic'],
    ] as const) {
      const body = await check(a, b);
      assert.deepEqual([body.found, body.slug, body.supplement.slug, body.drug.slug], [true, 'ginkgo-garlic', a, b]);
      assert.match(body.hint, /is a supplement, not a medicine/);
    }
    const none = await check('zinc', 'garlic');
    assert.equal(none.status, 'no_record');
    assert.match(none.message, /does not mean the combination is safe\. Few pairs of supplements are covered here/);
    assert.ok(none.authorities.length > 0);
  });

  it('reports that two medicines are not covered and lists authorities', async () => {
    const body = await check('warfarin', 'aspirin');
    assert.deepEqual([body.found, body.status, body.coverage], [false, 'not_covered', 'none']);
    assert.match(body.message, /^Medicine with medicine is not covered here: ask a pharmacist\. .* does not mean/);
    assert.match(body.hint, /Two medicines are not checked here/);
    assert.ok(body.authorities.some(({ url }: { url: string }) => url === 'https://www.nhs.uk/medicines/'));
    assert.deepEqual([body.resolved.supplement.slug, body.resolved.drug.slug], ['warfarin', 'aspirin']);
  });

  it('does not treat the exact name of a supplement as a misspelt medicine', async () => {
    // Zincx differs by one letter.
    const body = await check('ginkgo', 'zinc');
    assert.deepEqual([body.found, body.resolved.drug.kind, body.resolved.drug.slug], [false, 'supplement', 'zinc']);
    assert.match(body.hint, /“zinc” is a supplement, not a medicine/);
    assert.equal((await check('ginkgo', 'Zincx')).resolved.drug.slug, 'bisoprolol');
  });

  it('checks nothing when a name is missing or blank', async () => {
    const nothing = {
      found: false,
      checked: false,
      message: 'Nothing was checked: give both a supplement and a drug.',
    };
    assert.deepEqual(await check(), nothing);
    assert.deepEqual(await check('ginkgo', ''), nothing);
    assert.deepEqual(await check('  ', 'warfarin'), nothing);
  });

  it('returns 422 for invalid names and 200 for special characters', async () => {
    for (const query of [{ supplement: 'x'.repeat(201) }, { drug: 'a\0b' }])
      await base.client.get('/api/interactions/check', query).expect(422);
    for (const drug of ['%', "'; drop table", '🌿', '()[]*', '-'])
      await base.client.get('/api/interactions/check', { supplement: 'ginkgo', drug }).expect(200);
  });
});
