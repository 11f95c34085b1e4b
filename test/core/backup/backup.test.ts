import assert from 'node:assert/strict';
import { appendFile, cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { backupCommand, restoreCommand } from '#core/backup/commands.ts';
import { allSettings } from '#core/boot.ts';
import { loadConfig } from '#core/config.ts';
import { createLog } from '#core/log.ts';
import { plugins } from '#plugins/index.ts';
import { api, bearer, bootstrapAdmin, type IssuedKey, issueKey } from '../../support/client.ts';
import { type Device, deviceOf } from '../../support/device.ts';
import {
  discard,
  emptyPlace,
  environmentOf,
  newDataDir,
  newPlace,
  type Place,
  startService,
  type TestService,
} from '../../support/service.ts';

const PAGES = [
  '/supplements/magnesium',
  '/supplements',
  '/conditions',
  '/interactions',
  '/graph',
  '/explore/sources',
  '/changes',
];
const ANSWERS = [
  '/api/sources?page_size=200',
  '/api/supplements/magnesium',
  '/api/interactions/check?supplement=ginkgo&drug=warfarin',
  '/api/outcomes?page_size=100',
  '/api/products?q=magnesium',
  '/v1/evidence/search?q=magnesium%20sleep&top_k=50',
];

describe('backup and restore', function () {
  this.timeout(600_000);
  let place: Place;
  let folder = '';
  let admin: IssuedKey;
  let key: IssuedKey;
  let device: Device;
  let original: Record<string, string>;
  let lines: string[] = [];
  const restored: Place[] = [];

  const settings = { TRUSTED_PROXIES: '127.0.0.1' };
  const partsFor = (given: Place, more: Record<string, string> = {}) => ({
    config: loadConfig(allSettings(plugins), environmentOf(given, { ...settings, ...more }), null),
    log: createLog('silent'),
    version: '1.0.0',
    out: (line: string) => void lines.push(line),
  });
  const backup = (given: Place, to: string) => backupCommand(partsFor(given), [to]);
  const restore = (given: Place, from: string, more = {}) => restoreCommand(partsFor(given, more), [from]);
  const newTarget = async (): Promise<Place> => {
    const target = await emptyPlace();
    restored.push(target);
    return target;
  };

  /** Returns every compared response, with timings and timestamps removed. */
  const answersOf = async (service: TestService, of: Device): Promise<Record<string, string>> => {
    const all: Record<string, string> = {};
    for (const path of ANSWERS) {
      const { text } = await api(service)
        .get(path)
        .set(...bearer(key.key))
        .expect(200);
      all[path] = text.replace(/"(latency_ms|searched_at)":("[^"]*"|\d+)/g, '');
    }
    for (const path of PAGES) all[path] = (await api(service).get(path).expect(200)).text;
    all.days = (await of.get('/blood-test/trends').expect(200)).text;
    all.device = (await of.get('/api/account/export').expect(200)).text.replace(/"exported_at": ?"[^"]*"/, '');
    return all;
  };

  before(async () => {
    place = await newPlace();
    const service = await startService({ settings }, place);
    try {
      admin = await bootstrapAdmin(service);
      key = await issueKey(service, admin, { name: 'Käse "quoted" \\ and\nlines' });
      device = deviceOf(service);
      await device.postForm('/blood-test/supplement-log', {
        consent: 'true',
        name: 'magnesium',
        started_at: '2026-01-05',
      });
      await api(service).post('/api/feedback').send({ category: 'error', message: 'A null \u2028 and 🧪' }).expect(200);
      original = await answersOf(service, device);
      folder = join(await newDataDir(), 'backup');
      assert.equal(await backup(place, folder), 0);
    } finally {
      await service.stop();
    }
  });
  after(async () => {
    for (const one of [place, ...restored]) await discard(one);
  });

  it('restores every response and page byte for byte, with working keys and devices', async () => {
    const target = await newTarget();
    lines = [];
    assert.equal(await restore(target, folder), 0);
    assert.match(lines.join('\n'), /rows of .* are back/);
    const service = await startService({ settings }, target);
    try {
      const same = deviceOf(service, device.cookies);
      for (const [path, text] of Object.entries(await answersOf(service, same)))
        assert.equal(text, original[path], path);
      const own = await api(service)
        .get('/api/keys/me')
        .set(...bearer(key.key))
        .expect(200);
      assert.equal(own.body.name, 'Käse "quoted" \\ and\nlines');
      const entry = await same.postForm('/blood-test/supplement-log', {
        consent: 'true',
        name: 'zinc',
        started_at: '2026-02-01',
      });
      assert.equal(entry.status, 303, 'ids go on where they were');
      const again = join(await newDataDir(), 'again');
      assert.equal(await backup(target, again), 0);
      const [first, second] = await Promise.all([folder, again].map(async (one) => sums(one)));
      for (const [name, sha256] of Object.entries(first ?? {}))
        if (/^(evidence_source|supplement$|interaction|outcome|product)/.test(name))
          assert.equal(second?.[name], sha256, name);
    } finally {
      await service.stop();
    }
  });

  it('writes a backup that only its owner can read, seals device data and describes the contents', async () => {
    for (const name of ['', 'manifest.json', 'tables/api_key.jsonl.gz', 'files/app-secret'])
      assert.equal((await stat(join(folder, name))).mode & 0o077, 0, `${name} can be read by others`);
    const { migrations, tables, secret } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
    assert.equal(migrations[0], '0001-core-tables');
    assert.equal(secret.is_inside, true);
    const logs = tables.find(({ name }: { name: string }) => name === 'supplement_log');
    assert.equal(logs.rows, 1);
    const text = gunzipSync(await readFile(join(folder, logs.file))).toString();
    assert.ok(!text.includes('magnesium'), 'what a person takes is sealed in it');
  });

  it('refuses to restore into a database that is not empty', async () => {
    const target = await newPlace();
    restored.push(target);
    await rm(join(target.dataDir, 'app-secret'), { force: true });
    await assert.rejects(restore(target, folder), /not empty/);
  });

  it('rejects a missing, altered, malformed or newer backup before it writes anything', async () => {
    const broken = async (change: (copy: string) => Promise<unknown>): Promise<string> => {
      const copy = join(await newDataDir(), 'broken');
      await cp(folder, copy, { recursive: true });
      await change(copy);
      return copy;
    };
    const edited = (edit: (manifest: Record<string, unknown>) => void) =>
      broken(async (copy) => {
        const manifest = JSON.parse(await readFile(join(copy, 'manifest.json'), 'utf8'));
        edit(manifest);
        await writeFile(join(copy, 'manifest.json'), JSON.stringify(manifest));
      });
    const target = await newTarget();
    const cases: [Promise<string>, RegExp][] = [
      [broken((copy) => rm(join(copy, 'tables/evidence_source.jsonl.gz'))), /lacks tables\/evidence_source/],
      [broken((copy) => appendFile(join(copy, 'tables/evidence_source.jsonl.gz'), 'x')), /checksum/],
      [broken((copy) => rm(join(copy, 'manifest.json'))), /no finished backup/],
      [broken((copy) => writeFile(join(copy, 'manifest.json'), '{')), /not as a backup/],
      [edited((manifest) => Object.assign(manifest, { format: 99 })), /format 99/],
      [
        edited((manifest) => (manifest.migrations as string[]).push('9999-future')),
        /newer version \(it has 9999-future\)/,
      ],
      [
        edited((manifest) => {
          const [first] = manifest.tables as { file: string }[];
          if (first) first.file = '../../../etc/passwd';
        }),
        /not as a backup/,
      ],
    ];
    for (const [copy, words] of cases) await assert.rejects(restore(target, await copy), words);
    assert.deepEqual(
      (await readdir(target.dataDir)).filter((name) => name !== 'db'),
      [],
    );
  });

  it('requires the secret that sealed the rows', async () => {
    const target = await newTarget();
    await writeFile(join(target.dataDir, 'app-secret'), 'another');
    await assert.rejects(restore(target, folder), /another secret/);
    const sealed = join(await newDataDir(), 'sealed');
    await cp(folder, sealed, { recursive: true });
    const manifest = JSON.parse(await readFile(join(sealed, 'manifest.json'), 'utf8'));
    manifest.files = [];
    manifest.secret.is_inside = false;
    await writeFile(join(sealed, 'manifest.json'), JSON.stringify(manifest));
    const other = await newTarget();
    await assert.rejects(restore(other, sealed), /set the same one/);
    await assert.rejects(
      restore(other, sealed, { APP_SECRET: 'another secret that is long enough to start' }),
      /APP_SECRET is another/,
    );
  });

  it('refuses to overwrite an existing folder and prints its usage without an argument', async () => {
    await assert.rejects(backup(place, folder), /is there already/);
    lines = [];
    assert.equal(await backupCommand(partsFor(place), []), 2);
    assert.match(lines.join(), /usage/);
  });
});

const sums = async (folder: string): Promise<Record<string, string>> => {
  const { tables } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  return Object.fromEntries(tables.map(({ name, sha256 }: { name: string; sha256: string }) => [name, sha256]));
};
