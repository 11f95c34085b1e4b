/** The contract of every search backend; each backend’s test calls it with its own way to open an index. */
import assert from 'node:assert/strict';
import type { Condition, SearchAnswer, SearchDocument, SearchIndex } from '#core/search/port.ts';
import { syntheticDocuments } from './synthetic.ts';

type Scalars = SearchDocument['filters'];

export function evidence(id: string, title: string, abstract: string, filters: Scalars = {}): SearchDocument {
  return { id, text: { title, abstract }, filters };
}

const CORPUS: readonly SearchDocument[] = [
  evidence(
    'magnesium-migraine',
    'Oral magnesium for migraine prophylaxis: a randomised trial',
    'Adults with migraine took 600 mg magnesium or placebo for twelve weeks. Attack frequency fell with magnesium.',
    { year: 1996, type: 'trial', retracted: false, supplements: ['magnesium'] },
  ),
  evidence(
    'magnesium-sleep',
    'Magnesium and sleep in older adults: a systematic review',
    'Three trials measured insomnia. Sleep onset latency fell; the certainty of evidence is low.',
    { year: 2021, type: 'review', retracted: false, supplements: ['magnesium'] },
  ),
  evidence(
    'omega-3-triglycerides',
    'Omega-3 fatty acids lower triglycerides',
    'Fish oil with EPA and DHA lowered triglycerides in hyperlipidaemia without effect on LDL.',
    { year: 2019, type: 'trial', retracted: false, supplements: ['fish oil', 'omega-3'] },
  ),
  evidence(
    'iron-anaemia',
    'Alternate day iron in anaemia',
    'Women with iron deficiency anaemia absorbed more iron from alternate day dosing. Haemoglobin rose.',
    { year: 2017, type: 'trial', retracted: true, supplements: ['iron'] },
  ),
  evidence('curcumin', 'Curcumin for knee osteoarthritis', 'Pain fell against placebo in adults with osteoarthritis.', {
    type: 'trial',
    retracted: false,
    supplements: ['curcumin', 'magnesium'],
  }),
];

/** Asserts equal answers except for the last digits of scores, because sums of 32-bit numbers depend on their order. */
export function sameAnswer(actual: SearchAnswer, expected: SearchAnswer): void {
  assert.deepEqual(
    withScores(actual, () => 0),
    withScores(expected, () => 0),
  );
  const scoresOf = (answer: SearchAnswer) => {
    const scores: number[] = [answer.coverage ?? 0];
    withScores(answer, (score) => scores.push(score));
    return scores;
  };
  const wanted = scoresOf(expected);
  for (const [i, score] of scoresOf(actual).entries()) {
    assert.ok(Math.abs(score - wanted[i]!) <= 1e-5 * Math.max(1, wanted[i]!), `${score} and ${wanted[i]}`);
  }
}

function withScores(answer: SearchAnswer, change: (score: number) => number): SearchAnswer {
  const hits = answer.hits.map((hit) => ({
    ...hit,
    score: change(hit.score),
    legs: hit.legs.map((leg) => ({ ...leg, score: change(leg.score) })),
  }));
  return { ...answer, coverage: 0, hits };
}

/** Runs the contract on fresh, empty indexes from `open`, and closes each of them. */
export function describeSearchIndex(name: string, open: () => Promise<SearchIndex>): void {
  describe(`search index ${name}`, () => {
    let index: SearchIndex;

    beforeEach(async () => {
      index = await open();
      await index.apply({ upsert: CORPUS, revision: 1 });
    });

    afterEach(async () => {
      await index.clear();
      await index.close();
    });

    const idsOf = async (text: string, where: readonly Condition[] = []) =>
      (await index.search({ text, where, limit: 10 })).hits.map((hit) => hit.id);

    it('reports its number of documents and its revision', () => {
      const state = index.state();
      assert.equal(state.documents, CORPUS.length);
      assert.equal(state.revision, 1);
    });

    it('changes its version with every revision', async () => {
      const before = index.state().version;
      await index.apply({ upsert: [CORPUS[0]!], revision: 2 });
      assert.notEqual(index.state().version, before);
      assert.equal(index.state().documents, CORPUS.length);
    });

    it('ranks the document about the query first', async () => {
      assert.equal((await idsOf('magnesium for migraine'))[0], 'magnesium-migraine');
      assert.equal((await idsOf('fish oil triglycerides'))[0], 'omega-3-triglycerides');
    });

    it('finds other forms of a word and the other spelling', async () => {
      assert.deepEqual(await idsOf('hemoglobin'), ['iron-anaemia']);
      assert.ok((await idsOf('anemia')).includes('iron-anaemia'));
      assert.deepEqual(await idsOf('randomized'), ['magnesium-migraine']);
      assert.ok((await idsOf('migraines')).includes('magnesium-migraine'));
    });

    it('finds a nutrient under each of its spellings', async () => {
      for (const text of ['omega-3', 'omega 3', 'omega3', 'n-3', 'ω-3', 'Omega‑3']) {
        assert.equal((await idsOf(text))[0], 'omega-3-triglycerides', text);
      }
    });

    it('returns the reasons for a hit and the query words in it', async () => {
      const [hit] = (await index.search({ text: 'Does Magnesium prevent Migraines?', limit: 1 })).hits;
      assert.ok(hit);
      assert.ok(hit.reasons.includes('bm25'));
      const leg = hit.legs.find((each) => each.leg === 'bm25');
      assert.equal(leg?.rank, 1);
      assert.ok((leg?.score ?? 0) > 0);
      assert.deepEqual([...hit.matched].sort(), ['Magnesium', 'Migraines']);
      assert.ok(hit.score > 0);
    });

    it('returns nothing when no word of the query is known', async () => {
      const answer = await index.search({ text: 'zeppelin carburettor', limit: 10, facets: ['type'] });
      assert.deepEqual(answer.hits, []);
      assert.equal(answer.total, 0);
    });

    it('returns nothing for an empty text or one of stop words only', async () => {
      for (const text of ['', '   ', 'the of and', '???']) assert.deepEqual(await idsOf(text), []);
    });

    it('handles any text quickly and without an error', async () => {
      const texts = [
        'a'.repeat(500),
        '"'.repeat(500),
        '-'.repeat(500),
        'a-'.repeat(250),
        "a'".repeat(250),
        '1,'.repeat(250),
        '🧪'.repeat(250),
        '(((magnesium AND OR NOT "migraine',
        'title:magnesium^4 ~2 /re+gex*/ {1 TO 5] \\',
        "'; drop table evidence; --",
        '\u0000\ud800\uffff \u202e \u0301\u0301',
        'İstanbul ﬁsh ＭＡＧＮＥＳＩＵＭ 日本語 緑茶',
        '__proto__ constructor toString hasOwnProperty',
        'magnesium '.repeat(50),
      ];
      const startedAt = performance.now();
      for (const text of texts) await index.search({ text, limit: 10, facets: ['type', '__proto__'] });
      assert.ok(performance.now() - startedAt < 20_000);
    });

    it('requires all conditions', async () => {
      const all = (field: string, ...values: (string | number | boolean)[]): Condition => ({ field, in: values });
      assert.deepEqual(await idsOf('magnesium', [all('type', 'review')]), ['magnesium-sleep']);
      assert.deepEqual(await idsOf('magnesium', [all('type', 'review', 'trial'), { field: 'year', to: 2000 }]), [
        'magnesium-migraine',
      ]);
      assert.deepEqual(await idsOf('iron', [all('retracted', false)]), []);
      assert.deepEqual(await idsOf('iron', [all('retracted', true)]), ['iron-anaemia']);
    });

    it('matches a list by any of its members', async () => {
      assert.deepEqual(await idsOf('osteoarthritis', [{ field: 'supplements', in: ['magnesium'] }]), ['curcumin']);
      assert.deepEqual(await idsOf('osteoarthritis', [{ field: 'supplements', notIn: ['magnesium'] }]), []);
    });

    it('excludes documents that lack the field of a condition', async () => {
      assert.deepEqual(await idsOf('osteoarthritis', [{ field: 'year', from: 0 }]), []);
      assert.deepEqual(await idsOf('osteoarthritis', [{ field: 'year', notIn: [1996] }]), []);
      assert.deepEqual(await idsOf('osteoarthritis', [{ field: 'nowhere', in: ['x'] }]), []);
    });

    it('includes both ends of a range', async () => {
      assert.deepEqual(await idsOf('magnesium sleep', [{ field: 'year', from: 2021, to: 2021 }]), ['magnesium-sleep']);
      assert.deepEqual(await idsOf('magnesium sleep', [{ field: 'year', from: 2022 }]), []);
    });

    it('counts facet values over all matches, not over the page', async () => {
      const answer = await index.search({ text: 'adults', limit: 1, facets: ['type', 'supplements', 'retracted'] });
      assert.equal(answer.hits.length, 1);
      assert.equal(answer.total, 3);
      assert.deepEqual(answer.facets.type, { trial: 2, review: 1 });
      assert.deepEqual(answer.facets.supplements, { magnesium: 3, curcumin: 1 });
      assert.deepEqual(answer.facets.retracted, { false: 3 });
    });

    it('keeps the same order across pages', async () => {
      const whole = await idsOf('magnesium adults placebo');
      const paged: string[] = [];
      for (let offset = 0; offset < whole.length; offset++) {
        const answer = await index.search({ text: 'magnesium adults placebo', limit: 1, offset });
        paged.push(...answer.hits.map((hit) => hit.id));
      }
      assert.ok(whole.length >= 3);
      assert.deepEqual(paged, whole);
      const beyond = await index.search({ text: 'magnesium adults placebo', limit: 5, offset: 50 });
      assert.deepEqual(beyond.hits, []);
    });

    it('orders equal documents by id', async () => {
      const twins = ['b', 'c', 'a'].map((id) => evidence(id, 'Ashwagandha and stress', 'Cortisol fell.'));
      await index.apply({ upsert: twins, revision: 2 });
      assert.deepEqual(await idsOf('ashwagandha'), ['a', 'b', 'c']);
    });

    it('replaces a document with the same id', async () => {
      await index.apply({ upsert: [evidence('curcumin', 'Zinc lozenges', 'Common cold.')], revision: 2 });
      assert.deepEqual(await idsOf('osteoarthritis'), []);
      assert.deepEqual(await idsOf('lozenges'), ['curcumin']);
      assert.equal(index.state().documents, CORPUS.length);
    });

    it('removes documents, and ignores unknown ids', async () => {
      await index.apply({ remove: ['curcumin', 'nobody'], revision: 2 });
      assert.deepEqual(await idsOf('osteoarthritis'), []);
      assert.equal(index.state().documents, CORPUS.length - 1);
    });

    it('returns the same result whatever the order and the batches of the documents', async () => {
      const before = await index.search({ text: 'magnesium adults placebo iron', limit: 10 });
      await index.clear();
      await index.apply({ upsert: [evidence('curcumin', 'something else', 'placebo placebo')], revision: 1 });
      for (const document of [...CORPUS].reverse()) await index.apply({ upsert: [document], revision: 1 });
      const after = await index.search({ text: 'magnesium adults placebo iron', limit: 10 });
      sameAnswer(after, before);
    });

    it('ignores removed and replaced documents in its word counts', async () => {
      await index.apply({ remove: ['iron-anaemia'], upsert: [evidence('curcumin', 'Zinc', 'Colds.')], revision: 2 });
      const words = new Map(index.words());
      assert.equal(words.get('adults'), 2);
      assert.equal(words.get('anaemia'), undefined);
    });

    it('finds documents by misspelled, truncated and lengthened words', async () => {
      assert.equal((await idsOf('triglycerydes'))[0], 'omega-3-triglycerides');
      assert.equal((await idsOf('osteoarth'))[0], 'curcumin');
      assert.equal((await idsOf('antiprophylaxis'))[0], 'magnesium-migraine');
      const [hit] = (await index.search({ text: 'osteoarth', limit: 1 })).hits;
      assert.deepEqual([hit?.reasons, hit?.matched], [['ngram'], []]);
    });

    it('returns nothing for letters that no word shares', async () => {
      for (const text of ['qxzvw', 'zzzzzzzz', '日本語']) {
        assert.deepEqual((await index.search({ text, limit: 10 })).hits, [], text);
      }
    });

    it('ranks a match in the title above a match in the text', async () => {
      const filler = 'Participants were followed for twelve weeks and reported outcomes.';
      const documents = [
        evidence('a-text', 'A trial in participants', `Rhodiola was given. ${filler}`),
        evidence('b-title', 'Rhodiola in participants', `A trial was made. ${filler}`),
      ];
      await index.apply({ upsert: documents, revision: 2 });
      assert.deepEqual(await idsOf('rhodiola'), ['b-title', 'a-text']);
    });

    it('returns the document frequency of a word in any form', () => {
      assert.equal(index.frequency('Migraines'), 1);
      assert.equal(index.frequency('haemoglobin'), index.frequency('hemoglobin'));
      assert.equal(index.frequency('magnesium'), 2);
      assert.equal(index.frequency('zeppelin'), 0);
      assert.equal(index.frequency('???'), 0);
    });

    it('ignores removed documents in a word’s frequency', async () => {
      await index.apply({ remove: ['magnesium-sleep'], revision: 2 });
      assert.equal(index.frequency('magnesium'), 1);
      await index.apply({ remove: ['magnesium-migraine'], revision: 3 });
      assert.equal(index.frequency('magnesium'), 0);
    });

    it('lists its words as written, with their document counts', () => {
      const words = new Map(index.words());
      assert.equal(words.get('magnesium'), 2);
      assert.equal(words.get('anaemia'), 1);
      assert.equal(words.get('prophylaxis'), 1);
      assert.ok(words.size > 40);
      assert.ok([...words].every(([word, documents]) => word !== '' && documents >= 1 && documents <= CORPUS.length));
    });

    it('scores passages by the rarity of the words that they share with a text', () => {
      const scorer = index.scorer('magnesium for migraine in adults');
      const weights = new Map(scorer.terms.map(({ term, weight }) => [term, weight]));
      assert.equal(weights.size, 3);
      assert.ok(
        (weights.get('magnesium') ?? 0) > (weights.get('adult') ?? 0),
        'three of five documents are about adults',
      );
      const whole = scorer.score('In adults magnesium made migraine rarer.');
      const half = scorer.score('Iron was given to adults.');
      assert.ok(Math.abs(whole.coverage - 1) < 1e-9);
      assert.ok(half.coverage > 0 && half.coverage < 0.5);
      assert.deepEqual(half.held, ['adult']);
      assert.equal(scorer.score('Nothing of that.').coverage, 0);
    });

    it('reports the share of the query that its hits cover', async () => {
      const own = await index.search({ text: 'magnesium migraine prophylaxis', limit: 5 });
      const foreign = await index.search({ text: 'adults buying railway carriages on credit', limit: 5 });
      assert.ok(Math.abs((own.coverage ?? 0) - 1) < 1e-9);
      assert.ok((foreign.coverage ?? 1) < 0.4);
    });

    it('returns no similar documents for an unknown id', async () => {
      assert.deepEqual(await index.similar('nobody', { limit: 5 }), []);
    });

    it('is empty and at revision 0 after a clear', async () => {
      await index.clear();
      assert.equal(index.state().documents, 0);
      assert.equal(index.state().revision, 0);
      assert.deepEqual(await idsOf('magnesium'), []);
    });
  });

  describe(`semantic retriever of the search index ${name}`, () => {
    let index: SearchIndex;
    const documents = syntheticDocuments(300);
    const subjectOf = (id: string) => Number(id.slice(4)) % 4;

    before(async () => {
      index = await open();
      await index.apply({ upsert: documents, revision: 1 });
      await index.persist();
    });

    after(async () => {
      await index.clear();
      await index.close();
    });

    it('is ready after a persist with enough documents', () => {
      assert.equal(index.state().semantic, 'ready');
      assert.equal(index.state().documents, 300);
      assert.equal(index.state().revision, 1);
    });

    it('finds documents on the subject without the word', async () => {
      const { hits, total } = await index.search({ text: 'triptan', limit: 300 });
      const further = hits.filter((hit) => hit.reasons.join() === 'semantic');
      assert.ok(further.length > 0);
      assert.ok(further.every((hit) => subjectOf(hit.id) === 0 && hit.matched.length === 0));
      assert.ok(hits.some((hit) => hit.reasons.includes('rrf_primary')));
      assert.ok(total >= hits.length);
    });

    it('returns its hits and facets alone when the conditions leave no word match', async () => {
      const holders = (await index.search({ text: 'triptan', limit: 300 })).hits.filter(
        (hit) => hit.matched.length > 0,
      );
      await index.apply({ remove: holders.map(({ id }) => id), revision: 2 });
      const where = [{ field: 'subject', in: ['magnesium'] }];
      const { hits, facets } = await index.search({ text: 'triptan', limit: 10, where, facets: ['subject'] });
      assert.ok(hits.length > 0 && hits.every((hit) => hit.reasons.join() === 'semantic'));
      assert.deepEqual(Object.keys(facets.subject ?? {}), ['magnesium']);
      await index.apply({ upsert: documents, revision: 3 });
    });

    it('returns the documents most similar to one, without that one, under the given conditions', async () => {
      const hits = await index.similar('doc-00004', { limit: 10, where: [{ field: 'year', from: 2000 }] });
      assert.equal(hits.length, 10);
      assert.ok(hits.every((hit) => subjectOf(hit.id) === 0 && hit.id !== 'doc-00004'));
      assert.ok(hits.every((hit) => 1990 + (Number(hit.id.slice(4)) % 30) >= 2000));
      assert.deepEqual(
        hits.map((hit) => hit.legs[0]?.rank),
        hits.map((_, i) => i + 1),
      );
      assert.ok(hits.every((hit, i) => i === 0 || hit.score <= (hits[i - 1]?.score ?? 0)));
    });

    it('compares passages with a text, and returns null for a passage of unknown words', () => {
      const scorer = index.scorer('magnesium migraine headache aura attack');
      const same = scorer.score('Attacks of headache with aura: migraine, magnesium').cosine;
      const other = scorer.score('curcumin for knee cartilage and joint stiffness').cosine;
      assert.ok(same !== null && Math.abs(same - 1) < 1e-5, String(same));
      assert.ok(other !== null && other < 0.5, String(other));
      assert.equal(scorer.score('zeppelin').cosine, null);
    });
  });
}
