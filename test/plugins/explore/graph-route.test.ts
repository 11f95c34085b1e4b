import { strict as assert } from 'node:assert';
import { gunzipSync } from 'node:zlib';
import { rawRequest } from '../../support/raw-http.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

interface Answer {
  readonly nodes: readonly {
    readonly id: string;
    readonly type: string;
    readonly degree: number;
    readonly label: string;
  }[];
  readonly edges: readonly Record<string, unknown>[];
  readonly generated_at: string;
  readonly truncated: unknown;
}

describe('GET /graph-data', () => {
  let service: SharedService;
  const get = async (query = '') => {
    const reply = await fetch(`${service.url}/graph-data${query}`);
    return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Answer };
  };
  before(async function () {
    this.timeout(180_000);
    service = await sharedService();
  });

  it('returns nodes, edges, the time of generation and the truncation', async () => {
    const { status, body } = await get();
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['nodes', 'edges', 'generated_at', 'truncated']);
    assert.ok(!Number.isNaN(Date.parse(body.generated_at)));
    const types = new Set(body.nodes.map(({ type }) => type));
    assert.deepEqual([...types].sort(), ['condition', 'drug', 'supplement', 'vertical']);
    assert.ok(body.nodes.length <= 3000);
  });

  it('returns only edges between its nodes, and the degree of each node', async () => {
    const { nodes, edges } = (await get()).body;
    const degrees = new Map(nodes.map(({ id }) => [id, 0]));
    for (const { source, target } of edges) {
      for (const end of [String(source), String(target)]) {
        assert.ok(degrees.has(end), end);
        degrees.set(end, (degrees.get(end) ?? 0) + 1);
      }
    }
    assert.deepEqual(new Map(nodes.map(({ id, degree }) => [id, degree])), degrees);
  });

  it('links magnesium to bisphosphonates by severity, and to insomnia by sources and outcome', async () => {
    const { edges } = (await get('?around=supplement:magnesium')).body;
    const drug = edges.find(({ target }) => target === 'drug:alendronate');
    assert.deepEqual(
      { type: drug?.type, severity: drug?.severity, weight: drug?.weight },
      { type: 'interaction', severity: 'major', weight: 4 },
    );
    const condition = edges.find(({ target, type }) => target === 'condition:insomnia' && type === 'evidence');
    assert.deepEqual(condition?.via, ['Sleep']);
    assert.match(String(condition?.tier), /^[ABCD]$/);
  });

  it('filters by type, name, neighbourhood and count', async () => {
    const typed = (await get('?type=supplement,condition')).body;
    assert.deepEqual([...new Set(typed.nodes.map(({ type }) => type))].sort(), ['condition', 'supplement']);
    const near = (await get('?around=drug:warfarin')).body;
    assert.ok(near.nodes.some(({ id }) => id === 'supplement:ginkgo'));
    assert.ok(near.nodes.length < typed.nodes.length + 200);
    const named = (await get('?q=warfarin&type=drug')).body;
    assert.ok(named.nodes.some(({ id }) => id === 'drug:warfarin'));
    const few = (await get('?limit=10')).body;
    assert.equal(few.nodes.length, 10);
    assert.notEqual(few.truncated, null);
  });

  it('returns 404 for an unknown node and 422 for an invalid type or depth', async () => {
    assert.equal((await fetch(`${service.url}/graph-data?around=supplement:nothing`)).status, 404);
    assert.equal((await fetch(`${service.url}/graph-data?type=planet`)).status, 422);
    assert.equal((await fetch(`${service.url}/graph-data?around=drug:warfarin&depth=3`)).status, 422);
  });

  it('is compressed for clients that accept gzip, with a Vary header', async () => {
    const packed = await rawRequest(`${service.url}/graph-data`, { headers: { 'Accept-Encoding': 'gzip' } });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.equal(packed.headers.vary, 'Accept-Encoding');
    const plain = await rawRequest(`${service.url}/graph-data`, { headers: { 'Accept-Encoding': 'gzip;q=0' } });
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.ok(packed.body.length * 5 < plain.body.length);
  });

  it('returns 304 without a body for a matching ETag', async () => {
    const etag = (await get()).headers.get('etag') ?? '';
    assert.match(etag, /^W\/"/);
    const again = await rawRequest(`${service.url}/graph-data`, { headers: { 'If-None-Match': etag } });
    assert.equal(again.status, 304);
    assert.equal(again.body.length, 0);
    assert.equal(
      (await rawRequest(`${service.url}/graph-data?type=drug`, { headers: { 'If-None-Match': etag } })).status,
      200,
    );
  });

  it('allows any origin, and serves the drawing library from the same host', async () => {
    assert.equal((await get()).headers.get('access-control-allow-origin'), '*');
    const library = await fetch(`${service.url}/graph/assets/cytoscape.min.js`);
    assert.equal(library.status, 200);
    assert.match(library.headers.get('content-type') ?? '', /^text\/javascript/);
    const packed = await rawRequest(`${service.url}/graph/assets/cytoscape.min.js`, {
      headers: { 'Accept-Encoding': 'gzip' },
    });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.equal(gunzipSync(packed.body).toString(), await library.text());
    assert.equal((await fetch(`${service.url}/graph/assets/package.json`)).status, 404);
  });
});
