import { strict as assert } from 'node:assert';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coreSettings, loadConfig } from '../../../core/config.ts';
import { AppError, OperatorError } from '../../../core/errors.ts';
import { createLog } from '../../../core/log.ts';
import { fileObjects } from '../../../core/storage/file-objects.ts';
import { type ObjectStore, openObjectStore } from '../../../core/storage/object-store.ts';
import { s3Objects } from '../../../core/storage/s3-objects.ts';
import { type S3Server, startS3Server } from '../../support/s3-server.ts';
import { describeObjectStore } from './object-store-contract.ts';

const log = createLog('silent');
const credentials = { region: 'eu-test-1', bucket: 'labels', accessKeyId: 'AKTEST', secretAccessKey: 'secret/+=' };

describe('file object store', () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'ekb-objects-'));
  });
  after(() => rm(root, { recursive: true }));

  describeObjectStore(async () => fileObjects(root));

  it('leaves no empty folder, even during concurrent writes', async () => {
    const store = fileObjects(root);
    const keys = Array.from({ length: 40 }, (_, at) => `lab-uploads/rep_${at % 4}/${at}.bin`);
    for (let round = 0; round < 5; round += 1)
      await Promise.all(
        keys.map(async (key) => {
          await store.put(key, Buffer.from('x'));
          await store.remove(key);
        }),
      );
    await assert.rejects(readdir(join(root, 'lab-uploads')), { code: 'ENOENT' });
  });

  it('leaves no partial file, and deletes those of a killed writer after an hour', async () => {
    await mkdir(join(root, '.partial'), { recursive: true });
    const [old, fresh] = [join(root, '.partial', 'old'), join(root, '.partial', 'fresh')];
    for (const path of [old, fresh]) await writeFile(path, 'half');
    const hoursAgo = new Date(Date.now() - 2 * 3_600_000);
    await utimes(old, hoursAgo, hoursAgo);
    await fileObjects(root).put('a/next.webp', Buffer.from('x'));
    assert.deepEqual(await readdir(join(root, '.partial')), ['fresh']);
  });
});

describe('S3 object store', () => {
  let server: S3Server;
  before(async () => {
    server = await startS3Server(credentials);
  });
  after(() => server.stop());

  describeObjectStore(async () => s3Objects({ endpoint: server.endpoint, ...credentials }, log));

  const away = (error: unknown): boolean => error instanceof AppError && error.status === 503;
  const open = (rest: Partial<typeof credentials> = {}): ObjectStore =>
    s3Objects({ endpoint: server.endpoint, ...credentials, ...rest }, log);

  it('retries when the store is briefly busy, and fails with 503 when it stays busy', async () => {
    server.failNext(503, 2);
    await open().put('a/busy.webp', Buffer.from('x'));
    assert.equal(server.objects.get('a/busy.webp')?.type, 'image/webp');
    server.failNext(500, 3);
    await assert.rejects(open().get('a/busy.webp'), away);
  });

  it('sends a file again from its start when the store is briefly busy', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'ekb-again-')), 'file');
    await writeFile(path, Buffer.alloc(200_000, 7));
    server.failNext(503, 2);
    await open().putFile('a/again.bin', path);
    assert.ok(server.objects.get('a/again.bin')?.body.equals(Buffer.alloc(200_000, 7)));
    await rm(path);
  });

  it('fails with 503 when the store cannot be reached', async () => {
    const nowhere = s3Objects({ endpoint: 'http://127.0.0.1:9', ...credentials }, log);
    await assert.rejects(nowhere.get('a/one.webp'), away);
  });

  it('fails with the store’s reason when the signature is rejected, and stores nothing', async () => {
    const wrong = open({ secretAccessKey: 'other' });
    await assert.rejects(wrong.put('a/wrong.webp', Buffer.from('x')), /403 SignatureDoesNotMatch/);
    await assert.rejects(open({ region: 'elsewhere' }).get('a/one.webp'), /403 InvalidAccessKeyId/);
    assert.equal(server.objects.has('a/wrong.webp'), false);
  });

  it('fails when the bucket does not exist', async () => {
    await assert.rejects(open({ bucket: 'none' }).put('a/one.webp', Buffer.from('x')), /no such bucket/);
  });
});

describe('object store settings', () => {
  const open = (environment: Record<string, string>) =>
    openObjectStore(loadConfig(coreSettings, { DATA_DIR: tmpdir(), ...environment }, null), log);

  it('select files without an endpoint, and require the other S3 settings with one', () => {
    assert.equal(open({}).kind, 'files');
    const s3 = { S3_ENDPOINT: 'http://store.test', S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'k', S3_SECRET_ACCESS_KEY: 's' };
    assert.equal(open(s3).kind, 's3');
    assert.throws(
      () => open({ ...s3, S3_BUCKET: '', S3_SECRET_ACCESS_KEY: '' }),
      (error) => error instanceof OperatorError && /needs S3_BUCKET, S3_SECRET_ACCESS_KEY too/.test(error.message),
    );
  });
});
