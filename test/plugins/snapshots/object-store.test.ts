/** Tests snapshots in an S3-compatible store: streaming uploads, range requests and atomic publication. */
import { strict as assert } from 'node:assert';
import { rm } from 'node:fs/promises';
import { countOf } from '../../support/database.ts';
import { type S3Server, startS3Server } from '../../support/s3-server.ts';
import { startService, type TestService } from '../../support/service.ts';
import { checkSums, fetchAll, makeSnapshot, manifestOf, urlOf } from './support.ts';

const credentials = { region: 'eu-test-1', bucket: 'snaps', accessKeyId: 'AKTEST', secretAccessKey: 'secret/+=' };

describe('snapshots in an S3-compatible store', function () {
  this.timeout(600_000);
  let store: S3Server;
  let service: TestService;
  before(async () => {
    store = await startS3Server(credentials);
    service = await startService({
      settings: {
        STARTER_PRODUCTS: 'none',
        STARTER_EVIDENCE: 'none',
        S3_ENDPOINT: store.endpoint,
        S3_REGION: credentials.region,
        S3_BUCKET: credentials.bucket,
        S3_ACCESS_KEY_ID: credentials.accessKeyId,
        S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      },
    });
  });
  after(async () => {
    await service?.stop();
    await store?.stop();
  });

  it('are not published while a file is missing', async () => {
    store.failNext(503, 1_000);
    const outcome = await makeSnapshot(service);
    assert.equal(outcome.status, 'failed');
    assert.equal(await countOf(service, 'snapshot'), 0);
    store.failNext(503, 0);
  });

  it('are published when all files are stored, and can be fetched whole and by range', async () => {
    const outcome = await makeSnapshot(service);
    assert.equal(outcome.status, 'ok', JSON.stringify(outcome));
    const manifest = await manifestOf(service);
    assert.equal(store.objects.size, manifest.files.length);
    assert.equal(store.objects.get(`snapshots/${manifest.id}/sources.jsonl.gz`)?.type, 'application/gzip');
    const folder = await fetchAll(service, manifest);
    assert.match(await checkSums(folder), /^sources\.jsonl\.gz: OK$/m);
    await rm(folder, { recursive: true });
    const [file] = manifest.files;
    assert.ok(file);
    const whole = store.objects.get(`snapshots/${manifest.id}/${file.name}`)?.body;
    const part = await fetch(urlOf(service, file), { headers: { Range: 'bytes=10-99' } });
    assert.equal(part.status, 206);
    assert.ok(whole && Buffer.from(await part.arrayBuffer()).equals(whole.subarray(10, 100)));
  });

  it('return 404 for a file deleted from the store, and 503 while the store is unavailable', async () => {
    const manifest = await manifestOf(service);
    const [file] = manifest.files;
    assert.ok(file);
    store.objects.delete(`snapshots/${manifest.id}/${file.name}`);
    assert.equal((await fetch(urlOf(service, file))).status, 404);
    store.failNext(503, 3);
    assert.equal((await fetch(urlOf(service, file))).status, 503);
  });
});
