import { strict as assert } from 'node:assert';
import { openaiEmbedder } from '#core/models/openai-embedder.ts';
import { Permission } from '#core/models/permission.ts';
import { json, type OpenaiEndpoint, refusal, type Step, startEndpoint } from '../../support/openai-endpoint.ts';
import { API_KEY, failsWith, partsFor } from './parts.ts';

/** Replies with one vector per text in reverse order, made of its length in characters, 1 and 0. */
const embeds: Step = (reply, asked) => {
  const data = (asked.body.input as string[]).map((text, index) => ({ index, embedding: [text.length, 1, 0] }));
  json({ data: data.toReversed() })(reply, asked);
};

const expected = (length: number): number[] =>
  [...Float32Array.of(length, 1, 0)].map((value) => value / Math.hypot(length, 1));

describe('OpenAI-compatible embedder', () => {
  let server: OpenaiEndpoint;
  before(async () => {
    server = await startEndpoint();
  });
  after(() => server.close());
  const open = (more: { model?: string; retries?: number; dimensions?: number; onChange?: () => void } = {}) => {
    const { dimensions = 3, onChange = () => undefined, ...rest } = more;
    return openaiEmbedder({ ...partsFor(server, { retries: 0, ...rest }), dimensions, onChange });
  };

  it('returns unit vectors in the order of the texts, in batches', async () => {
    const embedder = await open();
    server.script(embeds);
    const texts = Array.from({ length: 70 }, (_, at) => 'x'.repeat(at + 1));
    const vectors = await embedder.embed(texts, 'passage', { permission: Permission.publicText });
    assert.equal(vectors.length, 70);
    for (const [at, vector] of vectors.entries())
      for (const [place, value] of expected(at + 1).entries())
        assert.ok(Math.abs((vector[place] as number) - value) < 1e-6, `${at}`);
    assert.deepEqual(
      server.asked.map(({ body }) => body.input.length),
      [32, 32, 6],
    );
    const [asked] = server.asked;
    assert.equal(asked?.path, '/v1/embeddings');
    assert.equal(asked?.authorization, `Bearer ${API_KEY}`);
    assert.deepEqual([asked?.body.model, asked?.body.encoding_format], ['made-model', 'float']);
  });

  it('asks the endpoint once for unknown dimensions', async () => {
    server.script(embeds);
    const parts = partsFor(server);
    const embedder = await openaiEmbedder({ ...parts, dimensions: null, onChange: () => undefined });
    assert.deepEqual([embedder.dimensions, embedder.name, server.asked.length], [3, 'made-model', 1]);
  });

  it('adds the prefix that the model card requires', async () => {
    const inputs = async (model: string) => {
      const embedder = await open({ model });
      server.script(embeds);
      await embedder.embed(['magnesium'], 'query', { permission: Permission.publicText });
      await embedder.embed(['magnesium'], 'passage', { permission: Permission.publicText });
      return server.asked.map(({ body }) => body.input[0]);
    };
    assert.deepEqual(await inputs('intfloat/multilingual-e5-small'), ['query: magnesium', 'passage: magnesium']);
    assert.deepEqual(await inputs('BAAI/bge-small-en-v1.5'), [
      'Represent this sentence for searching relevant passages: magnesium',
      'magnesium',
    ]);
    assert.deepEqual(await inputs('nomic-embed-text:latest'), [
      'search_query: magnesium',
      'search_document: magnesium',
    ]);
    for (const model of ['text-embedding-3-small', 'intfloat/e5-mistral-7b-instruct', 'BAAI/bge-m3', 'all-minilm'])
      assert.deepEqual(await inputs(model), ['magnesium', 'magnesium']);
  });

  it('fails with bad_reply and reports a change when the dimensions differ from the known ones', async () => {
    let changes = 0;
    const embedder = await open({ dimensions: 4, onChange: () => (changes += 1) });
    server.script(embeds);
    const error = await failsWith(
      'bad_reply',
      embedder.embed(['magnesium'], 'query', { permission: Permission.publicText }),
    );
    assert.match(error.message, /has 3 dimensions now, not 4/);
    assert.equal(changes, 1);
  });

  it('fails with bad_reply for invalid vectors, or when there is not one for each text', async () => {
    const embedder = await open();
    const good = { index: 0, embedding: [1, 0, 0] };
    const replies = [
      { data: [] },
      { data: [good] },
      { data: [good, good] },
      { data: [good, { index: 2, embedding: [1, 0, 0] }] },
      { data: [good, { index: 1, embedding: [0, 0, 0] }] },
      { data: [good, { index: 1, embedding: ['1', 0, 0] }] },
      { data: [good, { index: 1, embedding: 'AACAPw==' }] },
      {},
      'null',
      '<!doctype html><title>Sign in</title>',
      '{"data": [{"index": 0, "embedding": [NaN, 0, 0]}, {"index": 1, "embedding": [1, 0, 0]}]}',
      '{"data": [{"index": 0, "embedding": [1e999, 0, 0]}, {"index": 1, "embedding": [1, 0, 0]}]}',
      { data: [good, { index: 1, embedding: [1e39, 0, 0] }] },
      { data: [good, { index: 1, embedding: [null, 0, 0] }] },
      { data: [good, { index: 0.5, embedding: [1, 0, 0] }] },
      { data: [good, { index: -1, embedding: [1, 0, 0] }] },
      { data: [good, { index: 1, embedding: new Array(20_000).fill(1) }] },
      { data: [good, { index: 1, embedding: [1, 0] }] },
    ];
    for (const reply of replies.slice(0, 4)) {
      server.script(json(reply));
      await failsWith('bad_reply', embedder.embed(['one', 'two'], 'query', { permission: Permission.publicText }));
    }
    for (const reply of replies.slice(4)) {
      const another = await open();
      server.script(json(reply));
      await failsWith('bad_reply', another.embed(['one', 'two'], 'query', { permission: Permission.publicText }));
    }
  });

  it('opens the circuit after several replies with vectors of another length', async () => {
    const parts = partsFor(server, { retries: 0, openAfter: 2 });
    const embedder = await openaiEmbedder({ ...parts, dimensions: 4, onChange: () => undefined });
    server.script(embeds);
    for (let call = 0; call < 2; call += 1)
      await failsWith('bad_reply', embedder.embed(['magnesium'], 'query', { permission: Permission.publicText }));
    await failsWith('circuit_open', embedder.embed(['magnesium'], 'query', { permission: Permission.publicText }));
    assert.deepEqual([server.asked.length, parts.guard.isWell()], [2, false]);
    assert.ok(parts.lines.some((line) => line.includes('bad_reply')));
  });

  it('retries a batch after 429, and sends no further batches after one fails', async () => {
    const embedder = await open({ retries: 1 });
    const texts = Array.from({ length: 70 }, () => 'x');
    server.script(embeds, json({}, 429, { 'Retry-After': '0' }), embeds);
    assert.equal((await embedder.embed(texts, 'passage', { permission: Permission.publicText })).length, 70);
    assert.equal(server.asked.length, 4);
    server.script(embeds, refusal(403, 'no'));
    await failsWith('refused', embedder.embed(texts, 'passage', { permission: Permission.publicText }));
    assert.equal(server.asked.length, 2);
  });

  it('truncates texts that are too long for the model, and remembers the limit', async () => {
    const embedder = await open();
    const takes: Step = (reply, asked) => {
      const tooLong = (asked.body.input as string[]).some((text) => text.length > 1500);
      (tooLong ? refusal(400, 'maximum context length is 512 tokens') : embeds)(reply, asked);
    };
    server.script(takes);
    await embedder.embed(['x'.repeat(5000)], 'passage', { permission: Permission.publicText });
    assert.deepEqual(
      server.asked.map(({ body }) => body.input[0].length),
      [5000, 2500, 1250],
    );
    await embedder.embed(['x'.repeat(5000), 'short'], 'passage', { permission: Permission.publicText });
    assert.deepEqual(
      server.asked.at(-1)?.body.input.map((text: string) => text.length),
      [1250, 5],
    );
  });

  it('fails with refused when the rejection is not about the length', async () => {
    const embedder = await open();
    server.script(refusal(400, 'no'));
    await failsWith('refused', embedder.embed(['magnesium'], 'query', { permission: Permission.publicText }));
    assert.equal(server.asked.length, 1);
  });

  it('does not truncate texts after a rejection that no length resolved', async () => {
    const embedder = await open();
    server.script(refusal(400, 'no such model'));
    await failsWith('refused', embedder.embed(['x'.repeat(5000)], 'passage', { permission: Permission.publicText }));
    server.script(embeds);
    await embedder.embed(['x'.repeat(5000)], 'passage', { permission: Permission.publicText });
    assert.equal(server.asked.at(-1)?.body.input[0].length, 5000);
  });

  it('sends a space for an empty text, and nothing for an empty list', async () => {
    const embedder = await open();
    server.script(embeds);
    await embedder.embed([''], 'passage', { permission: Permission.publicText });
    assert.deepEqual(server.asked[0]?.body.input, [' ']);
    assert.deepEqual(await embedder.embed([], 'passage', { permission: Permission.publicText }), []);
    assert.equal(server.asked.length, 1);
  });
});
