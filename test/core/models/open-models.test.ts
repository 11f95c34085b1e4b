import { strict as assert } from 'node:assert';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, coreSettings, loadConfig } from '#core/config.ts';
import { createLog } from '#core/log.ts';
import { openModels } from '#core/models/open-models.ts';
import { Permission } from '#core/models/permission.ts';
import { json, type OpenaiEndpoint, says, startEndpoint } from '../../support/openai-endpoint.ts';
import { failsWith } from './parts.ts';

/** Returns whether the ONNX library is installed; it is optional and not a dependency. */
const hasLibrary = (): boolean => {
  try {
    createRequire(import.meta.url).resolve('@huggingface/transformers');
    return true;
  } catch {
    return false;
  }
};

describe('openModels', () => {
  let server: OpenaiEndpoint;
  let folder: string;
  before(async () => {
    server = await startEndpoint();
    folder = await mkdtemp(join(tmpdir(), 'ekb-models-'));
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });
  const config = (settings: Record<string, string>): Config =>
    loadConfig(coreSettings, { DATA_DIR: folder, ...settings }, null);
  const open = (settings: Record<string, string>) => openModels(config(settings), createLog('silent'));
  const embeds = json({ data: [{ index: 0, embedding: [3, 4] }] });

  it('opens no model by default and sends no request', async () => {
    const { language, vision, embedder, crossEncoder, checks } = await open({});
    assert.deepEqual([language, vision, embedder, crossEncoder], [null, null, null, null]);
    assert.deepEqual(checks(), {});
  });

  it('rejects inconsistent settings and reports all problems at once', async () => {
    const settings = {
      VISION_MODEL: 'sees',
      LLM_API_KEY: 'secret',
      EMBEDDING_MODEL: './nowhere',
      RERANKER_API_KEY: 'k',
    };
    await assert.rejects(open(settings), (error: Error) => {
      assert.equal(error.name, 'OperatorError');
      assert.match(error.message, /VISION_MODEL is set; it needs LLM_BASE_URL too/);
      assert.match(error.message, /LLM_API_KEY is set; it needs LLM_BASE_URL too/);
      assert.match(error.message, /EMBEDDING_MODEL is ".\/nowhere": builtin, a folder that exists/);
      assert.match(error.message, /RERANKER_API_KEY is set; it needs an endpoint address in RERANKER_MODEL/);
      assert.doesNotMatch(error.message, /secret/);
      return true;
    });
    await assert.rejects(open({ LLM_BASE_URL: server.url }), /LLM_BASE_URL is set; it needs LLM_MODEL/);
  });

  it('rejects an address with credentials or a query, without showing them', async () => {
    const settings = {
      LLM_BASE_URL: 'https://host.example/v1?key=hidden-words',
      LLM_MODEL: 'speaks',
      EMBEDDING_MODEL: 'https://user:hidden-words@host.example/v1#embeds',
      RERANKER_MODEL: 'https://',
    };
    await assert.rejects(open(settings), (error: Error) => {
      assert.match(error.message, /LLM_BASE_URL holds a query/);
      assert.match(error.message, /EMBEDDING_MODEL holds a user name or password; a key goes into its own setting/);
      assert.match(error.message, /RERANKER_MODEL is no address/);
      assert.doesNotMatch(error.message, /hidden-words/);
      return true;
    });
  });

  it('calls each endpoint with its own key, and reports the state of each model', async () => {
    server.script(embeds, says('Yes.'), says('A label.'), json({ results: [{ index: 0, relevance_score: 1 }] }));
    const models = await open({
      LLM_BASE_URL: `${server.url}/`,
      LLM_API_KEY: 'language-key',
      LLM_MODEL: 'speaks',
      VISION_MODEL: 'sees',
      EMBEDDING_MODEL: `${server.url}#embeds`,
      EMBEDDING_API_KEY: 'embedding-key',
      RERANKER_MODEL: `${server.url}#ranks`,
    });
    const messages = [{ role: 'user', content: 'Does it help?' }] as const;
    await models.language?.complete(messages, { permission: Permission.publicText, maxTokens: 5 });
    await models.vision?.read(Buffer.from([0xff, 0xd8, 0xff]), 'Read it.', {
      permission: Permission.publicText,
      maxTokens: 5,
    });
    await models.crossEncoder?.score('sleep', ['magnesium'], { permission: Permission.publicText });
    assert.deepEqual(
      server.asked.map(({ path, authorization, body }) => [path, authorization, body.model]),
      [
        ['/v1/embeddings', 'Bearer embedding-key', 'embeds'],
        ['/v1/chat/completions', 'Bearer language-key', 'speaks'],
        ['/v1/chat/completions', 'Bearer language-key', 'sees'],
        ['/v1/rerank', undefined, 'ranks'],
      ],
    );
    assert.equal(models.embedder?.dimensions, 2);
    const well = { language_model: 'ok', vision_model: 'ok', embedding_model: 'ok', reranker_model: 'ok' };
    assert.deepEqual(models.checks(), well);
    server.script(json('no', 200));
    await failsWith(
      'bad_reply',
      models.language?.complete(messages, { permission: Permission.publicText, maxTokens: 5 }) ?? Promise.resolve(),
    );
    assert.deepEqual(models.checks(), { ...well, language_model: 'degraded' });
  });

  it('reports a degraded model while the daily tokens are used up', async () => {
    server.script(says('Yes.', {}, 100));
    const models = await open({ LLM_BASE_URL: server.url, LLM_MODEL: 'speaks', LLM_DAILY_TOKENS: '100' });
    await models.language?.complete([{ role: 'user', content: 'Hm?' }], {
      permission: Permission.publicText,
      maxTokens: 5,
    });
    assert.deepEqual(models.checks(), { language_model: 'degraded' });
  });

  it('fails at the first start when the embedding endpoint does not reply, but not at later starts', async () => {
    const settings = { EMBEDDING_MODEL: `${server.url}#starts`, DATA_DIR: await mkdtemp(join(folder, 'starts-')) };
    server.script(json({}, 401));
    await assert.rejects(
      open(settings),
      /EMBEDDING_MODEL: The embedding model answered 401: its key is missing or wrong/,
    );
    server.script(embeds);
    await open(settings);
    server.script(json({}, 500));
    assert.equal((await open(settings)).embedder?.dimensions, 2);
    assert.equal(server.asked.length, 0);
  });

  it('asks for the dimensions again at the next start after an embedding model has changed', async () => {
    const settings = { EMBEDDING_MODEL: `${server.url}#changes`, DATA_DIR: await mkdtemp(join(folder, 'changes-')) };
    server.script(embeds);
    const { embedder } = await open(settings);
    server.script(json({ data: [{ index: 0, embedding: [1, 2, 3] }] }));
    await failsWith(
      'bad_reply',
      embedder?.embed(['a'], 'query', { permission: Permission.publicText }) ?? Promise.resolve(),
    );
    const path = join(settings.DATA_DIR, 'models/dimensions.json');
    while ((await readFile(path, 'utf8')).includes('changes')) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal((await open(settings)).embedder?.dimensions, 3);
  });

  it('fails with installation instructions when the ONNX library is missing', async function () {
    if (hasLibrary()) this.skip();
    for (const name of ['EMBEDDING_MODEL', 'RERANKER_MODEL']) {
      await assert.rejects(open({ [name]: 'owner/model' }), (error: Error) => {
        assert.equal(error.name, 'OperatorError');
        assert.match(error.message, new RegExp(`^${name} names an ONNX model.*474 MB.*npm install .*@4\\.3\\.1`));
        return true;
      });
    }
  });

  it('fails when the folder of an ONNX model lacks a file', async function () {
    if (!hasLibrary()) this.skip();
    const path = join(folder, 'half');
    await mkdir(path);
    await writeFile(join(path, 'config.json'), '{}');
    await assert.rejects(
      open({ EMBEDDING_MODEL: path }),
      /half has no tokenizer.json, tokenizer_config.json, onnx\/model.onnx/,
    );
  });

  it('embeds similar texts nearer to each other with the ONNX model in TEST_ONNX_MODEL', async function () {
    const path = process.env.TEST_ONNX_MODEL;
    if (!path || !hasLibrary()) this.skip();
    const { embedder, close } = await open({ EMBEDDING_MODEL: path });
    const texts = ['low 25-hydroxyvitamin D', 'tire pressure'];
    const [query] =
      (await embedder?.embed(['vitamin D deficiency'], 'query', { permission: Permission.publicText })) ?? [];
    const passages = (await embedder?.embed(texts, 'passage', { permission: Permission.publicText })) ?? [];
    const [near, far] = passages.map((vector) =>
      vector.reduce((sum, value, at) => sum + value * (query?.[at] ?? 0), 0),
    );
    await close();
    assert.ok((near ?? 0) > (far ?? 1) + 0.2, `${near} ${far}`);
  });

  it('restarts ONNX after a batch that takes too long, without blocking the event loop', async function () {
    const path = process.env.TEST_ONNX_MODEL;
    if (!path || !hasLibrary()) this.skip();
    const { embedder, close } = await open({ EMBEDDING_MODEL: path });
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 5);
    const long = Array.from({ length: 16 }, () => 'magnesium '.repeat(2000));
    const leaving = AbortSignal.timeout(200);
    await assert.rejects(
      embedder?.embed(long, 'passage', { permission: Permission.publicText, signal: leaving }) ?? Promise.resolve(),
      { name: 'TimeoutError' },
    );
    clearInterval(timer);
    assert.ok(ticks > 15, `${ticks}`);
    assert.equal((await embedder?.embed(['magnesium'], 'query', { permission: Permission.publicText }))?.length, 1);
    await close();
  });
});
