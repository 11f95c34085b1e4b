import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEutilities } from '#plugins/evidence/importers/eutilities.ts';
import { listOf, problemsIn, pubmedArticle, pubmedSet, recordsIn } from './support.ts';

interface Asked {
  readonly utility: string;
  readonly params: URLSearchParams;
  readonly at: number;
}

/** Answers in the format NCBI publishes; all content is made for these tests. */
const searchReply = (count: number, webEnv = 'MCID_made_for_tests'): string =>
  `<?xml version="1.0" encoding="UTF-8" ?>\n<!DOCTYPE eSearchResult PUBLIC "-//NLM//DTD esearch 20060628//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20060628/esearch.dtd">\n<eSearchResult><Count>${count}</Count><RetMax>0</RetMax><RetStart>0</RetStart><QueryKey>1</QueryKey><WebEnv>${webEnv}</WebEnv><IdList/></eSearchResult>`;

describe('E-utilities client', () => {
  let server: Server;
  let asked: Asked[] = [];
  let answer: (asked: Asked, reply: ServerResponse) => void = () => {};
  const signal = new AbortController().signal;

  before((done) => {
    server = createServer(async (request, reply) => {
      const body = Buffer.concat(await listOf(request as AsyncIterable<Buffer>)).toString();
      const one = { utility: request.url ?? '', params: new URLSearchParams(body), at: performance.now() };
      asked.push(one);
      answer(one, reply);
    });
    server.listen(0, '127.0.0.1', done);
  });
  beforeEach(() => {
    asked = [];
  });
  after((done) => {
    server.closeAllConnections();
    server.close(done);
  });

  const client = (more: Partial<Parameters<typeof createEutilities>[0]> = {}) =>
    createEutilities({
      tool: 'made-for-tests',
      email: 'tests@example.org',
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/eutils/`,
      apiKey: 'secret',
      pauseSeconds: 0.01,
      ...more,
    });

  const page = ({ params }: Asked, count: number): string => {
    const start = Number(params.get('retstart'));
    const size = Math.min(Number(params.get('retmax')), count - start);
    return pubmedSet(...Array.from({ length: size }, (_, index) => pubmedArticle(99000200 + start + index)));
  };

  it('searches with history and fetches page by page, naming tool, address and key in the body only', async () => {
    answer = (one, reply) => reply.end(one.utility.includes('esearch') ? searchReply(5) : page(one, 5));
    const search = { term: 'magnesium', from: '2026/01/01', to: '2026/01/31', dateType: 'mdat' as const };
    const events = await listOf(client({ pageSize: 2 }).records(search, signal));
    assert.deepEqual(
      recordsIn(events).map((record) => record.pmid),
      ['99000200', '99000201', '99000202', '99000203', '99000204'],
    );
    assert.equal(events[2]?.at, 'PubMed records 3–4 › record 1');
    assert.deepEqual(
      asked.map((one) => one.utility),
      ['/eutils/esearch.fcgi', ...Array(3).fill('/eutils/efetch.fcgi')],
    );
    const [first, second] = asked;
    assert.deepEqual(
      ['db', 'term', 'usehistory', 'datetype', 'mindate', 'maxdate', 'tool', 'email', 'api_key'].map((name) =>
        first?.params.get(name),
      ),
      ['pubmed', 'magnesium', 'y', 'mdat', '2026/01/01', '2026/01/31', 'made-for-tests', 'tests@example.org', 'secret'],
    );
    assert.deepEqual(
      ['WebEnv', 'query_key', 'retstart', 'retmode'].map((name) => second?.params.get(name)),
      ['MCID_made_for_tests', '1', '0', 'xml'],
    );
  });

  it('begins no more than 3 requests a second without a key, 10 with one', async () => {
    answer = (one, reply) => reply.end(one.utility.includes('esearch') ? searchReply(0) : '');
    const spanOf = async (apiKey?: string): Promise<number> => {
      asked = [];
      const one = client({ apiKey, requestsPerSecond: 100 });
      // From before the first is sent, as it may be long on its way: the last is never begun before its time.
      const startedAt = performance.now();
      await Promise.all([1, 2, 3, 4].map(() => one.esearch({ term: 'x' }, signal)));
      return (asked.at(-1)?.at ?? 0) - startedAt;
    };
    assert.ok((await spanOf()) > 960);
    assert.ok((await spanOf('secret')) > 280);
  });

  it('tries again after 429, 5xx and a broken connection, and waits as long as it is told', async () => {
    const failures = [429, 503, 0];
    answer = (_, reply) => {
      const status = failures.shift();
      if (status === 0) reply.destroy();
      else if (status === 429) reply.writeHead(429, { 'retry-after': '1' }).end('{"error":"API rate limit exceeded"}');
      else if (status !== undefined) reply.writeHead(status).end();
      else reply.end(searchReply(7));
    };
    assert.deepEqual(await client().esearch({ term: 'x' }, signal), {
      count: 7,
      webEnv: 'MCID_made_for_tests',
      queryKey: '1',
    });
    assert.equal(asked.length, 4);
    assert.ok((asked[1]?.at ?? 0) - (asked[0]?.at ?? 0) > 950);
  });

  it('gives up after its retries, at once on a refusal, and never names the key', async () => {
    answer = (_, reply) => reply.writeHead(502).end();
    await assert.rejects(
      client({ retries: 2 }).esearch({ term: 'x' }, signal),
      (error: Error) => /answered 502/.test(error.message) && !/secret/.test(error.message),
    );
    assert.equal(asked.length, 3);
    asked = [];
    answer = (_, reply) => reply.writeHead(400).end();
    await assert.rejects(client().esearch({ term: 'x' }, signal), /answered 400/);
    assert.equal(asked.length, 1);
  });

  it('gives up waiting for a silent server, and when aborted', async () => {
    answer = () => {};
    await assert.rejects(
      client({ retries: 0, timeoutSeconds: 0.1 }).esearch({ term: 'x' }, signal),
      /no whole answer within 0.1 s/,
    );
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await assert.rejects(client().esearch({ term: 'x' }, stop.signal), /enough/);
  });

  it('reports a page that cannot be had and fetches the next', async () => {
    answer = (one, reply) => {
      if (one.utility.includes('esearch')) reply.end(searchReply(6));
      else if (one.params.get('retstart') === '2') reply.end('<!DOCTYPE html><html>Error</html>');
      else if (one.params.get('retstart') === '4') reply.writeHead(500).end();
      else reply.end(page(one, 6));
    };
    const one = client({ pageSize: 2, retries: 1 });
    const events = await listOf(one.efetch(await one.esearch({ term: 'x' }, signal), signal));
    assert.equal(recordsIn(events).length, 2);
    assert.deepEqual(problemsIn(events), [
      'PubMed records 3–4: NCBI answered with something broken or unexpected',
      'PubMed records 5–6: NCBI answered 500',
    ]);
  });

  it('halves the span of days until each part fits into one result', async () => {
    answer = (one, reply) => {
      const [from, to] = [one.params.get('mindate'), one.params.get('maxdate')];
      if (one.utility.includes('efetch')) reply.end(pubmedSet());
      else reply.end(searchReply(from === to ? 1 : 20_000));
    };
    await listOf(client().records({ term: 'x', from: '2026/02/27', to: '2026/03/01' }, signal));
    const spans = asked
      .filter((one) => one.utility.includes('esearch'))
      .map((one) => `${one.params.get('mindate')}-${one.params.get('maxdate')}`);
    assert.deepEqual(spans, [
      '2026/02/27-2026/03/01',
      '2026/02/27-2026/02/28',
      '2026/02/27-2026/02/27',
      '2026/02/28-2026/02/28',
      '2026/03/01-2026/03/01',
    ]);
  });

  it('counts days back from today, with one to spare at both ends', async () => {
    answer = (_, reply) => reply.end(searchReply(0));
    await client().esearch({ term: 'x', days: 3 }, signal);
    const [from, to] = ['mindate', 'maxdate'].map((name) =>
      Date.parse(asked[0]?.params.get(name)?.replaceAll('/', '-') ?? ''),
    );
    assert.equal(((to ?? 0) - (from ?? 0)) / 86_400_000, 5);
    assert.equal(asked[0]?.params.get('datetype'), 'mdat');
  });

  it('passes on what esearch complains about', async () => {
    answer = (_, reply) =>
      reply.end('<eSearchResult><ERROR>Empty term and query_key - nothing todo</ERROR></eSearchResult>');
    await assert.rejects(client().esearch({ term: '' }, signal), /refused the search: Empty term/);
    answer = (_, reply) => reply.end('{"not":"xml"}');
    await assert.rejects(client({ retries: 1 }).esearch({ term: 'x' }, signal), /something broken or unexpected/);
  });
});
