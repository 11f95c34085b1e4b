import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InProcessIndex, openInProcessIndex } from '#core/search/in-process.ts';
import { syntheticDocuments } from './synthetic.ts';

const fields = { title: 3, abstract: 1 };
const documents = syntheticDocuments(300);

describe('persistence of the in-process index', () => {
  let folder: string;
  const opened: InProcessIndex[] = [];

  const open = async (weights: Readonly<Record<string, number>> = fields) => {
    const index = await openInProcessIndex({ folder, fields: weights });
    opened.push(index);
    return index;
  };

  const persisted = async () => {
    const index = await open();
    await index.apply({ upsert: documents, revision: 5 });
    await index.apply({ remove: ['doc-00000', 'doc-00004'], revision: 6 });
    await index.persist();
    return index;
  };

  const reasonOf = (index: InProcessIndex) => ('reason' in index.openedFrom ? index.openedFrom.reason : '');

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'search-index-'));
  });

  afterEach(async () => {
    for (const index of opened.splice(0)) await index.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('starts empty and reports the reason when nothing was persisted', async () => {
    const index = await open();
    assert.equal(index.openedFrom.source, 'empty');
    assert.match(reasonOf(index), /no index/);
    assert.equal(index.state().revision, 0);
  });

  it('preserves answers, version and vectors after a reopen', async () => {
    const before = await persisted();
    const after = await open();
    assert.deepEqual(after.openedFrom, { source: 'disk' });
    assert.deepEqual(after.state(), before.state());
    assert.equal(after.state().semantic, 'ready');
    for (const text of ['migraine magnesium', 'knee pain', 'turmeric trial']) {
      const query = { text, limit: 20, facets: ['subject', 'year'], where: [{ field: 'year', from: 2000 }] };
      assert.deepEqual(await after.search(query), await before.search(query));
    }
  });

  it('continues from the persisted revision', async () => {
    await persisted();
    const again = await open();
    await again.apply({ upsert: [{ ...documents[0]!, filters: {} }], remove: ['doc-00001'], revision: 7 });
    await again.persist();
    const state = (await open()).state();
    assert.equal(state.documents, 298);
    assert.equal(state.revision, 7);
  });

  it('starts empty with other settings', async () => {
    await persisted();
    const index = await open({ title: 5, abstract: 1 });
    assert.match(reasonOf(index), /settings/);
    assert.equal(index.state().documents, 0);
  });

  it('starts empty when any file is truncated, altered or missing', async () => {
    await persisted();
    const names = (await readdir(folder)).sort();
    assert.deepEqual(
      names.map((name) => name.split('-')[0]),
      ['manifest.json', 'model', 'segment', 'vectors'],
    );
    for (const name of names) {
      const path = join(folder, name);
      const whole = await readFile(path);
      const changed = Buffer.from(whole);
      changed[whole.length >> 1]! ^= 1;
      await writeFile(path, changed);
      assert.match(reasonOf(await open()), /checksum/);
      await writeFile(path, whole);
      await truncate(path, whole.length >> 1);
      assert.notEqual(reasonOf(await open()), '', name);
      await rm(path);
      assert.notEqual(reasonOf(await open()), '', name);
      await writeFile(path, whole);
    }
    assert.equal((await open()).openedFrom.source, 'disk');
  });

  it('starts empty when the manifest has an unknown format', async () => {
    await writeFile(join(folder, 'manifest.json'), '1\n{"format":99}');
    assert.equal((await open()).openedFrom.source, 'empty');
  });

  it('can persist again over a damaged manifest', async () => {
    await persisted();
    await writeFile(join(folder, 'manifest.json'), 'nonsense');
    await persisted();
    assert.equal((await open()).state().documents, 298);
  });

  it('leaves nothing on disk after a clear', async () => {
    const index = await persisted();
    await index.clear();
    assert.deepEqual(await readdir(folder), []);
    assert.equal((await open()).state().revision, 0);
  });

  it('deletes its own old files at once and those of others after ten minutes', async () => {
    const index = await persisted();
    const foreign = ['segment-old.bin', 'segment-new.bin', 'manifest.json.old.tmp'].map((name) => join(folder, name));
    for (const path of foreign) await writeFile(path, 'x');
    const longAgo = new Date(Date.now() - 11 * 60_000);
    await utimes(foreign[0]!, longAgo, longAgo);
    await utimes(foreign[2]!, longAgo, longAgo);
    await index.apply({ upsert: syntheticDocuments(600), revision: 7 });
    await index.persist();
    const names = await readdir(folder);
    assert.ok(names.includes('segment-new.bin'));
    assert.equal(names.length, 5, names.join(' '));
  });

  it('never mixes the files of two writers: the last to persist wins', async () => {
    const a = await persisted();
    const b = await open();
    await b.apply({ upsert: syntheticDocuments(400), revision: 8 });
    await b.persist();
    // The manifest no longer names the files of the first writer, so another process may have deleted them.
    for (const name of await readdir(folder)) if (name.startsWith('model')) await rm(join(folder, name));
    await a.apply({ remove: ['doc-00002'], revision: 9 });
    await a.persist();
    const last = await open();
    assert.deepEqual(last.openedFrom, { source: 'disk' });
    assert.deepEqual(last.state(), a.state());
  });

  it('is intact after a kill at any moment', async () => {
    let revision = 0;
    for (let kill = 0; kill < 8; kill++) {
      const acknowledged = await runAndKill(folder, 1 + (kill % 3), kill * 3);
      const index = await open();
      assert.deepEqual(index.openedFrom, { source: 'disk' });
      const state = index.state();
      assert.ok(state.revision >= acknowledged && state.revision <= acknowledged + 1, 'no acknowledged state is lost');
      assert.ok(state.revision > revision);
      assert.equal(state.documents, 20 * state.revision);
      revision = state.revision;
      await index.close();
    }
  });
});

/** Lets the child persist a few times, kills it some milliseconds later, and returns the last revision that it reported. */
async function runAndKill(folder: string, persists: number, delayMs: number): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'persist-forever.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let seen = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const before = seen.split('\n').length;
    seen += chunk.toString();
    if (before <= persists && seen.split('\n').length > persists) setTimeout(() => child.kill('SIGKILL'), delayMs);
  });
  await new Promise((resolve) => child.once('close', resolve));
  return Number(seen.trim().split('\n').at(-1));
}
