import assert from 'node:assert/strict';
import { createEutilities } from '#plugins/evidence/importers/eutilities.ts';
import { HistoryLost } from '#plugins/evidence/importers/eutilities-answers.ts';
import { type Fault, PubmedServer } from '../../../../bench/pubmed-server.ts';
import { pubmedArticle, recordsIn } from './support.ts';

const PMIDS = [99000200, 99000201, 99000202, 99000203, 99000204];

describe('E-utilities client', () => {
  const pubmed = new PubmedServer({
    article: (pmid) => (PMIDS.includes(pmid) ? pubmedArticle(pmid) : null),
    find: (term) => (term === 'magnesium' ? PMIDS : []),
  });
  const signal = new AbortController().signal;
  let baseUrl = '';

  before(async () => {
    baseUrl = await pubmed.listen();
  });
  beforeEach(() => pubmed.reset());
  after(() => pubmed.close());

  const client = (more: Partial<Parameters<typeof createEutilities>[0]> = {}) =>
    createEutilities({
      tool: 'made-for-tests',
      email: 'tests@example.org',
      baseUrl: `${baseUrl}/`,
      apiKey: 'secret',
      pauseSeconds: 0.01,
      ...more,
    });

  /** Each request receives the next fault until none is left. */
  const failWith = (...faults: readonly Fault[]): void => {
    const coming = [...faults];
    pubmed.faultFor = () => coming.shift();
  };

  it('returns the count and PMIDs of a search, limited to the days on which records changed', async () => {
    const search = { term: 'magnesium', from: '2026/01/01', to: '2026/01/31' };
    const found = await client().esearch(search, 2, signal);
    assert.deepEqual(found, { count: 5, pmids: ['99000204', '99000203'] });
    const [asked] = pubmed.to('esearch');
    assert.deepEqual(
      ['db', 'term', 'datetype', 'mindate', 'maxdate', 'retmax'].map((name) => asked?.params.get(name)),
      ['pubmed', 'magnesium', 'mdat', '2026/01/01', '2026/01/31', '2'],
    );
  });

  it('sets the end of an open date range to tomorrow, because NCBI counts days in its own time zone', async () => {
    await client().esearch({ term: 'magnesium', from: '2026/01/01' }, 0, signal);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10).replaceAll('-', '/');
    assert.equal(pubmed.asked[0]?.params.get('maxdate'), tomorrow);
  });

  it('posts a list and fetches it page by page', async () => {
    const history = await client().epost(PMIDS.map(String), signal);
    assert.deepEqual(history, { webEnv: 'MCID_made_1', queryKey: '1' });
    const pages = [];
    for (const start of [0, 2, 4, 6]) pages.push(await client().efetch(history, { start, size: 2 }, signal));
    assert.deepEqual(
      pages.map((events) => recordsIn(events).map(({ pmid }) => pmid)),
      [['99000204', '99000203'], ['99000202', '99000201'], ['99000200'], []],
    );
    const fetched = pubmed.to('efetch')[1];
    assert.deepEqual(
      ['WebEnv', 'query_key', 'retstart', 'retmax', 'retmode'].map((name) => fetched?.params.get(name)),
      ['MCID_made_1', '1', '2', '2', 'xml'],
    );
  });

  it('sends the tool, e-mail address and API key in the body of each request, never in its URL', async () => {
    await client().esearch({ term: 'magnesium' }, 0, signal);
    await client().epost(['99000200'], signal);
    for (const { params, url } of pubmed.asked) {
      assert.deepEqual(
        ['tool', 'email', 'api_key'].map((name) => params.get(name)),
        ['made-for-tests', 'tests@example.org', 'secret'],
      );
      assert.match(url, /^\/entrez\/eutils\/(?:esearch|epost)\.fcgi$/);
    }
  });

  it('starts at most 3 requests per second without a key and 10 with one', async () => {
    const spanOf = async (apiKey?: string): Promise<number> => {
      pubmed.reset();
      const one = client({ apiKey, requestsPerSecond: 100 });
      // The measurement starts before the first request is sent, because that request may take long to arrive.
      const startedAt = performance.now();
      await Promise.all([1, 2, 3, 4].map(() => one.esearch({ term: 'x' }, 0, signal)));
      return (pubmed.asked.at(-1)?.at ?? 0) - startedAt;
    };
    assert.ok((await spanOf()) > 960);
    assert.ok((await spanOf('secret')) > 280);
  });

  it('retries after 429, 5xx, a dropped connection, a truncated response and a search backend error', async () => {
    failWith(
      { status: 429, headers: { 'retry-after': '1' }, body: '{"error":"API rate limit exceeded"}' },
      { status: 500 },
      { status: 502 },
      'hang up',
      'truncated',
      { status: 200, body: '<eSearchResult><ERROR>Search Backend failed: Timeout</ERROR></eSearchResult>' },
    );
    const { count } = await client({ retries: 6 }).esearch({ term: 'magnesium' }, 0, signal);
    assert.equal(count, 5);
    assert.equal(pubmed.asked.length, 7);
    const [first, second] = pubmed.asked;
    assert.ok((second?.at ?? 0) - (first?.at ?? 0) > 950, 'waits as long as Retry-After says');
  });

  it('waits for a slow response', async () => {
    failWith({ delayMs: 300 });
    assert.equal((await client().esearch({ term: 'magnesium' }, 0, signal)).count, 5);
    assert.equal(pubmed.asked.length, 1);
  });

  it('fails after its retries, and immediately after a 400, and never includes the key in the message', async () => {
    pubmed.faultFor = () => ({ status: 502 });
    await assert.rejects(
      client({ retries: 2 }).esearch({ term: 'x' }, 0, signal),
      (error: Error) => /answered 502/.test(error.message) && !/secret/.test(error.message),
    );
    assert.equal(pubmed.asked.length, 3);
    pubmed.reset();
    pubmed.faultFor = () => ({ status: 400 });
    await assert.rejects(client().esearch({ term: 'x' }, 0, signal), /answered 400/);
    assert.equal(pubmed.asked.length, 1);
  });

  it('rejects when a server does not respond within the timeout, or when aborted', async () => {
    pubmed.faultFor = () => ({ delayMs: 5_000 });
    await assert.rejects(
      client({ retries: 0, timeoutSeconds: 0.1 }).esearch({ term: 'x' }, 0, signal),
      /no whole answer within 0.1 s/,
    );
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await assert.rejects(client().esearch({ term: 'x' }, 0, stop.signal), /enough/);
  });

  it('aborts a retry delay with the reason of the abort', async () => {
    pubmed.faultFor = () => ({ status: 503 });
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('enough')), 100);
    await assert.rejects(client({ pauseSeconds: 60 }).esearch({ term: 'x' }, 0, stop.signal), /^Error: enough$/);
  });

  it('throws HistoryLost for an expired list without a retry', async () => {
    const history = await client().epost(['99000200'], signal);
    pubmed.reset();
    failWith('lost history');
    await assert.rejects(client().efetch(history, { start: 0, size: 2 }, signal), HistoryLost);
    assert.equal(pubmed.asked.length, 1);
  });

  it('includes the error message of NCBI in its own', async () => {
    await assert.rejects(
      client().esearch({ term: '' }, 0, signal),
      /answered with the error "Empty term and query_key - nothing todo"/,
    );
    pubmed.faultFor = () => ({ status: 200, body: '{"not":"xml"}' });
    await assert.rejects(client({ retries: 1 }).esearch({ term: 'x' }, 0, signal), /something broken or unexpected/);
  });

  it('rejects responses that define XML entities', async () => {
    failWith({ status: 200, body: '<!DOCTYPE x [<!ENTITY a "b">]><eSearchResult><Count>1</Count></eSearchResult>' });
    await assert.rejects(client().esearch({ term: 'x' }, 0, signal), /XML that defines entities/);
  });
});
