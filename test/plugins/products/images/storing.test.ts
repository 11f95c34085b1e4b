/** Tests which files an upload leaves when it is killed midway, and which of them the nightly sweep removes. */
import { strict as assert } from 'node:assert';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_SESSION } from '#core/http/session.ts';
import type { Database } from '#core/plugin.ts';
import { fileObjects } from '#core/storage/file-objects.ts';
import type { ObjectStore } from '#core/storage/object-store.ts';
import { createPictures, type Pictures } from '#plugins/products/images/pictures.ts';
import { createStats } from '#plugins/products/images/stats.ts';
import { storeUpload } from '#plugins/products/images/storing.ts';
import { sweepObjects } from '#plugins/products/images/sweep.ts';
import { api, bearer } from '../../../support/client.ts';
import { countOf, sql } from '../../../support/database.ts';
import { type S3Server, startS3Server } from '../../../support/s3-server.ts';
import { addProduct, adminPost, type ImageService, jpeg, startImageService, upload } from './support.ts';

const DAY_MS = 86_400_000;
const killed = new Error('killed');

describe('storing label images', () => {
  let service: ImageService;
  let folder: string;
  let objects: ObjectStore;
  let db: Database;
  let product = 930_000_000;
  const pictures: Pictures = createPictures();
  const signal = new AbortController().signal;
  before(async () => {
    service = await startImageService();
    db = service.runtime.db;
  });
  after(() => service.stop());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ekb-images-'));
    objects = fileObjects(join(folder, 'objects'));
    product += 1;
    await addProduct(service, product);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const store = async (bytes: Buffer, parts: { db?: Database; objects?: ObjectStore } = {}) => {
    const path = join(folder, 'upload');
    await writeFile(path, bytes);
    const fields = {
      kind: 'front',
      source: 'upload',
      license: 'CC0',
      attribution: '',
      makePrimary: false,
      mustWait: false,
      keyId: 'k',
    };
    return storeUpload({ db, objects, pictures, ...parts }, { dsldId: product, path, ...fields });
  };
  const rows = () => countOf(service, 'label_image where dsld_id = ?', [product]);
  const keys = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { key } of objects.entries('label-images/')) found.push(key);
    return found;
  };
  const dieAtPut = (nth: number): ObjectStore => {
    let puts = 0;
    return {
      ...objects,
      put: async (key, body) => {
        puts += 1;
        if (puts === nth) throw killed;
        await objects.put(key, body);
      },
    };
  };
  const dieAtWrite: () => Database = () => ({ ...db, write: async () => Promise.reject(killed) });
  const grow = (days: number) => Date.now() + days * DAY_MS;

  it('leaves no row when killed at any step, and a retry with the same bytes succeeds', async () => {
    const file = await jpeg();
    for (const parts of [{ objects: dieAtPut(1) }, { objects: dieAtPut(2) }, { db: dieAtWrite() }]) {
      await assert.rejects(store(file, parts), killed);
      assert.equal(await rows(), 0);
    }
    assert.equal((await keys()).length, 2);
    const { image, created } = await store(file);
    assert.deepEqual([created, await rows(), (await keys()).length], [true, 1, 2]);
    assert.ok((await keys()).every((key) => key.includes(image.sha256)));
  });

  it('sweeps only files that belong to no image and are more than a day old', async () => {
    const { image } = await store(await jpeg());
    await assert.rejects(store(await jpeg(), { db: dieAtWrite() }), killed);
    assert.deepEqual(await sweepObjects({ db, objects, signal }), { seen: 4, removed: 0 });
    assert.deepEqual(await sweepObjects({ db, objects, signal }, grow(1.1)), { seen: 4, removed: 2 });
    assert.ok((await keys()).every((key) => key.includes(image.sha256)));
    assert.deepEqual(await sweepObjects({ db, objects, signal }, grow(1.1)), { seen: 2, removed: 0 });
  });

  it('does not sweep a file that an upload stored again during the sweep', async () => {
    await assert.rejects(store(await jpeg(), { db: dieAtWrite() }), killed);
    const racing: ObjectStore = { ...objects, storedAt: async () => new Date(grow(2)) };
    assert.deepEqual(await sweepObjects({ db, objects: racing, signal }, grow(1.1)), { seen: 2, removed: 0 });
  });

  it('restores files missing from the object store when the same bytes are uploaded again', async () => {
    const bytes = await jpeg();
    const { image } = await store(bytes);
    const before = (await keys()).sort();
    for (const key of before) await objects.remove(key);
    const again = await store(bytes);
    assert.deepEqual([again.image.image_id, again.created], [image.image_id, false]);
    assert.deepEqual((await keys()).sort(), before);
  });

  it('does not sweep the files of a hidden image, which can be restored', async () => {
    const { image } = await store(await jpeg());
    await adminPost(service, `/api/label-image/${image.image_id}/status`).send({ status: 'hidden' }).expect(200);
    assert.deepEqual(await sweepObjects({ db, objects, signal }, grow(3)), { seen: 2, removed: 0 });
  });

  it('runs the sweep as a job on the object store of the installation', async () => {
    await upload(service, product, await jpeg()).expect(200);
    const root = join(service.dataDir, 'objects', 'label-images');
    const old = new Date(Date.now() - 2 * DAY_MS);
    const orphan = `${'ab'.repeat(32)}.webp`;
    await mkdir(join(root, 'ab'), { recursive: true });
    await writeFile(join(root, 'ab', orphan), 'x');
    await utimes(join(root, 'ab', orphan), old, old);
    const job = service.runtime.plugins.flatMap(({ jobs = [] }) => jobs).find(({ id }) => id === 'sweep_label_images');
    const plugin = service.runtime.plugins.find(({ name }) => name === 'products');
    assert.ok(job && plugin);
    const context = service.runtime.contextOf(plugin, {
      requestId: 'test',
      signal,
      principal: { kind: 'anonymous', address: '' },
      device: null,
      session: NO_SESSION,
    });
    assert.equal((await job.run(context)).removed, 1);
    assert.ok(!(await readdir(join(root, 'ab')).catch(() => [] as string[])).includes(orphan));
  });
});

describe('label images in an S3-compatible store', () => {
  const credentials = { region: 'us-east-1', bucket: 'labels', accessKeyId: 'AKTEST', secretAccessKey: 'secret' };
  let s3: S3Server;
  let service: ImageService;
  before(async () => {
    s3 = await startS3Server(credentials);
    service = await startImageService({
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET: credentials.bucket,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    });
  });
  after(async () => {
    await service.stop();
    await s3.stop();
  });

  it('are stored in and served from S3, and an upload returns 503 without a row while S3 is unavailable', async () => {
    const product = await addProduct(service, 940_000_001);
    s3.failNext(503, 9);
    await upload(service, product, await jpeg()).expect(503);
    assert.equal(await countOf(service, 'label_image'), 0);
    s3.failNext(0, 0);
    const { body } = await upload(service, product, await jpeg()).expect(200);
    assert.equal(s3.objects.size, 2);
    const file = await api(service).get(body.url).expect(200).responseType('blob');
    assert.equal((file.body as Buffer).length, body.bytes);
  });
});

describe('GET /api/label-image/stats', () => {
  let service: ImageService;
  const ids = [950_000_001, 950_000_002, 950_000_003];
  before(async () => {
    service = await startImageService();
    for (const id of ids) await addProduct(service, id);
    await addProduct(service, 950_000_004, false);
    await addProduct(service, 950_000_005, null);
  });
  after(() => service.stop());

  const stats = async () =>
    (
      await api(service)
        .get('/api/label-image/stats')
        .set(...bearer(service.key.key))
        .expect(200)
    ).body;

  it('counts coverage of products on the market, and caches the counts for 30 seconds', async () => {
    await upload(service, ids[0] ?? 0, await jpeg(), { kind: 'front' }).expect(200);
    await upload(service, ids[0] ?? 0, await jpeg(), { kind: 'facts', source: 'render' }).expect(200);
    await upload(service, 950_000_004, await jpeg(), { kind: 'front' }).expect(200);
    const first = await stats();
    assert.deepEqual(first.by_kind, { facts: 1, front: 2 });
    assert.deepEqual(first.by_source, { render: 1, upload: 2 });
    assert.deepEqual([first.images_total, first.products_with_image, first.ttl_seconds], [3, 1, 30]);
    const missing = await sql(
      service,
      `select dsld_id from product where on_market and removed_at is null and dsld_id <> ? order by dsld_id`,
      [ids[0]],
    );
    assert.equal(first.on_market_products, missing.length + 1);
    assert.equal(first.known_missing_count, missing.length);
    assert.deepEqual(
      first.known_missing,
      missing.slice(0, 200).map(({ dsld_id }) => dsld_id),
    );
    assert.equal(first.coverage_pct, Math.round(10_000 / first.on_market_products) / 100);
    await upload(service, ids[1] ?? 0, await jpeg()).expect(200);
    assert.deepEqual(await stats(), first);
  });

  it('counts again after 30 seconds, and shares one count among concurrent callers', async () => {
    let [now, reads] = [1_000_000, 0];
    const { db } = service.runtime;
    const counted: Database = {
      ...db,
      read: (work) => {
        reads += 1;
        return db.read(work);
      },
    };
    const read = createStats(counted, () => now);
    const [one, two] = await Promise.all([read(), read()]);
    now += 29_999;
    const three = await read();
    assert.deepEqual([one, one, 1], [two, three, reads]);
    now += 1;
    assert.notEqual((await read()).generated_at, one.generated_at);
    assert.equal(reads, 2);
  });

  it('does not cache a failed count', async () => {
    const { db } = service.runtime;
    let fails = true;
    const read = createStats({ ...db, read: (work) => (fails ? Promise.reject(killed) : db.read(work)) });
    await assert.rejects(read(), killed);
    fails = false;
    assert.equal((await read()).ttl_seconds, 30);
  });

  it('is rate-limited by address when no key is sent', async () => {
    const { headers } = await api(service).get('/api/label-image/stats').expect(200);
    assert.match(String(headers.ratelimit), /"minute";r=29/);
  });
});
