import assert from 'node:assert/strict';
import { copyFile, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createLog } from '#core/log.ts';
import { listBuilds, nextBuild, publish, release, rollBack, sweep } from '#core/site/builds.ts';
import { contentHash } from '#core/site/site-index.ts';
import { indexPath, readCurrent } from '#core/site/site-layout.ts';
import { openSite, type SiteReader } from '#core/site/site-reader.ts';
import { newDataDir } from '../../support/service.ts';
import { type MadeFile, publishMade, writeMadeBuild } from './support.ts';

const page = (path: string, text = `page ${path}`): MadeFile => ({ path, text });

describe('site reader', () => {
  let siteDir: string;
  const open: SiteReader[] = [];
  const reader = async (lines: string[] = []): Promise<SiteReader> => {
    const log = createLog('info', (line) => {
      lines.push(line);
      return true;
    });
    const site = await openSite(siteDir, log);
    open.push(site);
    return site;
  };
  const textOf = async (site: SiteReader, path: string): Promise<string | null> => {
    const entry = site.find(path);
    return entry && (await site.read(entry, 'identity')).toString();
  };
  beforeEach(async () => {
    siteDir = await newDataDir();
  });
  afterEach(async () => {
    for (const site of open.splice(0)) await site.close();
    await rm(siteDir, { recursive: true });
  });

  it('has no build and no entry before the first build', async () => {
    const site = await reader();
    assert.deepEqual([site.build(), site.find('/'), await site.refresh()], [null, null, false]);
  });

  it('finds exactly the published addresses, with type, strong ETag, date and sizes', async () => {
    const modified = new Date('2026-01-02T03:04:05Z');
    const files = Array.from({ length: 3_000 }, (_, at) => ({ ...page(`/product/${at}`), modified }));
    await publishMade(siteDir, 'b000001', [...files, { ...page('/'), plain: true }]);
    const site = await reader();
    for (const { path, text } of files) assert.equal(site.find(path)?.etag, contentHash(Buffer.from(text)), path);
    for (const path of ['/product/3000', '/product/', '/product', '', '/Product/1', '/product/1/', 'ä', '/\0'])
      assert.equal(site.find(path), null, path);
    const entry = site.find('/product/7');
    assert.ok(entry);
    assert.deepEqual([entry.type, entry.modified, entry.bytes.identity], ['text/html; charset=utf-8', modified, 15]);
    assert.deepEqual(site.find('/')?.bytes, { identity: 6, gzip: 0, br: 0 });
  });

  it('reads each encoding of a page', async () => {
    const text = 'zinc ü '.repeat(900);
    await publishMade(siteDir, 'b000001', [page('/a'), page('/b', text), page('/c')]);
    const site = await reader();
    const entry = site.find('/b');
    assert.ok(entry);
    assert.equal((await site.read(entry, 'identity')).toString(), text);
    assert.equal(gunzipSync(await site.read(entry, 'gzip')).toString(), text);
    assert.equal(brotliDecompressSync(await site.read(entry, 'br')).toString(), text);
  });

  it('rejects an encoding that a page does not have', async () => {
    await publishMade(siteDir, 'b000001', [{ ...page('/a'), plain: true }]);
    const site = await reader();
    const entry = site.find('/a');
    assert.ok(entry);
    await assert.rejects(site.read(entry, 'br'), /\/a has no form br/);
  });

  it('switches to a new build on refresh, and still reads entries of the old build after it is swept', async () => {
    await publishMade(siteDir, 'b000001', [page('/a', 'one')]);
    const site = await reader();
    const old = site.find('/a');
    assert.ok(old);
    for (const number of [2, 3, 4, 5, 6, 7]) await publishMade(siteDir, `b00000${number}`, [page('/a', `${number}`)]);
    await sweep(siteDir);
    assert.equal(await textOf(site, '/a'), 'one');
    assert.deepEqual([await site.refresh(), await site.refresh(), site.build()], [true, false, 'b000007']);
    assert.equal(await textOf(site, '/a'), '7');
    assert.equal((await site.read(old, 'identity')).toString(), 'one');
    assert.ok(!(await readdir(join(siteDir, 'packs'))).includes('b000001-0.pack'));
  });

  for (const [what, damage] of [
    ['has a flipped bit', async (path: string) => writeFile(path, flipped(await readFile(path)))],
    ['is cut short', (path: string) => truncate(path, 200)],
    ['is empty', (path: string) => truncate(path, 0)],
    ['is gone', (path: string) => rm(path)],
  ] as const) {
    it(`treats an index that ${what} as absent, logs one warning, and recovers with the next build`, async () => {
      await publishMade(siteDir, 'b000001', [page('/a')]);
      await damage(indexPath(siteDir, 'b000001'));
      const lines: string[] = [];
      const site = await reader(lines);
      await site.refresh();
      assert.deepEqual([site.build(), site.find('/a')], [null, null]);
      assert.equal(lines.filter((line) => line.includes('site_unreadable')).length, 1);
      await publishMade(siteDir, 'b000002', [page('/a', 'mended')]);
      await site.refresh();
      assert.equal(await textOf(site, '/a'), 'mended');
    });
  }

  it('keeps its current build when the next one cannot be read', async () => {
    await publishMade(siteDir, 'b000001', [page('/a', 'one')]);
    const site = await reader();
    await publishMade(siteDir, 'b000002', [page('/a', 'two')]);
    await truncate(join(siteDir, 'packs', 'b000002-0.pack'), 1);
    assert.equal(await site.refresh(), false);
    assert.equal(await textOf(site, '/a'), 'one');
  });

  it('ignores the previous layout, a link to a folder of files', async () => {
    await symlink('builds/b000009', join(siteDir, 'current'));
    assert.equal((await reader()).build(), null);
    assert.equal(await readCurrent(siteDir), null);
  });
});

const flipped = (bytes: Buffer): Buffer => {
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  return bytes;
};

describe('site builds', () => {
  let siteDir: string;
  beforeEach(async () => {
    siteDir = await newDataDir();
  });
  afterEach(() => rm(siteDir, { recursive: true }));
  const publishBuilds = async (...numbers: number[]): Promise<void> => {
    for (const number of numbers) await publishMade(siteDir, `b00000${number}`, [page('/a', `build ${number}`)]);
  };
  const names = async (): Promise<string[]> => (await listBuilds(siteDir)).map(({ build }) => build);

  it('are listed newest first, with the public one marked and without incomplete ones', async () => {
    await publishBuilds(1, 2);
    await writeMadeBuild(siteDir, 'b000003', [page('/a')]);
    await truncate(join(siteDir, 'builds/b000003/index'), 30);
    const listed = await listBuilds(siteDir);
    assert.deepEqual(
      listed.map(({ build, isCurrent, isHeld, pages }) => ({ build, isCurrent, isHeld, pages })),
      [
        { build: 'b000002', isCurrent: true, isHeld: false, pages: 1 },
        { build: 'b000001', isCurrent: false, isHeld: false, pages: 1 },
      ],
    );
    assert.equal(await nextBuild(siteDir), 'b000004');
  });

  it('are rolled back to the previous one or to a named one, and held there', async () => {
    await publishBuilds(1, 2, 3);
    const site = await openSite(siteDir);
    assert.deepEqual(await rollBack(siteDir, null), { build: 'b000002', held: true });
    await site.refresh();
    assert.equal((await site.read(site.find('/a') as never, 'identity')).toString(), 'build 2');
    assert.deepEqual(await rollBack(siteDir, 'b000003'), { build: 'b000003', held: true });
    await site.close();
  });

  it('do not replace a held build when they are automatic, but do when a person publishes them', async () => {
    await publishBuilds(1, 2);
    await rollBack(siteDir, null);
    await writeMadeBuild(siteDir, 'b000003', [page('/a')]);
    assert.equal(await publish(siteDir, 'b000003', { isAutomatic: true }), false);
    assert.deepEqual(await readCurrent(siteDir), { build: 'b000001', held: true });
    assert.equal(await publish(siteDir, 'b000003', { isAutomatic: false }), true);
    assert.deepEqual(await readCurrent(siteDir), { build: 'b000003', held: false });
    await rollBack(siteDir, 'b000001');
    await release(siteDir);
    assert.deepEqual(await readCurrent(siteDir), { build: 'b000001', held: false });
  });

  it('cannot be rolled back to a missing build, and the error lists the available ones', async () => {
    await assert.rejects(rollBack(siteDir, null), /Nothing is published yet/);
    await publishBuilds(1);
    await assert.rejects(rollBack(siteDir, null), /no build before b000001; generate --list shows those that are kept/);
    await publishBuilds(2);
    await assert.rejects(rollBack(siteDir, '../../db'), /There is no build \.\.\/\.\.\/db; kept are b000002, b000001/);
    await truncate(join(siteDir, 'packs/b000001-0.pack'), 2);
    await assert.rejects(rollBack(siteDir, null), /b000001 is damaged/);
    assert.deepEqual(await readCurrent(siteDir), { build: 'b000002', held: false });
  });

  it('are swept to the last five and the public one, with unused packs and leftover files', async () => {
    await publishBuilds(1, 2, 3, 4, 5, 6, 7);
    await rollBack(siteDir, 'b000002');
    for (const litter of [
      'current.1.tmp',
      'packs/b000009-0.pack.tmp',
      'builds/b000007/index.1.tmp',
      'build-record.json',
    ])
      await copyFile(join(siteDir, 'current'), join(siteDir, litter));
    await sweep(siteDir);
    assert.deepEqual(await names(), ['b000007', 'b000006', 'b000005', 'b000004', 'b000002']);
    assert.deepEqual(
      (await readdir(join(siteDir, 'packs'))).sort(),
      [2, 4, 5, 6, 7].map((number) => `b00000${number}-0.pack`),
    );
    assert.deepEqual((await readdir(siteDir)).filter((name) => !name.startsWith('lock')).sort(), [
      'builds',
      'current',
      'packs',
    ]);
    assert.deepEqual((await readdir(join(siteDir, 'builds/b000007'))).sort(), ['index']);
  });
});
