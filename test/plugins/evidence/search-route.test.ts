import assert from 'node:assert/strict';
import { api } from '../../support/client.ts';
import { BARE, RETRACTED, TRIAL, useRealBase } from './real-base.ts';
import { idsOf } from './support.ts';

type Found = Record<string, never> & {
  source_id: string;
  quality_tier: string;
  quality_score: number;
  source_class: string;
  species: string;
  verticals: string[];
  year: number;
  rank_score: number;
  rank_reasons: string[];
};

/** Types of every field of a record in the documented API. */
const RECORD_FIELDS = {
  source_id: 'string',
  pmid: 'string',
  doi: 'string',
  title: 'string',
  abstract_or_summary: 'string',
  quality_score: 'number',
  quality_tier: 'string',
  evidence_level: 'string',
  source_class: 'string',
  rank_score: 'number',
  rank_reasons: 'object',
  year: 'number',
  vertical: 'string',
  sample_size: 'string',
  population: 'string',
};

const cursorOf = (text: string): string => Buffer.from(text).toString('base64url');

describe('GET /v1/evidence/search', () => {
  const base = useRealBase();
  const find = async (values: object): Promise<Found[]> => (await base.client.search(values).expect(200)).body.results;
  const problemsOf = async (values: object): Promise<string[]> => {
    const { body } = await base.client.search(values).expect(422);
    return body.detail.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join('.')} ${type}`);
  };

  it('returns the documented envelope', async () => {
    const { body, headers } = await base.client.search({ q: ' zinc common cold ', top_k: 3 }).expect(200);
    const versions = (await base.client.get('/api/methodology')).body;
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(headers['cache-control'], 'private, no-store');
    const { results, latency_ms: latency, next_cursor: next, facets, total_estimate: total, ...rest } = body;
    assert.deepEqual(rest, {
      query: ' zinc common cold ',
      corrected: null,
      coverage: 1,
      retrieval_version: versions.retrieval_version,
      index_version: versions.index_version,
      total_returned: 3,
      reranker_used: false,
      resolved: [{ input: 'zinc common cold', id: 'zinc', type: 'supplement', match_type: 'name', confidence: 1 }],
      warnings: [],
    });
    assert.equal(results.length, 3);
    assert.ok(Number.isInteger(latency) && latency >= 0);
    assert.ok(total > 3 && typeof next === 'string');
    const fields = ['tier', 'source_class', 'evidence_level', 'species', 'year', 'vertical', 'supplement'];
    assert.deepEqual(Object.keys(facets), fields);
  });

  it('returns every documented field of each record', async () => {
    for (const record of await find({ q: 'magnesium', top_k: 50 })) {
      const types = Object.keys(RECORD_FIELDS).map((name) => [name, typeof record[name]]);
      assert.deepEqual(Object.fromEntries(types), RECORD_FIELDS);
      assert.match(record.quality_tier, /^[ABCD]$/);
      assert.ok(Array.isArray(record.rank_reasons));
    }
  });

  it('returns "" for missing strings and null for an unknown year', async () => {
    const [record] = await find({ q: 'Quokkamarginalia' });
    const expected = {
      source_id: `pmid-${BARE}`,
      pmid: String(BARE),
      doi: '',
      nct_id: '',
      title: 'Quokkamarginalia',
      abstract_or_summary: '',
      quality_tier: 'D',
      evidence_level: 'other',
      source_class: 'pubmed_article',
      year: null,
      vertical: '',
      sample_size: '',
      sample_size_n: null,
      population: '',
      species: 'unknown',
      effect_direction: 'unclear',
      retraction_status: 'none',
      url: `https://pubmed.ncbi.nlm.nih.gov/${BARE}/`,
      authors: [],
      journal: '',
      publication_types: [],
      open_access_url: '',
      license: '',
      rank_reasons: ['bm25'],
    };
    const shown = Object.keys(expected).map((name) => [name, record![name]]);
    assert.deepEqual(Object.fromEntries(shown), expected);
    const at: unknown = record!.updated_at;
    assert.match(String(at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('ranks the best record first and names the retrievers that found each record', async () => {
    const records = await find({ q: 'creatine and muscle strength in older adults', top_k: 20 });
    const scores = records.map((record) => record.rank_score);
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    );
    assert.deepEqual([...new Set(records.flatMap((record) => record.rank_reasons))].sort(), [
      'bm25',
      'rrf_primary',
      'semantic',
    ]);
    assert.match(String(records[0]!.title), /creatine/i);
  });

  it('finds a record by a supplement name that its own text does not contain', async () => {
    const [named] = await find({ q: 'ubiquinone', top_k: 1 });
    assert.ok(named?.verticals.some((vertical) => vertical.startsWith('coenzyme-q10-')));
  });

  for (const [lower, kept] of [
    ['a', 'A'],
    ['b', 'AB'],
    ['c', 'ABC'],
    ['d', 'ABCD'],
  ] as const) {
    it(`returns tier ${lower.toUpperCase()} and better with min_quality_tier=${lower}, in either case`, async () => {
      const found = await find({ q: 'supplementation', top_k: 50, min_quality_tier: lower });
      const upper = await find({ q: 'supplementation', top_k: 50, min_quality_tier: lower.toUpperCase() });
      assert.deepEqual(idsOf(upper), idsOf(found));
      assert.ok(found.length && found.every((record) => kept.includes(record.quality_tier)));
      assert.ok(found.some((record) => record.quality_tier === kept.at(-1)));
    });
  }

  it('filters by class, vertical and years, separately and combined', async () => {
    const all = await find({ q: 'magnesium', top_k: 50 });
    const vertical = all[0]!.verticals[0]!;
    const middle = all.map(({ year }) => year).sort()[all.length >> 1]!;
    const filters: [object, (record: Found) => boolean][] = [
      [{ source_class: 'systematic_review' }, (record) => record.source_class === 'systematic_review'],
      [{ vertical }, (record) => record.verticals.includes(vertical)],
      [{ year_from: middle }, (record) => record.year >= middle],
      [{ year_to: middle }, (record) => record.year <= middle],
      [{ year_from: middle, year_to: middle }, (record) => record.year === middle],
    ];
    for (const [values, fits] of filters) {
      const found = await find({ q: 'magnesium', top_k: 50, ...values });
      assert.deepEqual(idsOf(found).sort(), idsOf(all.filter(fits)).sort(), JSON.stringify(values));
      assert.ok(found.length && found.length < all.length, 'the filter has something to do');
    }
    const { year, quality_tier: tier, source_class: sourceClass } = all[0]!;
    const narrow = { vertical, year_from: year, year_to: year, min_quality_tier: tier, source_class: sourceClass };
    const found = await find({ q: 'magnesium', human: true, ...narrow });
    assert.ok(idsOf(found).includes(all[0]!.source_id));
    for (const [, fits] of filters.slice(1, 2)) assert.ok(found.every(fits));
    assert.ok(found.every((one) => one.year === year && one.source_class === sourceClass && one.quality_tier <= tier));
  });

  it('excludes sources not studied in humans with human=true', async () => {
    const values = { q: 'Quokkamarginalia', top_k: 5 };
    assert.deepEqual(idsOf(await find(values)), [`pmid-${BARE}`]);
    assert.deepEqual(await find({ ...values, human: true }), []);
  });

  it('finds registered trials by source class', async () => {
    const found = await find({ q: 'invented herb insomnia', source_class: 'clinical_trial' });
    assert.equal(found[0]?.nct_id, 'NCT99000021');
    assert.ok(found.every((record) => record.source_class === 'clinical_trial'));
  });

  it('returns an empty list for an unknown class or vertical', async () => {
    for (const values of [{ source_class: 'no_such_class' }, { vertical: 'no-such-vertical' }]) {
      const { body } = await base.client.search({ q: 'magnesium', ...values }).expect(200);
      assert.deepEqual([body.results, body.total_returned, body.total_estimate], [[], 0, 0]);
      assert.equal(body.next_cursor, null);
    }
  });

  it('returns an empty list for a query unrelated to the sources', async () => {
    for (const q of ['kubernetes xylophones', 'bowling alleys', 'ǅ 🦘 ::']) {
      const { body } = await base.client.search({ q }).expect(200);
      assert.deepEqual(body.results, []);
      assert.equal(body.total_estimate, 0);
    }
  });

  it('ignores empty filters', async () => {
    const bare = await find({ q: 'zinc' });
    const empty = { min_quality_tier: '', source_class: '', vertical: '', year_from: 0, year_to: '', cursor: '' };
    assert.deepEqual(idsOf(await find({ q: 'zinc', ...empty })), idsOf(bare));
    assert.equal(bare.length, 15, 'top_k is 15 when not given');
  });

  it('excludes retracted sources by default, and returns them with their status on request', async () => {
    const values = { q: 'zinc lozenges common cold', top_k: 50 };
    assert.ok(idsOf(await find(values)).includes(`pmid-${TRIAL}`));
    assert.ok(!idsOf(await find(values)).includes(`pmid-${RETRACTED}`));
    const shown = await find({ ...values, exclude_retracted: 'false' });
    const retracted = shown.find((record) => record.source_id === `pmid-${RETRACTED}`);
    assert.equal(retracted?.retraction_status, 'retracted');
    assert.equal(retracted?.quality_tier, 'D');
    assert.equal(
      shown.filter(
        (record) => record.source_id !== retracted?.source_id && record.retraction_status === ('retracted' as never),
      ).length,
      0,
    );
  });

  it('pages through all results by cursor, each once, in the order of a single large page', async () => {
    const whole = await base.client.search({ q: 'vitamin d fractures', top_k: 50 }).expect(200);
    const walked: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null && page < 5; page += 1) {
      const { body }: { body: { results: Found[]; next_cursor: string | null } } = await base.client
        .search({ q: 'vitamin d fractures', top_k: 10, cursor })
        .expect(200);
      walked.push(...idsOf(body.results));
      cursor = body.next_cursor;
    }
    assert.deepEqual(walked, idsOf(whole.body.results));
    assert.equal(new Set(walked).size, 50);
  });

  it('returns no cursor on the last page', async () => {
    const { body } = await base.client.search({ q: 'Quokkamarginalia', top_k: 1 }).expect(200);
    assert.equal(body.next_cursor, null);
    const past = await base.client.search({ q: 'zinc', cursor: cursorOf('[1e15,"x"]') }).expect(200);
    assert.deepEqual([past.body.results, past.body.next_cursor], [[], null]);
  });

  it('warns that ranks may have changed when the cursor is from an older index', async () => {
    const { body } = await base.client.search({ q: 'zinc', cursor: cursorOf('[3,"older"]') }).expect(200);
    assert.equal(body.warnings[0].code, 'index_changed');
    assert.equal(body.results.length, 15);
  });

  it('returns the documented fields and the additional ones that `fields` names', async () => {
    const [record] = await find({ q: 'zinc', top_k: 1, fields: 'journal, url' });
    assert.deepEqual(Object.keys(record!).sort(), [...Object.keys(RECORD_FIELDS), 'journal', 'url'].sort());
    assert.deepEqual(await problemsOf({ q: 'zinc', fields: 'journal,secret' }), ['query.fields value_error']);
  });

  it('counts facets over all matches, not only the page', async () => {
    const { body } = await base.client.search({ q: 'magnesium', top_k: 1 }).expect(200);
    const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, n) => total + n, 0);
    assert.equal(sum(body.facets.tier), sum(body.facets.source_class));
    assert.ok(sum(body.facets.tier) > 10);
  });

  const refusals: [string, object, string[]][] = [
    ['a missing q', {}, ['query.q missing']],
    ['an empty q', { q: '' }, ['query.q missing']],
    ['a blank q', { q: ' \t ' }, ['query.q value_error']],
    ['a q of 501 characters', { q: 'é'.repeat(501) }, ['query.q string_too_long']],
    ['a NUL in q', { q: 'zinc\0' }, ['query.q value_error']],
    ['top_k 0', { q: 'zinc', top_k: 0 }, ['query.top_k greater_than_equal']],
    ['top_k 51', { q: 'zinc', top_k: 51 }, ['query.top_k less_than_equal']],
    ['top_k that is no number', { q: 'zinc', top_k: 'ten' }, ['query.top_k int_parsing']],
    ['a fractional top_k', { q: 'zinc', top_k: '1.5' }, ['query.top_k int_parsing']],
    ['tier E', { q: 'zinc', min_quality_tier: 'E' }, ['query.min_quality_tier literal_error']],
    ['tier AB', { q: 'zinc', min_quality_tier: 'AB' }, ['query.min_quality_tier literal_error']],
    ['a year before 1800', { q: 'zinc', year_from: 1799 }, ['query.year_from value_error']],
    ['a year after 2100', { q: 'zinc', year_to: 2101 }, ['query.year_to less_than_equal']],
    ['a negative year', { q: 'zinc', year_to: -1 }, ['query.year_to greater_than_equal']],
    ['years the wrong way round', { q: 'zinc', year_from: 2020, year_to: 2010 }, ['query.year_from value_error']],
    ['a human that is neither', { q: 'zinc', human: 'maybe' }, ['query.human bool_parsing']],
    ['a cursor that is none', { q: 'zinc', cursor: 'nonsense' }, ['query.cursor value_error']],
    ['a cursor of another list', { q: 'zinc', cursor: cursorOf('["x",1]') }, ['query.cursor value_error']],
    ['a cursor below 0', { q: 'zinc', cursor: cursorOf('[-1,"x"]') }, ['query.cursor value_error']],
    ['a cursor without an end', { q: 'zinc', cursor: cursorOf('[1e999,"x"]') }, ['query.cursor value_error']],
    [
      'two mistakes, both named',
      { top_k: 99, year_from: 'x' },
      ['query.q missing', 'query.top_k less_than_equal', 'query.year_from int_parsing'],
    ],
  ];
  for (const [what, values, problems] of refusals) {
    it(`returns 422 for ${what}`, async () => {
      assert.deepEqual((await problemsOf(values)).sort(), problems.sort());
    });
  }

  it('accepts a q of 500 characters', async () => {
    await base.client.search({ q: 'é'.repeat(500) }).expect(200);
  });

  it('accepts operators and characters of any script in q', async () => {
    for (const q of [
      '" OR 1=1 --',
      '%_\\',
      '(((',
      'a:*',
      '\u202eenigam\u200b',
      '\ud83d\ude00',
      '-zinc +',
      '{"$ne":1}',
    ]) {
      await base.client.search({ q }).expect(200);
    }
  });

  it('returns 401 without a key', async () => {
    const reply = await api(base.service).get('/v1/evidence/search').query({ q: 'zinc' }).expect(401);
    assert.equal(reply.body.code, 'missing_api_key');
  });

  it('does not log queries, cursors or keys', async () => {
    const words = { q: 'wombatology zinc', vertical: 'wombat-vertical', cursor: cursorOf('[0,"wombat"]') };
    await base.client.search(words).expect(200);
    await base.client.search({ ...words, min_quality_tier: 'wombat' }).expect(422);
    const log = base.log.join('');
    assert.match(log, /\/v1\/evidence\/search/);
    assert.doesNotMatch(log, /wombat/i);
    assert.ok(!log.includes(base.client.key));
    assert.ok(!log.includes(words.cursor));
  });
});
