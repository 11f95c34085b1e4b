/** Tests the requests and bytes of a search on a Qdrant stand-in, which says nothing about a real server’s speed. */
import assert from 'node:assert/strict';
import type { SearchIndex } from '#core/search/port.ts';
import { QdrantConnection } from '#core/search/qdrant/connection.ts';
import { openQdrantIndex } from '#core/search/qdrant/qdrant-index.ts';
import { QdrantStandIn } from '../../support/qdrant-stand-in.ts';
import { syntheticDocuments } from './synthetic.ts';

const QUERIES = ['placebo for the knee', 'iron dose in adults', 'gut microbiota outcome', 'migraine attack trial'];

/** Counts steps: a step is a request, or several parallel ones, that the next step waits for. */
class CountingConnection extends QdrantConnection {
  static steps = 0;
  private pending = 0;

  override async ask<T>(work: Parameters<QdrantConnection['ask']>[0]): Promise<T> {
    if (this.pending === 0) CountingConnection.steps += 1;
    this.pending += 1;
    try {
      return (await super.ask(work)) as T;
    } finally {
      this.pending -= 1;
    }
  }
}

describe('traffic of searches on Qdrant', () => {
  const server = new QdrantStandIn();
  let writer: SearchIndex;
  let reader: SearchIndex;

  const open = () => {
    const connection = new CountingConnection({ url: server.url, apiKey: '' }, { searchMs: 60_000, writeMs: 120_000 });
    return openQdrantIndex({ connection, name: 'traffic', fields: { title: 3, abstract: 1 }, embedder: null });
  };
  const trafficOf = async (index: SearchIndex, text: string) => {
    server.requests.length = 0;
    server.bytesSent = 0;
    CountingConnection.steps = 0;
    const { hits } = await index.search({ text, limit: 10 });
    const asked = server.requests.filter(({ path }) => !/\/(count|facet)$/.test(path));
    return { hits, asked, bytes: server.bytesSent, steps: CountingConnection.steps };
  };
  const listsOf = (asked: Awaited<ReturnType<typeof trafficOf>>['asked']) =>
    asked.flatMap(
      ({ body }) => (body as { searches?: { with_payload: unknown; with_vector: unknown }[] })?.searches ?? [],
    );

  // There are more documents than a list contains, so that every list is truncated.
  before(async function () {
    this.timeout(400_000);
    await server.start();
    writer = await open();
    await writer.apply({ upsert: syntheticDocuments(1_200), revision: 1 });
    await writer.persist();
    reader = await open();
  });
  after(async () => {
    await writer.close();
    await reader.close();
    await server.stop();
  });

  it('is at most four steps and less than 190 kB when every list is truncated', async () => {
    for (const text of QUERIES) {
      const { hits, asked, bytes, steps } = await trafficOf(writer, text);
      assert.equal(hits.length, 10);
      const told = `${text}: ${steps} steps, ${asked.length} requests, ${bytes} bytes`;
      assert.ok(steps <= 4, told);
      assert.ok(bytes < 190_000, told);
    }
  });

  it('contains no payload and no vectors in lists of candidates', async () => {
    const { asked } = await trafficOf(writer, 'placebo for the knee');
    const lists = listsOf(asked);
    assert.ok(lists.length >= 6);
    assert.ok(lists.every(({ with_payload, with_vector }) => with_payload === false && with_vector === false));
  });

  it('fetches the ids of another node’s documents only once, and returns the same hits', async () => {
    const [own, first] = [await trafficOf(writer, QUERIES[0]!), await trafficOf(reader, QUERIES[0]!)];
    const again = await trafficOf(reader, QUERIES[0]!);
    assert.deepEqual(first.hits, own.hits);
    assert.deepEqual(again.hits, own.hits);
    assert.ok(first.asked.length > again.asked.length);
    assert.equal(again.asked.length, own.asked.length);
  });
});
