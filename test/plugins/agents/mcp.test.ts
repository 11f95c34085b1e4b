import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { api, bearer, issueKey } from '../../support/client.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

/** Estimates the number of tokens as the budget does: three characters per token. */
const tokensIn = (value: unknown): number => JSON.stringify(value).length / 3;

// biome-ignore lint/suspicious/noExplicitAny: tool results have many shapes
type Content = any;

describe('the MCP server', () => {
  let service: SharedService;
  let key = '';
  const open: Client[] = [];
  before(async () => {
    service = await sharedService();
    key = (await issueKey(service, service.admin)).key;
  });
  after(async () => {
    for (const client of open) await client.close();
  });

  const connect = async (given = key): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1' });
    const headers: Record<string, string> = given ? { Authorization: `Bearer ${given}` } : {};
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }),
    );
    open.push(client);
    return client;
  };
  const call = async (name: string, given: Record<string, unknown>, client?: Client): Promise<Content> => {
    const reply = await (client ?? (await connect())).callTool({ name, arguments: given });
    assert.ok(!reply.isError, JSON.stringify(reply.content));
    assert.ok(
      tokensIn(reply.structuredContent) <= 4_000,
      `${name} answers ${tokensIn(reply.structuredContent)} tokens`,
    );
    assert.deepEqual(JSON.parse((reply.content as { text: string }[])[0]?.text ?? ''), reply.structuredContent);
    return reply.structuredContent;
  };
  const failing = async (name: string, given: Record<string, unknown>, client?: Client): Promise<Content> => {
    const reply = await (client ?? (await connect())).callTool({ name, arguments: given });
    assert.equal(reply.isError, true);
    return JSON.parse((reply.content as { text: string }[])[0]?.text ?? '');
  };

  it('lists eight read-only tools, each with an input schema and an output schema', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      [
        'search_evidence',
        'get_source',
        'list_findings',
        'check_interactions',
        'get_supplement',
        'search_products',
        'get_product',
        'ask',
      ],
    );
    for (const { annotations, inputSchema, outputSchema, description } of tools) {
      assert.equal(annotations?.readOnlyHint, true);
      assert.equal(inputSchema.type, 'object');
      assert.ok(outputSchema?.properties && Object.keys(outputSchema.properties).includes('truncated'));
      assert.ok((description ?? '').length > 40);
    }
    assert.match(client.getInstructions() ?? '', /never safe/);
    assert.ok(tokensIn(tools) < 12_000, `the list has ${tokensIn(tools)} tokens`);
  });

  it('finds sources, returns a second page without repeats, and reads one source', async () => {
    const first = await call('search_evidence', { query: 'magnesium sleep', limit: 3 });
    assert.equal(first.results.length, 3);
    assert.ok(first.results.every((hit: Content) => 'ABCD'.includes(hit.quality_tier) && hit.why.length));
    assert.equal(first.next.tool, 'search_evidence');
    const second = await call('search_evidence', first.next.arguments);
    const ids = [...first.results, ...second.results].map(({ source_id }: Content) => source_id);
    assert.equal(new Set(ids).size, ids.length, 'no source comes twice');
    const source = await call('get_source', { source_id: ids[0] });
    assert.equal(source.source_id, ids[0]);
    assert.ok(source.abstract_or_summary.length > first.results[0].summary.length - 2);
  });

  it('lists findings with their figures page by page, without repeats', async () => {
    const first = await call('list_findings', { supplement: 'melatonin', limit: 4 });
    assert.equal(first.findings.length, 4);
    assert.ok(first.total > 4);
    for (const one of first.findings) {
      assert.ok(one.supplements.includes('melatonin') && one.population && one.summary && one.title);
      assert.match(one.source, /^(pmid|doi):/);
      assert.match(one.source_url, /^https:\/\/(pubmed\.ncbi\.nlm\.nih\.gov|doi\.org)\//);
    }
    assert.equal(first.next.tool, 'list_findings');
    const second = await call('list_findings', first.next.arguments);
    const ids = [...first.findings, ...second.findings].map(({ id }: Content) => id);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('filters findings by condition, direction and certainty, and returns none for an unknown supplement', async () => {
    const ill = await call('list_findings', { condition: 'depression', direction: 'better', limit: 12 });
    assert.ok(ill.findings.length > 0);
    assert.ok(ill.findings.every(({ direction }: Content) => direction === 'better'));
    const children = await call('list_findings', { people: 'children', certainty: 'moderate' });
    assert.ok(children.findings.every(({ certainty }: Content) => certainty === 'moderate'));
    const none = await call('list_findings', { supplement: 'unobtainium' });
    assert.deepEqual([none.findings, none.total, none.next], [[], 0, null]);
  });

  it('keeps each search result within the token budget, and returns every source across the pages', async () => {
    const seen = new Set<string>();
    let given: Record<string, unknown> | null = { query: 'magnesium', limit: 20 };
    let isCut = false;
    for (let page = 0; given && page < 20; page += 1) {
      const found: Content = await call('search_evidence', given);
      isCut ||= found.results.length < 20;
      for (const { source_id } of found.results) {
        assert.ok(!seen.has(source_id));
        seen.add(source_id);
      }
      if (found.next) assert.equal(found.truncated, true);
      given = found.next?.arguments ?? null;
    }
    const { body } = await api(service)
      .get('/v1/evidence/search?q=magnesium&top_k=50&fields=pmid')
      .set(...bearer(key))
      .expect(200);
    assert.ok(isCut, 'twenty sources do not fit');
    for (const { source_id } of body.results) assert.ok(seen.has(source_id), `${source_id} was left out`);
  });

  it('checks a stack, lists the most severe finding first, and never calls a pair without a record safe', async () => {
    const found = await call('check_interactions', {
      supplements: ["St John's wort", 'magnesium', 'blorbex'],
      drugs: ['warfarin', 'sertraline'],
    });
    assert.ok(['contraindicated', 'major'].includes(found.worst));
    assert.equal(found.findings[0].severity, found.worst);
    assert.ok(found.findings[0].sources.length > 0 && found.findings[0].recommendation);
    assert.deepEqual(
      found.unresolved.map(({ input }: Content) => input),
      ['blorbex'],
    );
    assert.deepEqual(found.not_covered, ['warfarin × sertraline']);
    assert.match(found.message, /not mean/);
    const none = await call('check_interactions', { supplements: ['magnesium'], drugs: ['paracetamol'] });
    assert.equal(none.findings.length + none.no_record.length, 1);
    assert.match(none.message, /not mean/);
  });

  it('truncates a large stack, reports the omitted counts, and sorts the findings by severity', async () => {
    const supplements = [
      "st john's wort",
      'ginkgo',
      'garlic',
      'ginger',
      'turmeric',
      'fish oil',
      'magnesium',
      'iron',
      'zinc',
    ];
    const drugs = ['warfarin', 'sertraline', 'levothyroxine', 'digoxin', 'ciclosporin', 'metformin', 'simvastatin'];
    const found = await call('check_interactions', { supplements, drugs });
    assert.equal(found.truncated, true);
    assert.ok(found.left_out.some((line: string) => /^\/\w+: \d+ of \d+$/.test(line)));
    const order = ['contraindicated', 'major', 'moderate', 'minor', 'unknown'];
    const ranks = found.findings.map(({ severity }: Content) => order.indexOf(severity));
    assert.deepEqual(
      ranks,
      ranks.toSorted((a: number, b: number) => a - b),
    );
    assert.ok(found.counts.found > found.findings.length);
  });

  it('describes a supplement in parts, resolves a misspelled name, and warns about a banned substance', async () => {
    const overview = await call('get_supplement', { name: 'ashwaganda' });
    assert.equal(overview.slug, 'ashwagandha');
    assert.ok(overview.answer && overview.outcomes.length);
    const safety = await call('get_supplement', overview.next.arguments);
    assert.equal(safety.part, 'safety');
    assert.ok(safety.entries.length > 0);
    const unknown = await failing('get_supplement', { name: 'blorbex' });
    assert.equal(unknown.code, 'not_found');
    assert.ok(Array.isArray(unknown.did_you_mean));
    assert.match((await failing('get_supplement', { name: 'ephedra' })).warning, /\w/);
  });

  it('finds products and shows one with its evidence', async () => {
    const found = await call('search_products', { supplement: 'magnesium', limit: 4 });
    assert.equal(found.products.length, 4);
    const [{ dsld_id, name }] = found.products;
    const card = await call('get_product', { dsld_id });
    assert.equal(card.name, name);
    assert.ok(card.evidence.some(({ supplement_slug }: Content) => supplement_slug === 'magnesium'));
    const next = await call('search_products', found.next.arguments);
    assert.notEqual(next.products[0].dsld_id, dsld_id);
    assert.equal((await failing('get_product', {})).code, 'validation_failed');
    assert.equal((await failing('get_product', { barcode: '12345' })).code, 'validation_failed');
  });

  it('answers a question with citations, and refuses an emergency', async () => {
    const answer = await call('ask', { question: 'Does magnesium help people sleep?' });
    assert.equal(answer.status, 'answered');
    assert.ok(answer.citations.length && /\[1\]/.test(answer.answer));
    const refused = await call('ask', { question: 'I have chest pain and cannot breathe, should I take magnesium?' });
    assert.equal(refused.status, 'refused');
    assert.match(refused.refusal.emergency, /\w/);
  });

  it('serves public tools without a key, requires a key for the others, and rejects an invalid key', async () => {
    const client = await connect('');
    const found = await call('check_interactions', { supplements: ['ginkgo'], drugs: ['warfarin'] }, client);
    assert.equal(found.counts.found, 1);
    const refused = await failing('search_evidence', { query: 'zinc' }, client);
    assert.deepEqual([refused.code, refused.status], ['missing_api_key', 401]);
    await assert.rejects(connect('ekb_live_wrong'), /401|Invalid API key/);
  });

  it('counts a call against the quota of the key once, and rejects calls after the quota is used up', async () => {
    const small = await issueKey(service, service.admin, { daily_limit: 100, rpm_limit: 100 });
    const used = async (): Promise<number> =>
      (
        await api(service)
          .get('/api/keys/me')
          .set(...bearer(small.key))
          .expect(200)
      ).body.usage.day.used;
    const client = await connect(small.key);
    const before = await used();
    await call('search_evidence', { query: 'zinc' }, client);
    assert.equal((await used()) - before, 2, 'the tool, and asking for the usage');
    const tiny = await issueKey(service, service.admin, { daily_limit: 3, rpm_limit: 100 });
    await assert.rejects(async () => {
      const other = await connect(tiny.key);
      for (let n = 0; n < 4; n += 1) await other.callTool({ name: 'search_evidence', arguments: { query: 'zinc' } });
    }, /429|quota|exceeded/i);
  });

  it('applies the rate limit of the ask endpoint to the ask tool', async () => {
    const client = await connect((await issueKey(service, service.admin)).key);
    let last: Content = {};
    for (let n = 0; n < 12 && last.code !== 'quota_exceeded'; n += 1) {
      const reply = await client.callTool({ name: 'ask', arguments: { question: `Is zinc number ${n} useful?` } });
      last = reply.isError ? JSON.parse((reply.content as { text: string }[])[0]?.text ?? '{}') : {};
    }
    assert.equal(last.code, 'quota_exceeded');
    assert.ok(last.retry_after > 0);
  });

  it('treats empty strings as absent, and names an invalid argument or an unknown tool', async () => {
    const client = await connect();
    const found = await call(
      'search_evidence',
      { query: 'zinc', supplement: '', min_quality_tier: '', cursor: '' },
      client,
    );
    assert.ok(found.results.length);
    const wrong = await client.callTool({ name: 'search_evidence', arguments: { query: 'zinc', limit: 900 } }).then(
      (reply) => JSON.stringify(reply),
      (error: Error) => error.message,
    );
    assert.match(wrong, /limit/);
    const unknown = await client.callTool({ name: 'drop_tables', arguments: {} }).then(
      (reply) => JSON.stringify(reply),
      (error: Error) => error.message,
    );
    assert.match(unknown, /drop_tables/);
  });

  it('supports clients of protocol version 2025-06-18', async () => {
    const post = (message: object) =>
      api(service)
        .post('/mcp')
        .set(...bearer(key))
        .set('Accept', 'application/json, text/event-stream')
        .send(message);
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } };
    const hello = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params }).expect(200);
    assert.match(hello.text, /"protocolVersion":"2025-06-18"/);
    const said = await post({ jsonrpc: '2.0', method: 'notifications/initialized' }).expect(202);
    assert.equal(said.text, '');
    const arguments_ = { supplements: ['ginkgo'], drugs: ['warfarin'] };
    const message = {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'check_interactions', arguments: arguments_ },
    };
    const { text } = await post(message).set('MCP-Protocol-Version', '2025-06-18').expect(200);
    assert.match(text, /"severity"/);
  });

  it('rejects subscriptions/listen without opening a stream', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const { text } = await api(service)
      .post('/mcp')
      .set(...bearer(key))
      .set({ Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2026-07-28' })
      .set({ 'Mcp-Method': 'subscriptions/listen' })
      .send({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { _meta: meta, notifications: {} } })
      .timeout(5_000);
    assert.match(text, /"error"/);
  });

  it('rejects malformed messages, batches, unknown methods, GET and cross-site requests', async () => {
    const post = (body: string, type = 'application/json') =>
      api(service)
        .post('/mcp')
        .set(...bearer(key))
        .set('Content-Type', type)
        .set('Accept', 'application/json, text/event-stream')
        .send(body);
    assert.equal((await post('{"jsonrpc": ').expect(422)).body.code, 'malformed_json');
    assert.equal(
      (await post('[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]').expect(422)).body.code,
      'validation_failed',
    );
    await post('{"jsonrpc":"2.0","id":1,"method":7}').expect(422);
    assert.match((await post('{"jsonrpc":"2.0","id":1,"method":"no/such"}')).text, /"code":-32601/);
    await api(service).get('/mcp').expect(405).expect('Allow', 'POST');
    const foreign = await api(service)
      .post('/mcp')
      .set('Origin', 'https://evil.example')
      .send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      .expect(403);
    assert.equal(foreign.body.code, 'cross_site_request');
  });
});
