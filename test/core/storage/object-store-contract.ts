/** The contract of every object store, whatever its backend. */
import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { ObjectStore } from '../../../core/storage/object-store.ts';

const keysOf = async (store: ObjectStore, folder: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of store.entries(folder)) keys.push(key);
  return keys.sort();
};

export const describeObjectStore = (open: () => Promise<ObjectStore>): void => {
  let store: ObjectStore;
  before(async () => {
    store = await open();
  });

  it('returns the bytes, the media type of the extension and an ETag that changes with the bytes', async () => {
    await store.put('a/one.webp', Buffer.from([0, 1, 255]));
    const first = await store.get('a/one.webp');
    assert.deepEqual(first?.body, Buffer.from([0, 1, 255]));
    assert.equal(first?.type, 'image/webp');
    await store.put('a/one.webp', Buffer.from('two'));
    const second = await store.get('a/one.webp');
    assert.equal(second?.body.toString(), 'two');
    assert.notEqual(second?.etag, first?.etag);
  });

  it('stores an empty object', async () => {
    await store.put('a/empty.bin', Buffer.alloc(0));
    assert.equal((await store.get('a/empty.bin'))?.body.length, 0);
    await store.remove('a/empty.bin');
  });

  it('stores a file and streams it back, whole or in ranges that add up to the file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ekb-file-'));
    try {
      const body = randomBytes(3_000_001);
      await writeFile(join(folder, 'large'), body);
      await store.putFile('a/large.gz', join(folder, 'large'));
      assert.equal((await store.get('a/large.gz'))?.type, 'application/gzip');
      const read = async (part?: { first: number; last: number }): Promise<Buffer> => {
        const stream = await store.read('a/large.gz', part);
        assert.ok(stream);
        return buffer(stream);
      };
      assert.ok((await read()).equals(body));
      const parts = [
        { first: 0, last: 0 },
        { first: 1, last: 2_000_000 },
        { first: 2_000_001, last: 3_000_000 },
      ];
      assert.ok(Buffer.concat(await Promise.all(parts.map(read))).equals(body));
      await assert.rejects(store.putFile('a/none.gz', join(folder, 'none')), /ENOENT/);
      assert.equal(await store.read('a/none.gz'), null);
      await store.remove('a/large.gz');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('releases a stream that is not read to its end', async () => {
    await store.put('a/left.bin', Buffer.alloc(5_000_000));
    const stream = await store.read('a/left.bin');
    assert.ok(stream);
    stream.destroy();
    await store.remove('a/left.bin');
    assert.equal(await store.read('a/left.bin'), null);
  });

  it('returns null for a missing object', async () => {
    assert.equal(await store.get('a/none.webp'), null);
    assert.equal(await store.storedAt('a/none.webp'), null);
    assert.equal(await store.get('a/one.webp/below.webp'), null);
  });

  it('returns the storage time of an object, and removes it, twice without an error', async () => {
    await store.put('a/gone.json', Buffer.from('{}'));
    const at = await store.storedAt('a/gone.json');
    assert.ok(at && Math.abs(at.getTime() - Date.now()) < 5_000);
    await store.remove('a/gone.json');
    await store.remove('a/gone.json');
    assert.equal(await store.get('a/gone.json'), null);
  });

  it('lists a folder with everything below it, and nothing else', async () => {
    for (const key of ['list/a.webp', 'list/b.webp', 'list/c/d.webp', 'list/e.json', 'list/f.pdf', 'lists/g.webp']) {
      await store.put(key, Buffer.from(key));
    }
    assert.deepEqual(await keysOf(store, 'list/'), [
      'list/a.webp',
      'list/b.webp',
      'list/c/d.webp',
      'list/e.json',
      'list/f.pdf',
    ]);
    assert.deepEqual(await keysOf(store, 'nothing/'), []);
  });

  it('rejects keys that could leave their folder or that have no known extension', async () => {
    const wrong = [
      '',
      '/a.webp',
      '../a.webp',
      'a/../b.webp',
      'a//b.webp',
      '.a.webp',
      'a\\b.webp',
      'A.webp',
      'a b.webp',
    ];
    for (const key of [...wrong, 'a.html', 'a', 'a.webp\n', 'a\0.webp', 'a?b.webp', `${'a'.repeat(300)}.webp`]) {
      await assert.rejects(store.put(key, Buffer.from('x')), /Not the key/, key);
      await assert.rejects(store.get(key), /Not the key/, key);
      await assert.rejects(store.remove(key), /Not the key/, key);
    }
    await assert.rejects(keysOf(store, '../'), /Not a folder/);
    await assert.rejects(keysOf(store, 'list'), /Not a folder/);
  });

  it('contains only whole objects while many callers write the same one', async () => {
    const bodies = Array.from({ length: 8 }, (_, at) => Buffer.alloc(200_000, at));
    await Promise.all(bodies.map((body) => store.put('a/raced.bin', body)));
    const { body } = (await store.get('a/raced.bin')) ?? {};
    assert.ok(bodies.some((one) => body && one.equals(body)));
  });
};
