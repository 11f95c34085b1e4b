import assert from 'node:assert/strict';
import { api } from '../../support/client.ts';
import { RETRACTED, TRIAL, useRealBase } from './real-base.ts';
import { idsOf } from './support.ts';

describe('GET /v1/evidence/{source_id}', () => {
  const base = useRealBase();

  it('returns the record of a source', async () => {
    const { body, headers } = await base.client.get(`/v1/evidence/pmid-${TRIAL}`).expect(200);
    const { body: list } = await base.client.search({ q: `zinc lozenges number ${TRIAL}`, top_k: 5 });
    const { rank_score, rank_reasons, ...found } = list.results.find(
      (one: { pmid: string }) => one.pmid === String(TRIAL),
    );
    assert.ok(rank_score > 0 && rank_reasons.length > 0);
    const { details, passages, ...record } = body;
    assert.deepEqual(record, found);
    assert.deepEqual(
      [details.comparator.value, details.sample_size.value, passages[details.comparator.sentence].slice(0, 24)],
      ['placebo', 240, 'We randomly assigned 240'],
    );
    assert.equal(headers['cache-control'], 'private, no-store');
  });

  it('returns a retracted source with its status', async () => {
    const { body } = await base.client.get(`/v1/evidence/pmid-${RETRACTED}`).expect(200);
    assert.equal(body.retraction_status, 'retracted');
  });

  it('returns 404 for an unknown source, with suggestions', async () => {
    for (const [given, meant] of [
      [String(TRIAL), [`pmid-${TRIAL}`]],
      [`PMID:${TRIAL}`, [`pmid-${TRIAL}`]],
      ['NCT99000021', ['nct-NCT99000021']],
      ['no-such-source', []],
    ] as const) {
      const { body } = await base.client.get(`/v1/evidence/${encodeURIComponent(given)}`).expect(404);
      assert.deepEqual(
        [body.code, body.detail, body.did_you_mean],
        ['not_found', `Source '${given}' not found`, meant],
      );
    }
  });

  it('returns 401 without a key', async () => {
    await api(base.service).get(`/v1/evidence/pmid-${TRIAL}`).expect(401);
    await api(base.service).get(`/v1/evidence/pmid-${TRIAL}/similar`).expect(401);
  });
});

describe('GET /v1/evidence/{source_id}/similar', () => {
  const base = useRealBase();
  const similar = async (values: object = {}) =>
    (await base.client.get(`/v1/evidence/pmid-${TRIAL}/similar`, values).expect(200)).body;

  it('returns the envelope of a search with the most similar source first', async () => {
    const { results, latency_ms: latency, ...rest } = await similar({ top_k: 5 });
    const versions = (await base.client.get('/api/methodology')).body;
    assert.deepEqual(rest, {
      query: `Zinc lozenges for the common cold: a randomised trial number ${TRIAL}.`,
      corrected: null,
      retrieval_version: versions.retrieval_version,
      index_version: versions.index_version,
      total_returned: 5,
      total_estimate: 5,
      coverage: 1,
      reranker_used: false,
      next_cursor: null,
      resolved: [],
      facets: {},
      warnings: [],
    });
    assert.ok(Number.isInteger(latency));
    assert.match(results[0].title, /zinc/i);
    const scores = results.map((record: { rank_score: number }) => record.rank_score);
    assert.deepEqual(
      scores,
      scores.toSorted((a: number, b: number) => b - a),
    );
  });

  it('excludes the source itself and retracted sources', async () => {
    const ids = idsOf((await similar({ top_k: 50 })).results);
    assert.ok(ids.length > 5);
    assert.ok(!ids.includes(`pmid-${TRIAL}`) && !ids.includes(`pmid-${RETRACTED}`));
  });

  it('filters by tier, and supports explanations and field selection like a search', async () => {
    const best = (await similar({ top_k: 50, min_quality_tier: 'b', explain: true })).results;
    assert.ok(best.length > 0 && best.every((record: { quality_tier: string }) => /[AB]/.test(record.quality_tier)));
    assert.equal(best[0].rank_explain.legs[0].leg, 'semantic');
    const [cut] = (await similar({ top_k: 1, fields: 'url' })).results;
    assert.ok('url' in cut && !('journal' in cut) && !('rank_explain' in cut));
  });

  it('returns 404 for an unknown source and 422 for invalid parameters', async () => {
    const { body } = await base.client.get(`/v1/evidence/${TRIAL}/similar`).expect(404);
    assert.deepEqual(body.did_you_mean, [`pmid-${TRIAL}`]);
    await base.client.get(`/v1/evidence/pmid-${TRIAL}/similar`, { top_k: 51 }).expect(422);
    await base.client.get(`/v1/evidence/pmid-${TRIAL}/similar`, { min_quality_tier: 'E' }).expect(422);
  });
});
