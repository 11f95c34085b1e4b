/** Tests `generate --publish`, which copies the published build to a bucket or folder for a content delivery network. */
import { strict as assert } from 'node:assert';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type MadeFile, publishMade } from '../core/site/support.ts';
import { runCommand } from '../support/command.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';

const credentials = { region: 'eu-test-1', bucket: 'pages', accessKeyId: 'AKTEST', secretAccessKey: 'secret/+=' };
const LIST = '.published.json.gz';
const SITEMAP = { type: 'application/xml; charset=utf-8', role: 'discovery' } as const;

const files: readonly MadeFile[] = [
  { path: '/', text: 'the front page' },
  { path: '/a/b', text: 'a page' },
  { path: '/a', text: 'its parent' },
  { path: '/gone', text: 'a page that will go' },
  { path: '/assets/look.css', text: 'body{}', type: 'text/css; charset=utf-8', role: 'asset' },
  { path: '/sitemap.xml', text: '<index/>', ...SITEMAP },
  { path: '/sitemap-static.xml', text: '<urls/>', ...SITEMAP },
];

describe('generate --publish', () => {
  let s3: S3Server;
  let dataDir: string;
  let environment: Record<string, string>;
  before(async () => {
    s3 = await startS3Server(credentials);
    dataDir = await mkdtemp(join(tmpdir(), 'ekb-publish-'));
    environment = {
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      S3_ENDPOINT: s3.endpoint,
      S3_REGION: credentials.region,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    };
    await publishMade(join(dataDir, 'site'), 'b000001', files);
  });
  beforeEach(() => {
    s3.writes.length = 0;
  });
  after(async () => {
    await s3.stop();
    await rm(dataDir, { recursive: true });
  });

  const publish = (target: string, ...more: readonly string[]) =>
    runCommand(['generate', '--publish', target, ...more], environment);

  it('stores files under their own paths, with Content-Type and Cache-Control', async () => {
    const { status, stdout } = await runProgram(['generate', '--publish', 's3://pages'], environment);
    assert.equal(stdout, 'b000001 is at s3://pages: 7 files sent, 0 as they were, 0 removed\n');
    assert.equal(status, 0);
    const page = s3.objects.get('a/b');
    assert.deepEqual(
      [page?.body.toString(), page?.type, page?.encoding],
      ['a page', 'text/html; charset=utf-8', undefined],
    );
    assert.match(page?.cacheControl ?? '', /^public, max-age=60/);
    assert.equal(s3.objects.get('index.html')?.body.toString(), 'the front page');
    assert.match(s3.objects.get('assets/look.css')?.cacheControl ?? '', /immutable$/);
    assert.equal(s3.objects.get('sitemap.xml')?.type, SITEMAP.type);
  });

  it('uploads assets, pages, sitemaps, sitemap index and list in this order, so that no link dangles', () => {
    // The previous test uploaded these objects.
    assert.equal(s3.objects.size, 8);
    const order = [...s3.objects.keys()];
    const at = (key: string): number => order.indexOf(key);
    assert.equal(at('assets/look.css'), 0);
    for (const page of ['index.html', 'a', 'a/b', 'gone']) assert.ok(at(page) < at('sitemap-static.xml'), page);
    assert.deepEqual(order.slice(-3), ['sitemap-static.xml', 'sitemap.xml', LIST]);
  });

  it('sends nothing if the build is already published', async () => {
    const { stdout } = await publish('s3://pages');
    assert.equal(stdout, 'b000001 is at s3://pages: 0 files sent, 7 as they were, 0 removed\n');
    assert.deepEqual(s3.writes, []);
  });

  it('sends changed files first and then deletes removed ones', async () => {
    const next = files
      .filter(({ path }) => path !== '/gone')
      .map((file) => (file.path === '/a' ? { ...file, text: 'changed' } : file));
    await publishMade(join(dataDir, 'site'), 'b000002', next);
    const { stdout } = await publish('s3://pages');
    assert.equal(stdout, 'b000002 is at s3://pages: 1 files sent, 5 as they were, 1 removed\n');
    assert.deepEqual(s3.writes, ['PUT a', 'DELETE gone', `PUT ${LIST}`]);
    assert.equal(s3.objects.get('a')?.body.toString(), 'changed');
  });

  it('stores compressed objects with Content-Encoding if --encoding is given', async () => {
    for (const [encoding, open] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      assert.equal((await publish(`s3://pages/${encoding}`, '--encoding', encoding)).status, 0);
      const page = s3.objects.get(`${encoding}/a/b`);
      assert.deepEqual([page?.encoding, page && open(page.body).toString()], [encoding, 'a page']);
    }
  });

  it('resumes after SIGKILL and resends at most the uploads in flight', async () => {
    const many = Array.from({ length: 600 }, (_, at) => ({ path: `/p${at}`, text: `page ${at}` }));
    await publishMade(join(dataDir, 'site'), 'b000003', many);
    const sent = (): string[] => s3.writes.filter((write) => write.startsWith('PUT killed/p'));
    const running = startProgram(['generate', '--publish', 's3://pages/killed'], environment);
    while (sent().length < 60 && running.child.exitCode === null) await sleep(2);
    running.child.kill('SIGKILL');
    assert.equal((await running.finished).signal, 'SIGKILL');
    const before = sent().length;
    assert.ok(before >= 60 && before < 600, `${before}`);
    assert.equal(s3.objects.has(`killed/${LIST}`), false);
    const { status, stdout } = await publish('s3://pages/killed');
    assert.equal(status, 0);
    const [, again = '0'] = /: (\d+) files sent/.exec(stdout) ?? [];
    // Uploads in flight at the kill may have completed without a journal entry.
    assert.ok(Number(again) <= 600 - before + 16 && Number(again) >= 600 - before, `${again} after ${before}`);
    assert.equal([...s3.objects.keys()].filter((key) => key.startsWith('killed/p')).length, 600);
    assert.ok(s3.objects.has(`killed/${LIST}`));
  });

  it('fills a local folder for a file server and keeps unrelated files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ekb-folder-'));
    await publishMade(join(dataDir, 'site'), 'b000004', files);
    assert.equal((await publish(folder)).status, 0);
    assert.deepEqual((await readdir(folder)).toSorted(), [
      LIST,
      'a',
      'a.html',
      'assets',
      'gone.html',
      'index.html',
      'sitemap-static.xml',
      'sitemap.xml',
    ]);
    assert.equal(await readFile(join(folder, 'a', 'b.html'), 'utf8'), 'a page');
    await writeFile(join(folder, 'own.txt'), 'not ours');
    await publishMade(join(dataDir, 'site'), 'b000005', files.slice(0, 3));
    assert.match((await publish(folder)).stdout, /: 0 files sent, 3 as they were, 4 removed\n$/);
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.endsWith('.html') || name === 'own.txt').toSorted(),
      ['a.html', 'index.html', 'own.txt'],
    );
    await rm(folder, { recursive: true });
  });

  it('reports invalid arguments and settings in one sentence', async () => {
    for (const [words, message] of [
      [['ftp://x'], '--publish takes a folder, or an address such as s3://bucket/prefix, and no "ftp://x".'],
      [['s3://none-such'], 'The object store has no bucket none-such.'],
      [['s3://pages', '--encoding', 'zip'], '--encoding is one of identity, gzip, br.'],
    ] as const) {
      const { status, stderr } = await runCommand(['generate', '--publish', ...words], environment);
      assert.deepEqual([status, stderr.trim()], [1, message]);
    }
    const { S3_ENDPOINT: _, ...without } = environment;
    const { stderr } = await runCommand(['generate', '--publish', 's3://pages'], without);
    assert.equal(stderr.trim(), 'An object store needs S3_ENDPOINT.');
  });
});
