import assert from 'node:assert/strict';
import { useRealBase } from './real-base.ts';
import { idsOf } from './support.ts';

interface Found {
  readonly source_id: string;
  readonly rank_score: number;
  readonly rank_reasons: string[];
  readonly rank_explain?: {
    readonly legs: readonly { leg: string; rank: number; score: number }[];
    readonly matched: readonly string[];
    readonly reranked?: { reranker: string; score: number; first_stage_rank: number };
  };
}

const LONG = 'does taking magnesium every evening help older adults with insomnia to fall asleep sooner';

describe('the pipeline of a search', () => {
  const base = useRealBase();
  const ask = async (values: object) => (await base.client.search(values).expect(200)).body;
  const codesOf = ({ warnings }: { warnings: { code: string }[] }): string[] => warnings.map(({ code }) => code);

  it('searches for the correction of a misspelt word and returns the correction', async () => {
    const body = await ask({ q: 'magnezium sleep', top_k: 50 });
    const right = await ask({ q: 'magnesium sleep', top_k: 50 });
    assert.equal(body.query, 'magnezium sleep');
    assert.deepEqual(body.corrected, { query: 'magnesium sleep', words: [{ from: 'magnezium', to: 'magnesium' }] });
    assert.deepEqual(body.resolved, [
      { input: 'magnezium sleep', id: 'magnesium', type: 'supplement', match_type: 'typo', confidence: 0.92 },
      { input: 'magnezium', id: 'magnesium', type: 'spelling', match_type: 'typo', confidence: 0.92 },
    ]);
    assert.deepEqual(idsOf(body.results).sort(), idsOf(right.results).sort());
    assert.deepEqual([body.reranker_used, right.reranker_used], [true, false]);
    assert.equal(right.corrected, null);
  });

  it('prefers vocabulary names as corrections', async () => {
    const body = await ask({ q: 'tumeric', top_k: 5 });
    assert.deepEqual(body.corrected, { query: 'turmeric', words: [{ from: 'tumeric', to: 'turmeric' }] });
    assert.equal(body.resolved[0].id, 'curcumin');
    assert.match(body.results[0].title, /curcumin|turmeric/i);
  });

  it('searches for the original text with correct=false', async () => {
    const body = await ask({ q: 'magnezium', correct: false });
    assert.deepEqual([body.corrected, body.resolved], [null, []]);
    const corrected = await ask({ q: 'magnezium' });
    assert.notDeepEqual(idsOf(body.results), idsOf(corrected.results));
  });

  it('reranks only the queries that the documented rule selects', async () => {
    const used: Record<string, boolean> = {
      [LONG]: true,
      'ginkgo biloba together with warfarin': true,
      'fish oil while on sertraline': true,
      'zinc common cold': false,
      'magnesium for sleep in older people': false,
      magnesium: false,
    };
    for (const [q, expected] of Object.entries(used)) assert.equal((await ask({ q })).reranker_used, expected, q);
  });

  it('recognises the names of medicines without a known stem', async () => {
    const body = await ask({ q: 'ginkgo before surgery coumadin' });
    assert.equal(body.reranker_used, true);
    assert.equal(body.corrected, null);
  });

  it('reports reranker_used false when there are no results to rerank', async () => {
    const one = await ask({ q: LONG, source_class: 'no-such-class' });
    assert.deepEqual([one.reranker_used, codesOf(one)], [false, ['nothing_found']]);
  });

  it('explains the rank of every record on request', async () => {
    const explained = await ask({ q: LONG, explain: true, top_k: 20 });
    for (const [at, record] of (explained.results as Found[]).entries()) {
      const { legs, matched, reranked } = record.rank_explain!;
      assert.ok(legs.length > 0 && matched.length > 0, String(at));
      assert.equal(reranked?.reranker, 'local');
      assert.ok(reranked.first_stage_rank >= 1 && reranked.first_stage_rank <= 50);
      assert.ok(record.rank_reasons.includes('reranked'));
    }
    const ranks = (explained.results as Found[]).map(({ rank_explain: why }) => why!.reranked!.first_stage_rank);
    assert.notDeepEqual(
      ranks,
      ranks.toSorted((a, b) => a - b),
      'the order is another',
    );
    const plain = await ask({ q: LONG });
    assert.ok(plain.results.every((record: Found) => !('rank_explain' in record)));
    const named = await ask({ q: 'zinc', fields: 'rank_explain' });
    assert.ok(named.results.every((record: Found) => record.rank_explain && !record.rank_explain.reranked));
  });

  it('pages through reranked results by cursor and beyond the reranked ones, without duplicates and with falling scores', async () => {
    const walked: Found[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null && page < 4; page += 1) {
      const body: { results: Found[]; next_cursor: string | null } = await ask({ q: LONG, top_k: 20, cursor });
      walked.push(...body.results);
      cursor = body.next_cursor;
    }
    assert.equal(walked.length, 80);
    assert.equal(new Set(idsOf(walked)).size, 80);
    assert.deepEqual(idsOf((await ask({ q: LONG, top_k: 50 })).results), idsOf(walked.slice(0, 50)));
    const scores = walked.map((record) => record.rank_score);
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    );
    const reranked = walked.map(({ rank_reasons: reasons }) => reasons.includes('reranked'));
    assert.deepEqual(
      reranked,
      walked.map((_, at) => at < 50),
    );
  });

  it('returns the same order on every request', async () => {
    const orders = await Promise.all([1, 2, 3].map(async () => idsOf((await ask({ q: LONG, top_k: 50 })).results)));
    assert.deepEqual(orders[1], orders[0]);
    assert.deepEqual(orders[2], orders[0]);
  });

  it('warns when no source contains most of the query, and when nothing was found', async () => {
    const weak = await ask({ q: 'railway timetable punctuality and zinc mining royalties in provincial towns' });
    assert.ok(weak.coverage < 0.4 && weak.results.length > 0);
    assert.deepEqual(codesOf(weak), ['weak_match']);
    const none = await ask({ q: 'kubernetes xylophones' });
    assert.deepEqual([codesOf(none), none.coverage, none.results], [['nothing_found'], 0, []]);
    assert.deepEqual(codesOf(await ask({ q: 'zinc for colds' })), []);
  });
});
