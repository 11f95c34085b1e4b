import assert from 'node:assert/strict';
import { openInProcessIndex } from '#core/search/in-process.ts';
import type { SearchIndex } from '#core/search/port.ts';
import { FEATURES, featureRows } from '#plugins/evidence/rerank/features.ts';
import { localReranker, scoreLocally } from '#plugins/evidence/rerank/local-reranker.ts';
import { passagesOf } from '#plugins/evidence/rerank/passages.ts';
import type { Candidate } from '#plugins/evidence/rerank/reranker.ts';

/** Fictional titles and abstracts. */
const TEXTS: Readonly<Record<string, readonly [title: string, text: string]>> = {
  direct: [
    'Magnesium and sleep onset in older adults',
    'We asked whether magnesium shortens the time to fall asleep. In 46 older adults with insomnia, magnesium at night shortened sleep onset.',
  ],
  scattered: [
    'Minerals in the diet of a region',
    'Magnesium was measured in wells. Many adults took part. Others reported on sleep. The older wells were closed. Onset of rain was late.',
  ],
  other: ['Zinc lozenges for colds', 'Zinc lozenges shortened colds in students. Colds lasted four days.'],
  bare: ['Insomnia', ''],
};

const candidate = (id: string, score = 0.02): Candidate => {
  const [title, text] = TEXTS[id]!;
  return { id, title, text, score, legs: [{ leg: 'bm25', rank: 1, score: 4 }] };
};

describe('local reranker', () => {
  let index: SearchIndex;
  before(async () => {
    index = await openInProcessIndex({ folder: null, fields: { title: 3, abstract: 1 } });
    const upsert = Object.entries(TEXTS).map(([id, [title, abstract]]) => ({
      id,
      text: { title, abstract },
      filters: {},
    }));
    await index.apply({ upsert, revision: 1 });
  });
  after(() => index.close());

  const scoresOf = (query: string, candidates: readonly Candidate[]): number[] =>
    scoreLocally(query, index.scorer(query), candidates);
  const orderOf = (query: string, ids: readonly string[]): string[] => {
    const scores = scoresOf(
      query,
      ids.map((id) => candidate(id)),
    );
    return ids.toSorted((a, b) => scores[ids.indexOf(b)]! - scores[ids.indexOf(a)]!);
  };

  it('ranks a text that matches in one sentence above one with the same words in several sentences', () => {
    assert.deepEqual(
      orderOf('does magnesium shorten sleep onset in older adults', ['other', 'bare', 'scattered', 'direct']).slice(
        0,
        2,
      ),
      ['direct', 'scattered'],
    );
  });

  it('has no feature for year, design or quality', () => {
    assert.ok(FEATURES.every((name) => !/year|tier|quality|level|class/.test(name)));
  });

  it('computes features between 0 and 1 for every candidate', () => {
    const query = 'magnesium 46 older adults sleep onset';
    const rows = featureRows(
      query,
      index.scorer(query),
      Object.keys(TEXTS).map((id) => candidate(id)),
    );
    for (const row of rows)
      for (const name of FEATURES) assert.ok(row[name] >= 0 && row[name] <= 1 + 1e-9, `${name} is ${row[name]}`);
    assert.equal(rows[0]!.cover, 1);
    assert.equal(rows[0]!.numbers, 1);
  });

  it('returns one finite number per candidate for unusual queries and texts', () => {
    const odd: Candidate[] = [
      { id: 'empty', title: '', text: '', score: 0, legs: [] },
      { id: 'long', title: 'zinc '.repeat(2_000), text: 'zinc '.repeat(20_000), score: 0.1, legs: [] },
      { id: 'signs', title: '…', text: '\u202e ::: 😀', score: 0.1, legs: [] },
    ];
    for (const query of ['', 'zinc zinc zinc', 'the of and', '😀', 'a'.repeat(5_000)]) {
      const scores = scoresOf(query, odd);
      assert.equal(scores.length, 3);
      assert.ok(scores.every(Number.isFinite), query);
    }
    assert.deepEqual(scoresOf('zinc', []), []);
  });

  it('returns the same scores on repeated calls', async () => {
    const all = Object.keys(TEXTS).map((id) => candidate(id));
    const query = 'zinc lozenges for colds';
    const first = await localReranker((text) => index.scorer(text)).rerank(query, all);
    assert.deepEqual([first.name, first.fallback], ['local', null]);
    assert.deepEqual(first.scores, scoresOf(query, all));
  });
});

describe('passagesOf', () => {
  it('returns the title and the sentences of a text', () => {
    const { title, sentences } = passagesOf(
      'Zinc in 2019',
      'BACKGROUND: Colds are common. We gave 3.5 mg of zinc.\nIt helped (p = 0.03). ',
    );
    assert.deepEqual(title.terms, ['zinc', '2019']);
    assert.deepEqual(
      sentences.map(({ text }) => text),
      ['BACKGROUND:', 'Colds are common.', 'We gave 3.5 mg of zinc.', 'It helped (p = 0.03).'],
    );
  });

  it('splits a text without full stops into passages of limited length', () => {
    const { sentences } = passagesOf('', Array.from({ length: 100 }, (_, at) => `word${at}`).join(' '));
    assert.ok(sentences.length >= 3 && sentences.every(({ terms }) => terms.length <= 70));
  });
});
