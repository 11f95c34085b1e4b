/** Tests how snapshots are published, downloaded and deleted. */
import { strict as assert } from 'node:assert';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { isTime } from '#core/jobs/scheduler.ts';
import { definePlugin } from '#core/plugin.ts';
import { systemContext } from '#core/system-context.ts';
import { snapshotsPlugin } from '#plugins/snapshots/index.ts';
import { assertGoodPages, executablePath, launchBrowser, NARROW, PHONE, WIDE } from '../../support/browser.ts';
import { api } from '../../support/client.ts';
import { countOf, sql } from '../../support/database.ts';
import { htmlRules } from '../../support/html-rules.ts';
import { newDataDir, startService, type TestService } from '../../support/service.ts';
import { startBeside } from '../../support/shared.ts';
import { until } from '../../support/until.ts';
import { checkSums, type FileEntry, fetchAll, job, makeSnapshot, manifestOf, urlOf } from './support.ts';

const busy = { isOn: false };
/** A background task that postpones a snapshot. */
const behind = definePlugin({
  name: 'test-behind',
  summary: 'For a test',
  dependencies: [],
  start: () => undefined,
  stages: () =>
    busy.isOn
      ? [{ name: 'test_behind', status: 'running', startedAt: null, succeededAt: null, done: 0, total: null }]
      : [],
});

describe('snapshots', function () {
  this.timeout(600_000);
  let service: TestService;
  before(async () => {
    service = await startService({
      settings: { SNAPSHOTS_KEEP: '2', TRUSTED_PROXIES: '127.0.0.1' },
      more: [behind],
    });
  });
  after(() => service?.stop());

  const isDue = () => isTime(service.runtime, { plugin: snapshotsPlugin, job, stopping: new AbortController().signal });
  const changeSomething = (title: string) =>
    sql(
      service,
      'update evidence_source set title = ? where source_id = (select min(source_id) from evidence_source)',
      [title],
    );
  const page = async (): Promise<string> => (await api(service).get('/snapshots').expect(200)).text;
  const fileOf = async (name: string): Promise<FileEntry> => {
    const file = (await manifestOf(service)).files.find((one) => one.name === name);
    assert.ok(file, name);
    return file;
  };
  /** Sends a request from a default client address, so that the limits of other callers do not apply. */
  const fetchFile = (file: FileEntry, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(urlOf(service, file), { method, headers: { 'X-Forwarded-For': '10.1.1.1', ...headers } });

  it('do not exist at first, and the page and the list say so', async () => {
    const { body } = await api(service).get('/api/snapshots').expect(200);
    assert.deepEqual([body.snapshots, body.kept], [[], 2]);
    assert.ok(Math.abs(Date.parse(body.next_at) - Date.now()) < 60_000);
    assert.match(await page(), /There is no snapshot yet.*within minutes of the start/s);
    await api(service).get('/api/snapshots/latest').expect(404);
    await api(service).get('/snapshots/latest/sources.jsonl.gz').expect(404);
  });

  it('are due at once when there is none, but wait for background tasks', async () => {
    busy.isOn = true;
    assert.equal(await isDue(), false);
    busy.isOn = false;
    await until(isDue, 'the time for a snapshot, once nothing goes on behind the site');
  });

  it('are made once by two nodes that start concurrently, and can be read on both', async () => {
    const other = await startBeside(service, { settings: { SNAPSHOTS_KEEP: '2' } });
    try {
      const outcomes = await Promise.all([makeSnapshot(service), makeSnapshot(other)]);
      const made = outcomes.map((one) => (one.status === 'ok' ? one.counts.made : one.status));
      assert.equal(made.filter((one) => one === 1).length, 1, JSON.stringify(made));
      assert.equal(await countOf(service, 'snapshot'), 1);
      assert.deepEqual(await manifestOf(other), await manifestOf(service));
      if (other.environment.DATA_DIR === service.dataDir)
        await checkSums(await fetchAll(other, await manifestOf(other)));
    } finally {
      await other.stop();
    }
  });

  it('are due again after a week, but not within an hour of a failure', async () => {
    assert.equal(await isDue(), false);
    await sql(service, "update snapshot set checked_at = now() - interval '8 days'");
    await until(isDue, 'the time for a snapshot, once nothing goes on behind the site');
    await sql(
      service,
      `insert into job_run (job, status, started_at, counts, error) values ('make_snapshot', 'failed', now(), '{}', 'x')`,
    );
    assert.equal(await isDue(), false);
    await sql(service, "update job_run set started_at = now() - interval '2 hours' where status = 'failed'");
    await until(isDue, 'the time for a snapshot, once nothing goes on behind the site');
  });

  it('are not made again from unchanged data; only the check time is updated', async () => {
    const { id } = await manifestOf(service);
    const outcome = await makeSnapshot(service);
    assert.equal(outcome.status === 'ok' && outcome.counts.made, 0);
    const now = await manifestOf(service);
    assert.equal(now.id, id);
    assert.ok(Date.now() - Date.parse(now.checked_at) < 60_000);
    assert.equal(await isDue(), false);
    assert.equal(await countOf(service, "change_log where kind = 'snapshot.published'"), 1);
  });

  it('have a page that lists every file with checksum and licence, also as schema.org data', async () => {
    const text = await page();
    const { id, datasets } = await manifestOf(service);
    const linked = [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json = '']) =>
      JSON.parse(json),
    );
    const told = linked.filter((item) => item['@type'] === 'Dataset');
    assert.equal(told.length, datasets.length);
    for (const [at, { name, file, sha256, bytes }] of datasets.entries()) {
      assert.ok(text.includes(`href="/snapshots/${id}/${file}"`) && text.includes(sha256), name);
      const { distribution, license, description } = told[at];
      assert.equal(distribution.contentUrl, `http://evidence.test/snapshots/${id}/${file}`);
      assert.deepEqual(
        [distribution['@type'], distribution.sha256, distribution.contentSize],
        ['DataDownload', sha256, `${bytes} B`],
      );
      assert.match(license, /^https:\/\/creativecommons\.org\//);
      assert.ok(description.length >= 50, 'search engines for data sets want 50 characters');
    }
    assert.deepEqual((await htmlRules.validateString(text)).results, []);
  });

  it('have a page that passes every audit, also on a phone', async function () {
    if (!executablePath) this.skip();
    const browser = await launchBrowser();
    try {
      await assertGoodPages(browser, service.url, { pages: [{ path: '/snapshots' }], looks: [NARROW, PHONE, WIDE] });
    } finally {
      await browser.close();
    }
  });

  it('can be downloaded by ranges that add up to the whole file', async () => {
    const file = await fileOf('sources.jsonl.gz');
    const whole = Buffer.from(await (await fetchFile(file)).arrayBuffer());
    assert.equal(whole.length, file.bytes);
    const ends = [0, 1, 5_000, 5_001, Math.floor(file.bytes / 2), file.bytes];
    const parts: Buffer[] = [];
    for (let at = 1; at < ends.length; at += 1) {
      const [first = 0, behindLast = 0] = [ends[at - 1], ends[at]];
      const reply = await fetchFile(file, {
        Range: `bytes=${first}-${behindLast - 1}`,
        'If-Range': `"${file.sha256}"`,
      });
      assert.equal(reply.status, 206);
      assert.equal(reply.headers.get('content-range'), `bytes ${first}-${behindLast - 1}/${file.bytes}`);
      assert.equal(reply.headers.get('content-length'), String(behindLast - first));
      parts.push(Buffer.from(await reply.arrayBuffer()));
    }
    assert.ok(Buffer.concat(parts).equals(whole));
    const tail = await fetchFile(file, { Range: 'bytes=-7' });
    assert.ok(Buffer.from(await tail.arrayBuffer()).equals(whole.subarray(-7)));
  });

  it('handle conditional requests, invalid ranges and HEAD according to HTTP', async () => {
    const file = await fileOf('grades.jsonl.gz');
    const tag = `"${file.sha256}"`;
    const behindEnd = await fetchFile(file, { Range: `bytes=${file.bytes}-` });
    assert.equal(behindEnd.status, 416);
    assert.equal(behindEnd.headers.get('content-range'), `bytes */${file.bytes}`);
    const held = await fetchFile(file, { 'If-None-Match': tag });
    assert.deepEqual([held.status, await held.text(), held.headers.get('etag')], [304, '', tag]);
    assert.equal((await fetchFile(file, { 'If-Match': '"another"' })).status, 412);
    const other = await fetchFile(file, { Range: 'bytes=0-9', 'If-Range': '"another"' });
    assert.deepEqual([other.status, (await other.arrayBuffer()).byteLength], [200, file.bytes]);
    const head = await fetchFile(file, {}, 'HEAD');
    assert.deepEqual(
      [head.status, head.headers.get('content-length'), head.headers.get('accept-ranges'), await head.text()],
      [200, String(file.bytes), 'bytes', ''],
    );
    assert.match(head.headers.get('cache-control') ?? '', /public.*immutable/);
    assert.equal(head.headers.get('content-type'), 'application/gzip');
    assert.equal(head.headers.get('repr-digest'), `sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`);
  });

  it('are never compressed in transit, so that checksums match the received bytes', async () => {
    for (const name of ['manifest.json', 'README.txt', 'sources.schema.json']) {
      const file = await fileOf(name);
      const reply = await fetchFile(file, { 'Accept-Encoding': 'br, gzip' });
      assert.equal(reply.headers.get('content-encoding'), null, name);
      assert.equal(reply.headers.get('etag'), `"${file.sha256}"`);
      assert.equal((await reply.arrayBuffer()).byteLength, file.bytes);
    }
  });

  it('redirect from latest to the newest, and return 404 for unknown files', async () => {
    const { id } = await manifestOf(service);
    const latest = await fetch(`${service.url}/snapshots/latest/sources.jsonl.gz`, { redirect: 'manual' });
    assert.deepEqual([latest.status, latest.headers.get('location')], [302, `/snapshots/${id}/sources.jsonl.gz`]);
    for (const name of ['nothing.jsonl.gz', '..%2f..%2fapp-secret', 'sources.jsonl.gz%00', 'SHA256sums'])
      assert.ok([404, 422].includes((await fetch(`${service.url}/snapshots/${id}/${name}`)).status), name);
    await api(service).get('/api/snapshots/20260101-000000-00000000').expect(404);
  });

  it('allow four concurrent downloads per address', async () => {
    const file = await fileOf('products.jsonl.gz');
    // The file is larger than the socket buffers, so the server has to wait for a client that does not read.
    const path = join(service.dataDir, 'objects/snapshots', (await manifestOf(service)).id, file.name);
    const original = await readFile(path);
    const setBytes = (bytes: number) =>
      sql(
        service,
        `update snapshot set files = (select jsonb_agg(case when f->>'name' = ? then f || ?::jsonb else f end)
          from jsonb_array_elements(files) f)`,
        [file.name, JSON.stringify({ bytes })],
      );
    await writeFile(path, Buffer.alloc(60_000_000, 1));
    await setBytes(60_000_000);
    const begin = (address: string): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        httpGet(urlOf(service, file), { headers: { 'X-Forwarded-For': address } }, resolve).on('error', reject);
      });
    const open = await Promise.all(Array.from({ length: 4 }, () => begin('10.2.2.2')));
    assert.deepEqual(
      open.map(({ statusCode }) => statusCode),
      [200, 200, 200, 200],
    );
    const fifth = await fetchFile(file, { 'X-Forwarded-For': '10.2.2.2' });
    assert.equal(fifth.status, 429);
    assert.equal(fifth.headers.get('retry-after'), '5');
    const another = await begin('10.2.2.3');
    assert.equal(another.statusCode, 200);
    for (const one of [...open, another]) one.destroy();
    let status = 429;
    for (let tries = 0; status === 429 && tries < 100; tries += 1)
      status = (await fetchFile(file, { 'X-Forwarded-For': '10.2.2.2' }, 'HEAD')).status;
    assert.equal(status, 200, 'a place is free again when its reader has left');
    await writeFile(path, original);
    await setBytes(original.length);
  });

  it('are limited to SNAPSHOTS_KEEP, and the oldest is deleted with its files', async () => {
    const first = await manifestOf(service);
    const made: string[] = [];
    for (const title of ['One change', 'Another change']) {
      await changeSomething(title);
      const outcome = await makeSnapshot(service);
      assert.equal(outcome.status === 'ok' && outcome.counts.made, 1);
      made.push((await manifestOf(service)).id);
    }
    const { body } = await api(service).get('/api/snapshots').expect(200);
    assert.deepEqual(
      body.snapshots.map(({ id }: { id: string }) => id),
      made.toReversed(),
    );
    assert.deepEqual(await readdir(join(service.dataDir, 'objects', 'snapshots', first.id)).catch(() => []), []);
    assert.equal((await fetchFile(first.files[0] as FileEntry)).status, 404);
    await checkSums(await fetchAll(service, await manifestOf(service, made[0])));
    assert.match(await page(), /Older ones/);
    assert.deepEqual(await readdir(join(service.dataDir, 'snapshots')), [], 'nothing is left in the work folder');
  });

  it('are written by the command, with identical bytes for identical data', async () => {
    const [command] = snapshotsPlugin.commands ?? [];
    assert.ok(command);
    const base = await newDataDir();
    const lines: string[] = [];
    const run = (...args: string[]): Promise<number> =>
      command.run(systemContext(service.runtime, snapshotsPlugin, AbortSignal.timeout(60_000)) as never, args, (line) =>
        lines.push(line),
      );
    const [one, two] = [join(base, 'one'), join(base, 'two')];
    assert.deepEqual([await run(one), await run(two), await run()], [0, 0, 2]);
    await assert.rejects(run(one), /is there already/);
    assert.match(lines.join('\n'), /sources\.jsonl\.gz: 1,\d{3} rows/);
    await checkSums(one);
    const names = (await readdir(one)).sort();
    assert.deepEqual((await readdir(two)).sort(), names);
    const dated = new Set(['manifest.json', 'README.txt', 'SHA256SUMS', 'SHA256SUMS.sig']);
    for (const name of names.filter((one) => !dated.has(one)))
      assert.ok((await readFile(join(one, name))).equals(await readFile(join(two, name))), name);
    const [left, right] = await Promise.all(
      [one, two].map(async (folder) => JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))),
    );
    const undated = { id: '', made_at: '', read_from: '' };
    assert.deepEqual({ ...left, ...undated }, { ...right, ...undated });
    assert.deepEqual((await readFile(join(one, 'sources.jsonl.gz'))).subarray(4, 8), Buffer.alloc(4), 'no time');
    assert.equal(left.digest, (await manifestOf(service)).digest, 'the same as what is published');
  });
});
