import assert from 'node:assert/strict';
import { MADE_TOPICS, madeSupplement, temporaryFolder, useService } from '../evidence/support.ts';
import { madeTable, madeValues } from './support.ts';

const CONDITION = `---
name: Testitis
synonyms: [inflamed tests]
category: other
topics: [sleep]
answer: Tests that hurt.
ask: [Is it red?, Is it green?, Is it flaky?]
red_flags: [smoke]
see_doctor: [a test that lasts]
further_reading: []
updated_at: 2026-11-21
---
## What it is
Tests that hurt.
`;

describe('findings API', () => {
  const content = temporaryFolder();
  before(async () => {
    await content.put('topics.yaml', MADE_TOPICS);
    await content.put('supplements/zinc.md', madeSupplement('Zinc', ['spelter']));
    await content.put('supplements/iron.md', madeSupplement('Iron'));
    await content.put('conditions/testitis.md', CONDITION);
    const rows = [
      madeValues({ source: 'pmid:99180001', row: 'a' }),
      madeValues({ source: 'pmid:99180001', row: 'b', use: 'subgroup', importance: 'surrogate', certainty: '' }),
      madeValues({
        source: 'doi:10.5555/made.(1)/x',
        topic: 'sleep',
        people: 'children',
        condition: 'testitis',
        design: 'rct',
        certainty: 'low',
        direction: 'worse',
        importance: 'harm',
        better_when: '',
        measure: '',
        estimate: '',
        low: '',
        high: '',
        year: '',
      }),
      madeValues({ source: 'pmid:99180002', supplement: 'iron', direction: 'no_difference', certainty: 'high' }),
      madeValues({ source: 'pmid:99180003', supplement: 'zinc+iron', direction: 'unclear', certainty: 'very_low' }),
    ];
    await content.put('findings/made.tsv', madeTable(...rows));
  });
  const base = useService(() => ({ contentDir: content.path() }));

  const ZINC_A = 'pmid:99180001#a';
  const ZINC_B = 'pmid:99180001#b';
  const CHILD = 'doi:10.5555/made.(1)/x#1';
  const IRON = 'pmid:99180002#1';
  const BOTH = 'pmid:99180003#1';

  const list = async (values: object = {}) => (await base.client.get('/api/findings', values).expect(200)).body;
  const ids = async (values: object): Promise<string[]> =>
    (await list(values)).findings.map(({ id }: { id: string }) => id).sort();
  const one = (id: string) => base.client.get(`/api/findings/${encodeURIComponent(id)}`);

  it('lists findings by supplement, topic and id, with pagination fields', async () => {
    const { findings, ...members } = await list();
    assert.deepEqual(
      findings.map(({ id }: { id: string }) => id),
      [IRON, ZINC_A, ZINC_B, CHILD, BOTH],
    );
    assert.deepEqual(members, { page: 1, page_size: 50, total: 5, total_pages: 1, has_next: false, resolved: [] });
  });

  it('returns every field of a finding', async () => {
    const { body } = await one(ZINC_A).expect(200);
    assert.deepEqual(body, {
      id: ZINC_A,
      source: 'pmid:99180001',
      source_url: 'https://pubmed.ncbi.nlm.nih.gov/99180001/',
      title: 'Zinc for invented colds',
      year: 2020,
      journal: 'Journal of Invented Nutrition',
      first_author: 'Maker',
      design: 'meta-analysis',
      use: 'main',
      supplements: ['zinc'],
      topic: 'colds',
      vertical: 'zinc-colds',
      people: 'adults',
      condition: '',
      population: 'invented adults',
      comparator: 'placebo',
      dose: '',
      follow_up: '',
      outcome: 'length of a cold',
      better_when: 'lower',
      measure: 'MD',
      estimate: -1.5,
      low: -2,
      high: -1,
      unit: 'days',
      risk_without: null,
      risk_with: null,
      participants: 1200,
      participants_at_least: null,
      studies: 6,
      certainty: 'moderate',
      bias: '',
      i2: null,
      direction: 'better',
      importance: 'critical',
      summary: 'Zinc shortened invented colds by a day and a half.',
      doubtful: false,
    });
  });

  it('returns a finding whose DOI contains brackets and slashes, with its link', async () => {
    const { body } = await one(CHILD).expect(200);
    assert.deepEqual([body.id, body.source_url], [CHILD, 'https://doi.org/10.5555/made.(1)/x']);
    assert.deepEqual([body.measure, body.estimate, body.low, body.year, body.better_when], ['', null, null, null, '']);
  });

  it('returns 404 for an unknown id', async () => {
    for (const id of ['pmid:1#1', 'nonsense', 'pmid:99180001', '__proto__']) {
      const { body } = await one(id).expect(404);
      assert.deepEqual([body.code, body.id], ['not_found', id]);
    }
    await one('x'.repeat(300)).expect(422);
  });

  it('filters by any name of a supplement and includes combinations that contain it', async () => {
    const all = [ZINC_A, ZINC_B, CHILD, BOTH].sort();
    assert.deepEqual(await ids({ supplement: 'zinc' }), all);
    assert.deepEqual(await ids({ supplement: ' Spelter ' }), all);
    assert.deepEqual(await ids({ supplement: 'iron' }), [IRON, BOTH]);
    const { resolved } = await list({ supplement: 'spelter' });
    assert.deepEqual(
      resolved.map(({ input, slug }: { input: string; slug: string }) => [input, slug]),
      [['spelter', 'zinc']],
    );
  });

  for (const [field, value, expected] of [
    ['topic', 'sleep', [CHILD]],
    ['vertical', 'zinc-colds', [ZINC_A, ZINC_B]],
    ['condition', 'testitis', [CHILD]],
    ['condition', 'none', [ZINC_A, ZINC_B, IRON, BOTH]],
    ['people', 'children', [CHILD]],
    ['source', 'pmid:99180001', [ZINC_A, ZINC_B]],
    ['source', ' DOI:10.5555/MADE.(1)/X ', [CHILD]],
    ['design', 'rct', [CHILD]],
    ['certainty', 'high', [IRON]],
    ['certainty', 'very_low', [BOTH]],
    ['direction', 'worse', [CHILD]],
    ['direction', 'no_difference', [IRON]],
    ['importance', 'surrogate', [ZINC_B]],
    ['importance', 'harm', [CHILD]],
    ['use', 'subgroup', [ZINC_B]],
    ['use', 'unmapped', []],
  ] as const)
    it(`filters by ${field} “${value.trim()}”`, async () => {
      assert.deepEqual(await ids({ [field]: value }), [...expected].sort());
    });

  it('filters by several fields at once', async () => {
    assert.deepEqual(await ids({ supplement: 'zinc', topic: 'colds', use: 'main' }), [ZINC_A, BOTH]);
    assert.deepEqual(await ids({ supplement: 'iron', direction: 'worse' }), []);
  });

  it('returns no findings for unknown slugs and sources', async () => {
    for (const values of [
      { supplement: 'unobtainium' },
      { topic: 'nonsense' },
      { vertical: 'zinc-nothing' },
      { condition: 'nonsense' },
      { source: 'pmid:1' },
      { topic: 'constructor' },
    ])
      assert.deepEqual(await ids(values), [], JSON.stringify(values));
  });

  it('returns 422 for an invalid filter value and names the filter', async () => {
    for (const [field, value] of [
      ['people', 'everybody'],
      ['design', 'opinion'],
      ['certainty', 'sure'],
      ['direction', 'good'],
      ['importance', 'great'],
      ['use', 'all'],
      ['page', '0'],
      ['page', 'two'],
      ['page_size', '0'],
      ['topic', 'x'.repeat(201)],
    ] as const) {
      const { body } = await base.client.get('/api/findings', { [field]: value }).expect(422);
      assert.equal(body.code, 'validation_failed');
      assert.ok(JSON.stringify(body).includes(field), field);
    }
    await base.client.get('/api/findings', { page: 100_000, page_size: 200 }).expect(422);
  });

  it('lists every finding once across pages and links the next page', async () => {
    const seen: string[] = [];
    for (let page = 1; page <= 3; page += 1) {
      const { body, headers } = await base.client.get('/api/findings', { page, page_size: 2 }).expect(200);
      seen.push(...body.findings.map(({ id }: { id: string }) => id));
      assert.equal(body.has_next, page < 3);
      assert.equal(/rel="next"/.test(headers.link ?? ''), page < 3);
    }
    assert.deepEqual(seen, [IRON, ZINC_A, ZINC_B, CHILD, BOTH]);
    assert.deepEqual((await list({ page: 9 })).findings, []);
  });

  it('returns 401 for an invalid API key', async () => {
    for (const path of ['/api/findings', `/api/findings/${encodeURIComponent(ZINC_A)}`]) {
      const { body } = await base.client.get(path).set('Authorization', 'Bearer nonsense').expect(401);
      assert.equal(body.code, 'invalid_api_key');
    }
  });
});
