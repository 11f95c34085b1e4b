/** Tests that no external model receives anything without a permission, whoever the caller is. */
import { strict as assert } from 'node:assert';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpointCrossEncoder } from '#core/models/endpoint-cross-encoder.ts';
import { openaiEmbedder } from '#core/models/openai-embedder.ts';
import { openaiLanguage } from '#core/models/openai-language.ts';
import { openaiVision } from '#core/models/openai-vision.ts';
import { Permission } from '#core/models/permission.ts';
import { embedQuery } from '#core/search/sentence-vectors.ts';
import { crossEncoderReranker } from '#plugins/evidence/rerank/cross-encoder-reranker.ts';
import { type OpenaiEndpoint, says, startEndpoint } from '../../support/openai-endpoint.ts';
import { failsWith, partsFor, readAll } from './parts.ts';

const PICTURE = Buffer.from([0xff, 0xd8, 0xff]);
const MESSAGES = [{ role: 'user', content: 'My ferritin is 12.' }] as const;

/** Invalid permissions: missing values, a consent of false and forged objects. */
const NONE: readonly unknown[] = [
  undefined,
  null,
  true,
  'consent',
  {},
  Permission.ofPerson(false),
  Object.create(Permission.prototype),
  { ...Permission.publicText },
];

describe('model ports', () => {
  let server: OpenaiEndpoint;
  before(async () => {
    server = await startEndpoint();
  });
  after(() => server.close());

  const calls = async (permission: Permission | null) => {
    const parts = partsFor(server, { retries: 0 });
    const options = { permission, maxTokens: 5 };
    const embedder = await openaiEmbedder({ ...parts, dimensions: 3, onChange: () => undefined });
    return {
      complete: () => openaiLanguage(parts).complete(MESSAGES, options),
      stream: () => readAll(openaiLanguage(parts).stream(MESSAGES, options)),
      read: () => openaiVision(parts).read(PICTURE, 'Read it.', options),
      embed: () => embedder.embed(['ferritin'], 'query', { permission }),
      score: () => endpointCrossEncoder(parts.endpoint, parts.guard).score('ferritin', ['iron'], { permission }),
    };
  };

  it('reject every call without a valid permission, and send nothing', async () => {
    server.script(says('Yes.'));
    for (const permission of NONE)
      for (const call of Object.values(await calls(permission as Permission | null)))
        await failsWith('no_consent', call());
    assert.equal(server.asked.length, 0);
  });

  it('do not count their own rejection as a failure of the model', async () => {
    server.script(says('Yes.'));
    const parts = partsFor(server, { retries: 0 });
    const model = openaiLanguage(parts);
    for (let call = 0; call < 10; call += 1)
      await failsWith('no_consent', model.complete(MESSAGES, { permission: null, maxTokens: 5 }));
    assert.equal(parts.guard.isWell(), true);
    assert.equal(await model.complete(MESSAGES, { permission: Permission.ofPerson(true), maxTokens: 5 }), 'Yes.');
  });

  it('fall back to local search without a permission, and report no failure', async () => {
    server.script(says('Yes.'));
    const parts = partsFor(server, { retries: 0 });
    const embedder = await openaiEmbedder({ ...parts, dimensions: 3, onChange: () => undefined });
    assert.equal(await embedQuery(embedder, { text: 'ferritin' }), null);
    const local = { name: 'local', rerank: async () => ({ scores: [1], name: 'local', fallback: null }) };
    const reranker = crossEncoderReranker(endpointCrossEncoder(parts.endpoint, parts.guard), local);
    const candidates = [{ id: 'a', title: 'Iron', text: 'Iron.', score: 1, legs: [] }];
    assert.deepEqual(await reranker.rerank('ferritin', candidates), { scores: [1], name: 'local', fallback: null });
    assert.equal(server.asked.length, 0);
  });

  it('check the permission in every file that calls a model endpoint', async () => {
    const root = join(import.meta.dirname, '../../..');
    const files = (await Promise.all(['core', 'plugins'].map((one) => sources(join(root, one))))).flat();
    const talking: string[] = [];
    for (const file of files) {
      const text = await readFile(file, 'utf8');
      if (/from '(?:#core\/models|\.)\/endpoint\.ts'/.test(text) && /\bpost\b/.test(text)) talking.push(file);
    }
    assert.ok(talking.length >= 3);
    for (const file of talking) assert.match(await readFile(file, 'utf8'), /Permission\.check\(/, file);
  });
});

const sources = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts')).map((name) => join(folder, name));
