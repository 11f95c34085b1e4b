import assert from 'node:assert/strict';
import { rateAndTimeLeft } from '#core/progress.ts';
import { createEutilities } from '#plugins/evidence/importers/eutilities.ts';
import { type Fetched, fetchRecords } from '#plugins/evidence/pubmed-search/fetch-records.ts';
import { parsePmids } from '#plugins/evidence/pubmed-search/pmid-list.ts';
import { listWhole } from '#plugins/evidence/pubmed-search/whole-result.ts';
import { type Asked, type Fault, PubmedServer } from '../../../bench/pubmed-server.ts';
import { listOf } from './importers/support.ts';
import { madeArticle, zincTrial } from './support.ts';

const numbers = (first: number, count: number): number[] => Array.from({ length: count }, (_, at) => first + at);

describe('the parts of a PubMed search', () => {
  let found: readonly number[] = [];
  let publishedOn: (pmid: number) => string = () => '2021/01/01';
  let enteredOn: (pmid: number) => string = () => '2021/01/01';
  const withdrawn = new Set<number>();
  const pubmed = new PubmedServer({
    article: (pmid) => (withdrawn.has(pmid) ? null : madeArticle(zincTrial(pmid))),
    find: () => found,
    dayOf: (pmid, date) => (date === 'pdat' ? publishedOn(pmid) : enteredOn(pmid)),
  });
  const signal = new AbortController().signal;
  let baseUrl = '';
  before(async () => {
    baseUrl = await pubmed.listen();
  });
  beforeEach(() => {
    pubmed.reset();
    withdrawn.clear();
  });
  after(() => pubmed.close());

  const client = (retries = 1) =>
    createEutilities({ email: 'tests@example.org', apiKey: 'x', baseUrl, pauseSeconds: 0.001, retries });
  const list = () => listWhole(client(), { term: 'zinc' }, signal);
  const fetchAll = (pmids: readonly number[]): Promise<Fetched[]> =>
    listOf(fetchRecords(client(), pmids.map(String), signal));
  const pmidsOf = (events: readonly Fetched[], type: Fetched['type']): number[] =>
    events.flatMap((event) => (event.type === type ? [Number(event.pmid)] : [])).sort((a, b) => a - b);

  it('lists a result of 9,999 records with one request', async () => {
    found = numbers(1, 9_999);
    const { pmids, ...rest } = await list();
    assert.deepEqual(rest, { found: 9_999, unlisted: 0 });
    assert.equal(new Set(pmids).size, 9_999);
    assert.equal(pubmed.asked.length, 1);
  });

  it('splits a larger result by day of publication without omitting any record', async () => {
    found = numbers(1, 25_000);
    publishedOn = (pmid) => `${1990 + (pmid % 30)}/0${1 + (pmid % 9)}/15`;
    const { pmids, ...rest } = await list();
    assert.deepEqual(rest, { found: 25_000, unlisted: 0 });
    assert.deepEqual(
      pmids.map(Number).sort((a, b) => a - b),
      found,
    );
  });

  it('splits a single day of publication by the day on which records were entered', async () => {
    found = numbers(1, 21_000);
    publishedOn = () => '2020/01/01';
    enteredOn = (pmid) => `2020/0${1 + (pmid % 9)}/01`;
    const { pmids, ...rest } = await list();
    assert.deepEqual(rest, { found: 21_000, unlisted: 0 });
    assert.equal(new Set(pmids).size, 21_000);
  });

  it('returns the number of unlisted records when no date splits a result', async () => {
    found = numbers(1, 12_000);
    publishedOn = enteredOn = () => '2020/01/01';
    assert.deepEqual({ ...(await list()), pmids: [] }, { found: 12_000, pmids: [], unlisted: 2_001 });
  });

  it('posts a long list in parts of 5,000, and fetches it in pages of 200', async () => {
    const events = await fetchAll(numbers(99100000, 5_300));
    assert.deepEqual(pmidsOf(events, 'fetched'), numbers(99100000, 5_300));
    assert.deepEqual(
      pubmed.to('epost').map(({ params }) => params.get('id')?.split(',').length),
      [5_000, 300],
    );
    assert.equal(pubmed.to('efetch').length, 27);
  });

  it('skips only the record that NCBI cannot send', async () => {
    const poison = 99100123;
    pubmed.faultFor = (asked: Asked): Fault | undefined =>
      asked.utility === 'efetch' && pubmed.pagePmids(asked).includes(poison) ? { status: 500 } : undefined;
    const events = await fetchAll(numbers(99100000, 450));
    assert.equal(pmidsOf(events, 'fetched').length, 449);
    assert.deepEqual(
      events.filter(({ type }) => type === 'missing'),
      [{ type: 'missing', pmid: String(poison), reason: 'NCBI answered 500' }],
    );
  });

  it('requests a PMID twice when PubMed sends no record, then reports it as missing', async () => {
    withdrawn.add(99100001);
    const events = await fetchAll(numbers(99100000, 3));
    assert.deepEqual(pmidsOf(events, 'missing'), [99100001]);
    assert.equal(pubmed.to('epost').length, 2);
  });

  it('posts a list again when NCBI loses it, and yields no record twice', async () => {
    let lost = 0;
    pubmed.faultFor = ({ utility, params }) => {
      if (utility !== 'efetch' || params.get('retstart') !== '200' || lost >= 2) return undefined;
      lost += 1;
      return 'lost history';
    };
    const events = await fetchAll(numbers(99100000, 800));
    assert.equal(events.length, 800);
    assert.deepEqual(pmidsOf(events, 'fetched'), numbers(99100000, 800));
  });

  it('rejects with instructions when NCBI fails three times in a row', async () => {
    pubmed.faultFor = ({ utility }) => (utility === 'efetch' ? { status: 503 } : undefined);
    await assert.rejects(
      fetchAll(numbers(99100000, 1_000)),
      /^NcbiAway: NCBI answered 503\. What came in so far is stored\. Run the same command again when NCBI answers/,
    );
  });

  it('parses PMIDs from lines and from the first column of a table', () => {
    assert.deepEqual(
      parsePmids('pmid\tx\n1\ty\n"22"\tz\n# no\n\n3 # a comment\nhttps://pubmed.ncbi.nlm.nih.gov/44/\n1\n'),
      {
        pmids: ['1', '22', '3', '44'],
        wrongLines: [],
      },
    );
    assert.deepEqual(parsePmids('x\n1234567890\n\t5\n').wrongLines, [
      'line 1: "x" is no PMID',
      'line 2: "1234567890" is no PMID',
      'line 3: "" is no PMID',
    ]);
  });

  it('formats the rate of records and the remaining time', () => {
    assert.equal(rateAndTimeLeft(0, 100, 3), '');
    assert.equal(rateAndTimeLeft(10, 100, 5), '2.0 records/s, 45 s left');
    assert.equal(rateAndTimeLeft(4_000, 100_000, 10), '400 records/s, 4 min left');
    assert.equal(rateAndTimeLeft(100, 100_000, 10), '10 records/s, 2.8 h left');
  });
});
