import assert from 'node:assert/strict';
import { AppError, OperatorError } from '#core/errors.ts';
import type { Embedder } from '#core/models/port.ts';
import type { SearchIndex } from '#core/search/port.ts';
import { QdrantConnection } from '#core/search/qdrant/connection.ts';
import { openQdrantIndex } from '#core/search/qdrant/qdrant-index.ts';
import { QdrantStandIn } from '../../support/qdrant-stand-in.ts';
import { type MadeEmbedder, madeEmbedder } from './made-embedder.ts';
import { syntheticDocuments } from './synthetic.ts';

const fields = { title: 3, abstract: 1 };
const documents = syntheticDocuments(240);
const timeouts = { searchMs: 400, writeMs: 2_000 };

const isReduced = (error: unknown) =>
  error instanceof AppError && error.code === 'reduced_capacity' && error.status === 503;

describe('Qdrant index on a stand-in', () => {
  let server: QdrantStandIn;
  const opened: SearchIndex[] = [];

  const open = async (options: { weights?: Record<string, number>; embedder?: Embedder; apiKey?: string } = {}) => {
    const connection = new QdrantConnection({ url: server.url, apiKey: options.apiKey ?? '' }, timeouts);
    const embedder = options.embedder ?? null;
    const index = await openQdrantIndex({ connection, name: 'papers', fields: options.weights ?? fields, embedder });
    opened.push(index);
    return index;
  };

  const bodiesOf = (method: string, path: RegExp) =>
    server.requests
      .filter((request) => request.method === method && path.test(request.path))
      .map(({ body }) => body ?? {});

  const isDocuments = (name: string) => !name.endsWith('-meta');

  beforeEach(async () => {
    server = new QdrantStandIn();
    await server.start();
  });

  afterEach(async () => {
    server.fault = () => null;
    for (const index of opened.splice(0)) await index.close();
    await server.stop();
  });

  describe('at the start', () => {
    const refuses = (pattern: RegExp, apiKey = '') =>
      assert.rejects(open({ apiKey }), (error) => error instanceof OperatorError && pattern.test(error.message));

    it('reports in one sentence that no server replies', async () => {
      server.fault = () => 502;
      await refuses(/^QDRANT_URL: no Qdrant server answers at http:\S+ \(502\)\.$/);
      await server.stop();
      const connection = new QdrantConnection({ url: 'http://127.0.0.1:9', apiKey: '' }, timeouts);
      await assert.rejects(connection.check(), /^OperatorError: QDRANT_URL: no Qdrant server answers at http:.+:9 /);
      await server.start();
    });

    it('rejects a server that is too old or of a later major version', async () => {
      for (const version of ['1.15.4', '0.11.0', '2.0.0']) {
        server.version = version;
        await refuses(/is Qdrant \d+\.\d+\.\d+; 1\.16 or a later 1\.x is needed/);
      }
      server.version = '1.16.0';
      await open();
    });

    it('reports a rejected key, and sends the right one with every request', async () => {
      server.apiKey = 'secret';
      await refuses(/^QDRANT_API_KEY: .* does not let us in \(401\)\.$/, 'wrong');
      const index = await open({ apiKey: 'secret' });
      await index.apply({ upsert: documents.slice(0, 3), revision: 1 });
      assert.equal(index.state().documents, 3);
    });
  });

  describe('when the server fails', () => {
    it('rejects searches with reduced_capacity, and recovers by itself', async () => {
      const index = await open();
      await index.apply({ upsert: documents.slice(0, 20), revision: 1 });
      for (const fault of [503, 500, 429, 'hang'] as const) {
        server.fault = () => fault;
        await assert.rejects(index.search({ text: 'migraine', limit: 5 }), isReduced, String(fault));
      }
      await assert.rejects(index.apply({ revision: 2 }), isReduced);
      server.fault = () => null;
      assert.ok((await index.search({ text: 'migraine', limit: 5 })).hits.length > 0);
    });

    it('retries a search once, and a change more often', async () => {
      const index = await open();
      let failing = 0;
      server.fault = ({ path }) => (/query\/batch|\/points$/.test(path) && failing-- > 0 ? 503 : null);
      failing = 3;
      await index.apply({ upsert: documents.slice(0, 20), revision: 1 });
      failing = 1;
      assert.ok((await index.search({ text: 'migraine', limit: 5 })).hits.length > 0);
    });

    it('does not retry a request that the server rejects as invalid', async () => {
      const index = await open();
      let asked = 0;
      server.fault = ({ path }) => {
        if (!path.endsWith('/query/batch')) return null;
        asked++;
        return 400;
      };
      await assert.rejects(index.search({ text: 'migraine', limit: 5 }), (error) => !isReduced(error));
      assert.equal(asked, 1);
    });

    it('keeps its revision until all points are acknowledged, and catches up when the change is applied again', async () => {
      const index = await open();
      await index.apply({ upsert: documents.slice(0, 50), revision: 1 });
      let upserts = 0;
      server.fault = ({ method, path }) =>
        method === 'PUT' && path.endsWith('/points') && !path.includes('-meta/') && ++upserts > 1 ? 500 : null;
      const change = { upsert: syntheticDocuments(600).slice(20), remove: ['doc-00001'], revision: 2 };
      await assert.rejects(index.apply(change), isReduced);
      assert.equal(index.state().revision, 1);
      server.fault = () => null;
      const restarted = await open();
      assert.equal(restarted.state().revision, 1);
      await restarted.apply(change);
      assert.equal(restarted.state().revision, 2);
      assert.equal(restarted.state().documents, 599);
      const fresh = new QdrantStandIn();
      await fresh.start();
      const connection = new QdrantConnection({ url: fresh.url, apiKey: '' });
      const other = await openQdrantIndex({ connection, name: 'papers', fields, embedder: null });
      await other.apply({ upsert: documents.slice(0, 50), revision: 1 });
      await other.apply(change);
      const query = { text: 'knee cartilage trial', limit: 20 };
      assert.deepEqual(await restarted.search(query), await other.search(query));
      await other.close();
      await fresh.stop();
    });
  });

  describe('shared by several nodes', () => {
    it('is loaded unchanged by a node that starts', async () => {
      const index = await open();
      await index.apply({ upsert: documents, revision: 7 });
      await index.persist();
      const other = await open();
      assert.deepEqual(other.state(), index.state());
      assert.equal(other.state().semantic, 'ready');
      for (const text of ['migraine triptan', 'knee pain']) {
        assert.deepEqual(await other.search({ text, limit: 20 }), await index.search({ text, limit: 20 }));
        assert.deepEqual(other.scorer(text).score('turmeric'), index.scorer(text).score('turmeric'));
      }
    });

    it('is written by one node, and another with the same change reuses the result', async () => {
      const [one, two] = [await open(), await open()];
      const change = { upsert: documents, revision: 3 };
      await Promise.all([one.apply(change), two.apply(change)]);
      assert.deepEqual(two.state(), one.state());
      assert.equal(two.frequency('migraine'), one.frequency('migraine'));
      const points = bodiesOf('PUT', /papers-\w+-\d+\/points$/).flatMap((body) => body.points as unknown[]);
      assert.equal(points.length, documents.length);
    });

    it('searches the new collection after another node has replaced it', async () => {
      const [one, two] = [await open(), await open()];
      await one.apply({ upsert: documents, revision: 3 });
      await two.apply({ upsert: documents, revision: 3 });
      await one.persist();
      const query = { text: 'triptan', limit: 30 };
      assert.deepEqual(await two.search(query), await one.search(query));
      assert.equal(two.state().version, one.state().version);
      assert.ok((await two.similar('doc-00000', { limit: 3 })).length === 3);
    });

    it('starts over with the node that cleared it, without losing anything', async () => {
      const [one, two] = [await open(), await open()];
      for (const index of [one, two]) await index.apply({ upsert: documents.slice(0, 30), revision: 3 });
      await one.clear();
      // The feed does the same: it applies changes from the revision of the index until nothing is new.
      await two.apply({ upsert: documents.slice(30, 40), revision: 4 });
      assert.equal(two.state().revision, 0);
      await two.apply({ upsert: documents.slice(0, 40), revision: 4 });
      assert.equal(two.state().documents, 40);
      await one.apply({ upsert: documents.slice(0, 40), revision: 4 });
      assert.deepEqual(one.state(), two.state());
    });

    it('waits for the lease of another writer, and takes over an expired one', async () => {
      const index = await open();
      const meta = [...server.collections].find(([name]) => !isDocuments(name))![1].points;
      meta.set(2, { id: 2, vector: {}, payload: { owner: 'another node', until: Date.now() + 700 } });
      const startedAt = Date.now();
      await index.apply({ upsert: documents.slice(0, 3), revision: 1 });
      assert.ok(Date.now() - startedAt >= 600);
      assert.equal(index.state().revision, 1);
      assert.equal(meta.has(2), false, 'its own lease is given back');
    });
  });

  describe('with other settings', () => {
    it('fills a new collection next to the old one, and moves the alias in one request at the first persist', async () => {
      const before = await open();
      await before.apply({ upsert: documents.slice(0, 40), revision: 5 });
      await before.persist();
      const old = server.aliases.get('papers');
      const after = await open({ weights: { title: 5, abstract: 1 } });
      assert.equal(after.state().revision, 0);
      await after.apply({ upsert: documents.slice(0, 40), revision: 5 });
      assert.equal(server.aliases.get('papers'), old);
      assert.ok(
        (await before.search({ text: 'migraine', limit: 3 })).hits.length === 3,
        'the old one answers meanwhile',
      );
      server.requests.length = 0;
      await after.persist();
      const moves = bodiesOf('POST', /^\/collections\/aliases$/).map((body) => body.actions as object[]);
      assert.equal(moves.length, 1);
      assert.deepEqual(
        moves[0]?.map((action) => Object.keys(action)[0]),
        ['delete_alias', 'create_alias'],
      );
      const left = [...server.collections.keys()].filter(isDocuments);
      assert.deepEqual(left, [server.aliases.get('papers')]);
      assert.match(left[0]!, /^papers-[0-9a-f]{8}-2$/);
      assert.ok((await after.search({ text: 'migraine', limit: 3 })).hits.length === 3);
    });

    it('continues to fill a collection where a stopped node left off', async () => {
      await (await open()).persist();
      const weights = { title: 5, abstract: 1 };
      await (await open({ weights })).apply({ upsert: documents.slice(0, 10), revision: 2 });
      const again = await open({ weights });
      assert.deepEqual([again.state().revision, again.state().documents], [2, 10]);
    });
  });

  describe('in its requests', () => {
    it('queries all retrievers in one batch and the feedback in a second, and waits for every write', async () => {
      const index = await open();
      await index.apply({ upsert: documents, remove: ['doc-00007'], revision: 1 });
      await index.persist();
      const writes = server.requests.filter(({ method, path }) =>
        /PUT .*\/points$|\/delete$/.test(`${method} ${path}`),
      );
      assert.ok(writes.length > 3 && writes.every(({ search }) => /wait=true/.test(search)));
      server.requests.length = 0;
      await index.search({ text: 'triptan', limit: 10, where: [{ field: 'year', from: 2000 }], facets: ['year'] });
      const kinds = server.requests.map(({ path }) => path.replace(/^\/collections\/[^/]+/, ''));
      assert.deepEqual(kinds.sort(), [
        '/facet',
        '/points',
        '/points',
        '/points/count',
        '/points/query/batch',
        '/points/query/batch',
      ]);
      const batches = bodiesOf('POST', /batch$/) as { searches: { using: string; filter: object }[] }[];
      assert.deepEqual(
        batches.map(({ searches }) => searches.map(({ using }) => using)),
        [
          ['text', 'title', 'ngram', 'semantic'],
          ['text', 'semantic'],
        ],
      );
      const filter = { must: [{ key: 'numbers.year', range: { gte: 2000, lte: null } }], must_not: [] };
      for (const search of batches.flatMap(({ searches }) => searches)) assert.deepEqual(search.filter, filter);
    });

    it('declares sparse vectors, two with the idf modifier, a dense cosine vector, and an index for every field', async () => {
      const index = await open();
      await index.apply({ upsert: documents.slice(0, 5), revision: 1 });
      const [name] = [...server.collections.keys()].filter(isDocuments);
      const { settings, indexes } = server.collections.get(name!)!;
      assert.deepEqual(settings.sparse_vectors, { text: { modifier: 'idf' }, title: {}, ngram: { modifier: 'idf' } });
      assert.deepEqual(settings.vectors, { semantic: { size: 192, distance: 'Cosine' } });
      assert.deepEqual([...indexes.keys()].sort(), [
        'length',
        'numbers.year',
        'terms',
        'values.subject',
        'values.year',
        'words',
      ]);
    });

    it('distinguishes values of different types, and treats invalid field names as unknown', async () => {
      const index = await open();
      const document = { id: 'a', text: { title: 'zinc' }, filters: { n: 1, s: '1', b: true, none: [] } };
      await index.apply({ upsert: [document], revision: 1 });
      const found = async (field: string, ...values: (string | number | boolean)[]) =>
        (await index.search({ text: 'zinc', limit: 1, where: [{ field, in: values }] })).hits.length;
      assert.deepEqual(
        [await found('n', 1), await found('n', '1'), await found('s', '1'), await found('s', 1)],
        [1, 0, 1, 0],
      );
      assert.deepEqual(
        [await found('b', true), await found('b', 'true'), await found('n'), await found('a.b[]', 1)],
        [1, 0, 0, 0],
      );
      const open_ = await index.search({ text: 'zinc', limit: 1, where: [{ field: 'none', notIn: [] }] });
      assert.deepEqual(open_.hits, []);
    });
  });

  describe('with a sentence model', () => {
    const isPassage = (asked: string) => asked.startsWith('passage: ');
    const stored = () => {
      const name = server.aliases.get('papers')!;
      return [...server.collections.get(name)!.points.values()];
    };
    const filled = async (embedder: MadeEmbedder) => {
      const index = await open({ embedder });
      await index.apply({ upsert: documents, revision: 1 });
      await index.persist();
      return index;
    };

    it('appends the sentence vector of the indexed text to the vector learned from the corpus', async () => {
      const embedder = madeEmbedder();
      const index = await open({ embedder });
      const empty = { id: 'empty', text: { title: ' ' }, filters: {} };
      const document = { id: 'a', text: { title: 'Turmeric', abstract: 'A trial.', notes: 'unread' }, filters: {} };
      await index.apply({ upsert: [document, empty], revision: 1 });
      await index.persist();
      assert.deepEqual(embedder.asked, ['passage: Turmeric\nA trial.']);
      const { settings } = server.collections.get(server.aliases.get('papers')!)!;
      assert.deepEqual(settings.vectors, { semantic: { size: 192 + embedder.dimensions, distance: 'Cosine' } });
      const dense = stored().map(
        ({ payload, vector }) => [payload.id, vector.semantic as number[] | undefined] as const,
      );
      const own = new Map(dense).get('a')!;
      assert.ok(
        own.slice(0, 192).every((value) => value === 0),
        'nothing is learned from two documents',
      );
      assert.ok(own.slice(192).some((value) => value !== 0));
      assert.equal(new Map(dense).get('empty'), undefined);
      assert.equal(index.state().semantic, 'none', 'as in process, until a model is trained');
    });

    it('embeds each document once, and reuses its vector after the model or the weights change', async () => {
      const embedder = madeEmbedder();
      const index = await filled(embedder);
      assert.equal(embedder.asked.filter(isPassage).length, documents.length);
      assert.match([...server.aliases.values()][0]!, /-2$/, 'trained into a second collection');
      const further = { id: 'further', text: { title: 'Iron', abstract: 'iron '.repeat(90) }, filters: {} };
      await index.apply({ upsert: [further], revision: 2 });
      assert.equal(embedder.asked.filter(isPassage).length, documents.length + 1);
      assert.ok((await index.similar('further', { limit: 3 })).length === 3);
    });

    it('finds matches that only the sentence model knows, and lists the semantic retriever among their reasons', async () => {
      const index = await filled(madeEmbedder());
      const { hits } = await index.search({ text: 'sumatriptan attack', limit: 5 });
      assert.ok(hits.length === 5 && hits.every(({ legs }) => legs.some(({ leg }) => leg === 'semantic')));
    });

    it('falls back to the corpus model while the sentence model fails, and does not wait for one that hangs', async () => {
      const embedder = madeEmbedder();
      const index = await filled(embedder);
      for (const fault of ['fails', 'hangs'] as const) {
        embedder.fault = fault;
        const since = performance.now();
        const { hits } = await index.search({ text: 'triptan', limit: 100 });
        assert.ok(performance.now() - since < 60_000, fault);
        assert.ok(
          hits.some(({ reasons }) => reasons.join() === 'semantic'),
          fault,
        );
      }
    });

    it('keeps its revision when the sentence model fails during a change, and catches up afterwards', async () => {
      const embedder = madeEmbedder();
      const index = await open({ embedder });
      const change = { upsert: documents.slice(0, 20), revision: 4 };
      embedder.fault = 'fails';
      await assert.rejects(index.apply(change), /the made model is away/);
      assert.equal(index.state().revision, 0);
      embedder.fault = null;
      await index.apply(change);
      assert.deepEqual([index.state().revision, index.state().documents], [4, 20]);
    });

    it('fills another collection for another model, and moves the alias at the persist', async () => {
      const before = await filled(madeEmbedder());
      const old = server.aliases.get('papers');
      const after = await open({ embedder: madeEmbedder('other-sentences') });
      assert.equal(after.state().revision, 0);
      await after.apply({ upsert: documents, revision: 1 });
      assert.equal(server.aliases.get('papers'), old);
      assert.ok((await before.search({ text: 'migraine', limit: 3 })).hits.length === 3);
      await after.persist();
      assert.notEqual(server.aliases.get('papers'), old);
      assert.deepEqual([...server.collections.keys()].filter(isDocuments), [server.aliases.get('papers')]);
    });
  });
});
