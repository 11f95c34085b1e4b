import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Permission } from '#core/models/permission.ts';
import { madeEmbedder } from '../../core/search/made-embedder.ts';
import { syntheticDocuments } from '../../core/search/synthetic.ts';
import { json, type OpenaiEndpoint, type Step, startEndpoint } from '../../support/openai-endpoint.ts';
import { startScript } from '../../support/program.ts';

const script = join(import.meta.dirname, '../../../bench/index.ts');
const documents = syntheticDocuments(220);

/** Writes a test collection whose one query has two relevant documents. */
const writeSet = async (folder: string): Promise<void> => {
  const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
  await mkdir(join(folder, 'qrels'), { recursive: true });
  const corpus = documents.map(({ id, text }) => ({ _id: id, title: text.title, text: text.abstract }));
  await writeFile(join(folder, 'corpus.jsonl'), lines(corpus));
  await writeFile(join(folder, 'queries.jsonl'), lines([{ _id: 'q1', text: 'sumatriptan attack' }]));
  await writeFile(join(folder, 'qrels/dev.tsv'), 'query-id\tcorpus-id\tscore\nq1\tdoc-00000\t1\nq1\tdoc-00004\t2\n');
};

describe('benchmark of a configured model', function () {
  this.timeout(300_000);
  let server: OpenaiEndpoint;
  let folder: string;

  before(async () => {
    server = await startEndpoint();
    folder = await mkdtemp(join(tmpdir(), 'ekb-bench-model-'));
    await writeSet(join(folder, 'set'));
  });

  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const run = (args: readonly string[], settings: Record<string, string>) =>
    startScript(script, ['model', ...args], { DATA_DIR: folder, ...settings }, folder).finished;

  const answers: Step = (reply, { path, body }) => {
    if (path.endsWith('/rerank')) {
      const results = (body.documents as string[]).map((text, index) => ({ index, relevance_score: text.length }));
      json({ results })(reply, { path, body, authorization: '', at: 0 });
      return;
    }
    void madeEmbedder()
      .embed(body.input as string[], 'passage', { permission: Permission.publicText })
      .then((vectors) => {
        const data = vectors.map((vector, index) => ({ index, embedding: [...vector] }));
        json({ data })(reply, { path, body, authorization: '', at: 0 });
      });
  };

  it('prints that no model is configured and exits with status 2', async () => {
    const { status, stdout } = await run([join(folder, 'set')], {});
    assert.equal(status, 2);
    assert.match(
      stdout,
      /^No model is configured: set EMBEDDING_MODEL or RERANKER_MODEL, as content\/docs\/settings\.md describes\.$/m,
    );
  });

  it('reports an invalid setting or data folder and exits with status 2', async () => {
    const wrong = await run([join(folder, 'set')], { EMBEDDING_MODEL: '/nowhere/at/all' });
    assert.match(wrong.stdout, /EMBEDDING_MODEL is "\/nowhere\/at\/all": builtin, a folder that exists/);
    const nothing = await run([join(folder, 'none')], { EMBEDDING_MODEL: `${server.url}#embeds` });
    assert.match(nothing.stdout, /Nothing to measure with in .*none: corpus\.jsonl/);
    assert.deepEqual([wrong.status, nothing.status, server.asked.length], [2, 2, 0]);
  });

  it('measures the same search without and with models served by an endpoint', async () => {
    server.script(answers);
    const settings = { EMBEDDING_MODEL: `${server.url}#embeds`, RERANKER_MODEL: `${server.url}#ranks` };
    const { status, stdout, stderr } = await run([join(folder, 'set'), '--split', 'dev'], settings);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /set dev: 220 documents, 1 queries/);
    for (const row of ['without a model', 'with embeds'])
      assert.match(stdout, new RegExp(`whole, ${row} +│ '0\\.\\d{4}' │ '[01]\\.\\d{4}' +│ '0\\.\\d{4}'`), row);
    assert.match(stdout, /│ 196 +│/);
    assert.match(stdout, /│ 264 +│/, '192 and 24 numbers, the 24 once more, and a scale for each');
    assert.match(stdout, /Of 4 queries the model failed 0, and answered 0 too late for a reader/);
    assert.match(stdout, /whole, then reranked by ranks +│ '0\.\d{4}'/);
    const passages = server.asked.filter(({ path }) => path.endsWith('/embeddings')).flatMap(({ body }) => body.input);
    assert.equal(passages.filter((text: string) => text.includes('\n')).length, 220, 'each document once');
    const reranked = server.asked.filter(({ path }) => path.endsWith('/rerank')).flatMap(({ body }) => body.documents);
    assert.equal(reranked.length, 50, 'the model reranks the first hits');
  });
});
