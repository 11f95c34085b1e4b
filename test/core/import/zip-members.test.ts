import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isZip, zipMembers } from '#core/import/zip-members.ts';
import { madeZip } from '../../support/zip.ts';

const { signal } = new AbortController();

describe('ZIP archive members', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ekb-zip-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  const put = async (name: string, content: Uint8Array): Promise<string> => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  const textOf = async (bytes: AsyncIterable<Uint8Array>): Promise<string> => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of bytes) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  };

  it('are listed, and unpacked as they are read', async () => {
    const long = 'a line of text\n'.repeat(50_000);
    const path = await put(
      'good.zip',
      madeZip({ 'rrf/long.txt': long, 'empty.txt': '', 'ümlaut.txt': 'grün', 'folder/': '' }),
    );
    const members = await zipMembers(path);
    assert.deepEqual(
      members.map(({ name, size }) => [name, size]),
      [
        ['rrf/long.txt', long.length],
        ['empty.txt', 0],
        ['ümlaut.txt', 5],
      ],
    );
    assert.deepEqual(await Promise.all(members.map((member) => textOf(member.bytes(signal)))), [long, '', 'grün']);
    assert.equal(await isZip(path), true);
  });

  it('are rejected when the archive is truncated, is not a ZIP file or states a wrong size', async () => {
    const whole = madeZip({ 'a.txt': 'some text that is packed' });
    const cut = await put('cut.zip', whole.subarray(0, -10));
    await assert.rejects(zipMembers(cut), { message: 'is no whole ZIP archive: its directory is missing' });
    const none = await put('none.zip', Buffer.from('no archive'));
    await assert.rejects(zipMembers(none), { message: 'is no whole ZIP archive: its directory is missing' });
    assert.equal(await isZip(none), false);
    assert.equal(await isZip(await put('nothing.zip', Buffer.alloc(0))), false);
    const lying = Buffer.from(whole);
    lying.writeUInt32LE(3, lying.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24);
    const [member] = await zipMembers(await put('lying.zip', lying));
    await assert.rejects(textOf(member!.bytes(signal)), { message: /^holds a\.txt, which is larger than/ });
  });

  it('are rejected when they are encrypted or compressed with an unknown method', async () => {
    const whole = madeZip({ 'a.txt': 'text' });
    const directory = whole.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    for (const [offset, value, message] of [
      [8, 1, 'holds a.txt under a password'],
      [10, 99, 'holds a.txt packed in a way unknown here'],
    ] as const) {
      const strange = Buffer.from(whole);
      strange.writeUInt16LE(value, directory + offset);
      const [member] = await zipMembers(await put(`strange-${offset}.zip`, strange));
      await assert.rejects(textOf(member!.bytes(signal)), { message });
    }
  });

  it('are rejected as a bomb by their directory entry, before any byte is unpacked', async () => {
    const bomb = Buffer.from(madeZip({ 'a.txt': 'a'.repeat(100_000) }));
    bomb.writeUInt32LE(0x60000000, bomb.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24);
    const [member] = await zipMembers(await put('bomb.zip', bomb));
    await assert.rejects(textOf(member!.bytes(signal)), {
      message: 'holds a.txt, which unpacks to over 200 times its size',
    });
  });

  it('may have any name: a path outside the folder is read like any other, and written nowhere', async () => {
    const path = await put('names.zip', madeZip({ '../../out.txt': 'one', '/etc/passwd': 'two' }));
    const members = await zipMembers(path);
    assert.deepEqual(
      members.map(({ name }) => name),
      ['../../out.txt', '/etc/passwd'],
    );
    assert.deepEqual(await Promise.all(members.map((member) => textOf(member.bytes(signal)))), ['one', 'two']);
    assert.equal(existsSync(join(folder, '../../out.txt')), false);
  });

  it('fail partway when their data is damaged, and stop when the signal is aborted', async () => {
    const whole = Buffer.from(madeZip({ 'a.txt': 'some text that is packed '.repeat(1_000) }));
    whole.fill(0xff, 45, 60);
    const [member] = await zipMembers(await put('damaged.zip', whole));
    await assert.rejects(textOf(member!.bytes(signal)));
    const aborter = new AbortController();
    aborter.abort(new Error('told to stop'));
    const [good] = await zipMembers(await put('stop.zip', madeZip({ 'a.txt': 'text' })));
    await assert.rejects(textOf(good!.bytes(aborter.signal)), { message: 'told to stop' });
  });
});
