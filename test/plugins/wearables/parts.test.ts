import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { runJob } from '../../../core/jobs/scheduler.ts';
import { findUpload } from '../../../plugins/wearables/imports/uploads.ts';
import { wearablesPlugin } from '../../../plugins/wearables/index.ts';
import { sweepImports } from '../../../plugins/wearables/jobs.ts';
import type { WearableServices } from '../../../plugins/wearables/services.ts';
import { countOf, sql } from '../../support/database.ts';
import { type Device, deviceOf } from '../../support/device.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';
import { until } from '../../support/until.ts';
import { exportXml, record, zipOf } from './support.ts';
import { bodyOf, create, metadataOf, offsetOf, PARTS, TUS, type Uploader, uploader } from './tus-client.ts';

const XML = Buffer.from(exportXml(...Array.from({ length: 2_000 }, () => record('BodyMass', '70.5', { unit: 'kg' }))));
const GIGABYTE = 1024 ** 3;

describe('resumable upload of a phone health export', function () {
  this.timeout(180_000);
  let service: SharedService;
  let device: Device;
  let send: Uploader;
  before(async () => {
    service = await sharedService();
  });
  beforeEach(() => {
    device = deviceOf(service);
    send = uploader(service.url, device);
  });

  const files = async (): Promise<readonly string[]> =>
    readdir(join(service.dataDir, 'wearable-imports')).catch(() => []);
  /** Returns the result page of the last export, once it has been read. */
  const success = async (): Promise<string> => {
    await until(async () => !(await device.get('/wearables/status').expect(200)).body.reading);
    return (await device.get('/wearables/success').expect(200)).text;
  };
  const imports = () => countOf(service, 'wearable_import where device = ?', [device.hash]);
  const sweep = () => runJob(service.runtime, wearablesPlugin, sweepImports as never);

  it('resumes after a broken connection, and completes like the form', async () => {
    const path = await create(device, XML.length, 'export.xml');
    assert.equal((await send.patch(path, 0, XML.subarray(0, 1_001))).status, 204);
    const line = await send.begin(path, { from: 1_001, bytes: XML.length - 1_001, body: XML.subarray(1_001, 70_000) });
    line.destroy();
    const head = await send.head(path);
    assert.deepEqual(
      [head.status, offsetOf(head), head.headers['upload-length'], head.headers['cache-control']],
      [200, 70_000, String(XML.length), 'no-store'],
    );
    const mine = join(service.dataDir, 'wearable-imports', `imp_${path.split('/').at(-1)}.bin`);
    const kept = await readFile(mine);
    assert.equal(kept.length, 70_000);
    assert.ok(!kept.includes('<Record') && !kept.includes('HealthData'), 'nothing lies in the clear');
    const last = await send.patch(path, 70_000, XML.subarray(70_000));
    assert.deepEqual([last.status, offsetOf(last)], [204, XML.length]);
    assert.match(await success(), /Read: 2,000 records\. Made of them: 1 day,/);
    const [day] = (await device.get('/api/account/export').expect(200)).body.wearable_daily;
    assert.equal(day.weight_kg, 70.5);
    assert.match((await device.get('/my-data').expect(200)).text, /phone/);
    const [consent] = await sql(service, 'select subject, is_given from device_consent where device = ?', [
      device.hash,
    ]);
    assert.deepEqual([consent?.subject, consent?.is_given], ['phone_health', true]);
    // The file is deleted just after the status reports the end, not before.
    const name = `imp_${path.split('/').at(-1)}.bin`;
    for (let turn = 0; turn < 50 && (await files()).includes(name); turn += 1) await sleep(100);
    assert.ok(!(await files()).includes(name));
  });

  it('is imported once, even when its end is requested several times', async () => {
    const path = await create(device, XML.length);
    await send.patch(path, 0, XML);
    for (const answer of [
      await send.head(path),
      await send.patch(path, XML.length, Buffer.alloc(0)),
      await send.head(path),
    ])
      assert.deepEqual([answer.status < 300, offsetOf(answer)], [true, XML.length]);
    await success();
    assert.equal((await send.head(path)).status, 200);
    assert.equal((await send.remove(path)).status, 422);
    assert.equal(await imports(), 1);
  });

  it('is imported on HEAD when the end was never confirmed', async () => {
    const path = await create(device, XML.length);
    await send.patch(path, 0, XML.subarray(0, -1));
    // This is the state after a kill between the last byte and the following steps.
    const { db, secrets } = service.runtime;
    const upload = await db.read((em) =>
      findUpload({ em, secrets, device: device.hash }, path.split('/').at(-1) ?? ''),
    );
    assert.ok(upload?.key);
    const { files: kept } = service.runtime.servicesOf(wearablesPlugin) as WearableServices;
    await kept.append(upload.importId, upload.key, {
      from: XML.length - 1,
      pieces: Readable.from([XML.subarray(-1)]),
      onKept: async () => undefined,
    });
    assert.equal(await imports(), 0);
    assert.equal(offsetOf(await send.head(path)), XML.length);
    assert.match(await success(), /Read: 2,000 records/);
    assert.equal(await imports(), 1);
  });

  it('can be resumed while a dead connection is still open', async () => {
    const path = await create(device, XML.length);
    const dead = await send.begin(path, { from: 0, bytes: XML.length, body: XML.subarray(0, 50_000) });
    assert.equal(offsetOf(await send.head(path)), 50_000);
    const last = await send.patch(path, 50_000, XML.subarray(50_000));
    assert.deepEqual([last.status, offsetOf(last)], [204, XML.length]);
    dead.destroy();
    assert.match(await success(), /Read: 2,000 records/);
  });

  it('is accessible only to its own device and from its own site', async () => {
    const path = await create(device, XML.length);
    const other = deviceOf(service);
    await create(other, 5);
    const theirs = uploader(service.url, other);
    for (const answer of [
      await theirs.head(path),
      await theirs.patch(path, 0, XML),
      await theirs.remove(path),
      await uploader(service.url, { cookies: [] }).head(path),
    ])
      assert.equal(answer.status, 404);
    const foreign: Record<string, string>[] = [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'http://elsewhere.test' }];
    for (const headers of foreign)
      for (const answer of [await send.patch(path, 0, XML, headers), await send.remove(path, headers)])
        assert.deepEqual([answer.status, bodyOf(answer).code], [403, 'cross_site_request']);
    assert.equal(offsetOf(await send.head(path)), 0);
  });

  it('is rejected as too large by total or type limit, as soon as the size is known', async () => {
    const whole = await device
      .post(PARTS)
      .set({ ...TUS, 'Upload-Length': String(4 * GIGABYTE + 1) })
      .expect(413);
    assert.deepEqual([whole.body.code, whole.body.max_bytes], ['file_too_large', 4 * GIGABYTE]);
    const path = await create(device, GIGABYTE + 1);
    const start = await zipOf({ 'export.xml': XML });
    const answer = await send.patch(path, 0, start.subarray(0, 600));
    assert.deepEqual([answer.status, bodyOf(answer).max_bytes], [413, GIGABYTE]);
    assert.equal((await send.head(path)).status, 404);
    const more = await create(device, 1_000);
    const longer = await send.patch(more, 0, XML.subarray(0, 1_001));
    assert.deepEqual([longer.status, bodyOf(longer).max_bytes], [413, 1_000]);
  });

  it('is rejected for a wrong offset, wrong protocol version, missing length or wrong content type', async () => {
    const path = await create(device, XML.length);
    await send.patch(path, 0, XML.subarray(0, 10));
    const wrong = await send.patch(path, 11, XML.subarray(11, 20));
    assert.deepEqual([wrong.status, bodyOf(wrong).code], [409, 'upload_offset_conflict']);
    const old = await send.send('HEAD', path, { 'Tus-Resumable': '0.2.2' });
    assert.deepEqual([old.status, old.headers['tus-version']], [412, '1.0.0']);
    await device
      .post(PARTS)
      .set({ ...TUS, 'Upload-Length': '0' })
      .expect(422);
    await device.post(PARTS).set(TUS).expect(422);
    assert.equal(
      (await send.send('PATCH', path, { ...TUS, 'Upload-Offset': '10', 'Content-Type': 'text/plain' })).status,
      415,
    );
    assert.equal((await send.send('HEAD', `${PARTS}/nothing`, TUS)).status, 422);
    const told = await send.send('OPTIONS', PARTS, {});
    assert.deepEqual(
      [
        told.status,
        told.headers['tus-extension'],
        told.headers['tus-max-size'],
        told.headers['access-control-allow-methods'],
      ],
      [204, 'creation,termination,expiration', String(4 * GIGABYTE), undefined],
    );
  });

  it('reports errors in a file as the form does, and stores nothing of it', async () => {
    const pdf = Buffer.from('%PDF-1.7'.padEnd(2_000));
    const path = await create(device, pdf.length);
    const answer = await send.patch(path, 0, pdf);
    assert.deepEqual([answer.status, bodyOf(answer).code], [415, 'unsupported_type']);
    assert.equal((await send.head(path)).status, 404);
    for (const [file, words] of [
      [Buffer.from('<?xml version="1.0"?><gpx><trk/></gpx>'), /is no health export of a phone/],
      [
        Buffer.from('<?xml version="1.0"?><!DOCTYPE HealthData [<!ENTITY a "b">]><HealthData/>'),
        /unpacks to far more than any export does/,
      ],
    ] as const) {
      const next = await create(device, file.length);
      assert.equal((await send.patch(next, 0, file)).status, 204);
      assert.match(await success(), words);
    }
  });

  it('can be cancelled, and is replaced by newer uploads of its device', async () => {
    const first = await create(device, XML.length);
    await send.patch(first, 0, XML.subarray(0, 600));
    const others = [await create(device, 10), await create(device, 10), await create(device, 10)];
    assert.equal((await send.head(first)).status, 404);
    assert.equal((await send.remove(others[0] ?? '')).status, 204);
    assert.equal((await send.head(others[0] ?? '')).status, 404);
    assert.ok(!(await files()).includes(`imp_${first.split('/').at(-1)}.bin`));
  });

  it('expires after a day, and is deleted with the other data of the device', async () => {
    const nameOf = (path: string) => `imp_${path.split('/').at(-1)}.bin`;
    const [old, kept] = [await create(device, XML.length), await create(device, XML.length)];
    for (const path of [old, kept]) await send.patch(path, 0, XML.subarray(0, 600));
    await sql(service, "update wearable_upload set created_at = now() - interval '25 hours' where id = ?", [
      old.split('/').at(-1),
    ]);
    assert.equal((await send.head(old)).status, 404);
    await sweep();
    assert.deepEqual([(await files()).includes(nameOf(old)), (await files()).includes(nameOf(kept))], [false, true]);
    assert.match((await device.get('/my-data').expect(200)).text, /unfinished uploads of a phone’s health export/);
    await device.postForm('/wearables/data/delete-wearable-data', {});
    assert.deepEqual([(await send.head(kept)).status, (await files()).includes(nameOf(kept))], [404, false]);
    const last = await create(device, XML.length);
    await send.patch(last, 0, XML.subarray(0, 600));
    await device.postForm('/wearables/data/delete-all', {});
    assert.ok(!(await files()).includes(nameOf(last)));
    assert.equal(await countOf(service, 'wearable_upload where id = ?', [last.split('/').at(-1)]), 0);
  });

  it('is rejected while an export of the device is being read', async () => {
    await create(device, 10);
    await sql(
      service,
      "insert into wearable_import (id, device, state, place, sealed) values ('imp_elsewhere', ?, 'waiting', 'elsewhere', '')",
      [device.hash],
    );
    const answer = await device
      .post(PARTS)
      .set({ ...TUS, 'Upload-Length': '10', 'Upload-Metadata': metadataOf({ consent: 'true' }) })
      .expect(409);
    assert.equal(answer.body.detail, 'An export of yours is being read already. Wait until it is done.');
    await sql(service, "delete from wearable_import where id = 'imp_elsewhere'");
  });

  describe('limits shared with other uploads', () => {
    const begin = (whose: Device = deviceOf(service), address?: string) => {
      const request = whose
        .post(PARTS)
        .set({ ...TUS, 'Upload-Length': '1000000', 'Upload-Metadata': metadataOf({ consent: 'true' }) });
      return address ? request.set('X-Forwarded-For', address) : request;
    };
    const open = (where: string, given: readonly string[] = []) =>
      countOf(service, `wearable_upload where done_at is null and ${where}`, given);
    afterEach(() => sql(service, 'delete from wearable_upload'));

    it('allow an upload alongside any number of uploads without data', async () => {
      for (let at = 0; at < 45; at += 1) await begin().expect(201);
      await begin().expect(201);
    });

    it('replace the longest idle upload of the same address only', async () => {
      await begin().expect(201);
      for (let at = 0; at < 4; at += 1) await begin(deviceOf(service), '10.79.0.1').expect(201);
      const [{ sender } = { sender: '' }] = await sql(
        service,
        'select sender from wearable_upload group by sender having count(*) = 4',
      );
      await sql(
        service,
        `insert into wearable_upload (id, device, place, bytes, sender, sealed, touched_at)
         select 'made_' || n, ?, 'elsewhere', 1, ?, '', now() - interval '2 hours' from generate_series(1, 16) n`,
        [await ownDevice(), sender],
      );
      await begin(deviceOf(service), '10.79.0.1').expect(201);
      assert.equal(await open('sender = ?', [String(sender)]), 20);
      assert.equal(await open('sender <> ?', [String(sender)]), 2);
    });

    it('replace an upload of the address with most disk usage, and return 503 when many share the disk', async () => {
      const { place } = (service.runtime.servicesOf(wearablesPlugin) as WearableServices).files;
      const owner = await ownDevice();
      const fill = (id: string, sender: string, gigabytes: number) =>
        sql(
          service,
          "insert into wearable_upload (id, device, place, bytes, sender, sealed, received) values (?, ?, ?, 1, ?, '', ?)",
          [id, owner, place, sender, String(gigabytes * GIGABYTE)],
        );
      await fill('a', 'greedy', 12);
      await fill('b', 'greedy', 11);
      await fill('c', 'other', 4);
      await begin().expect(201);
      assert.equal(await open("sender = 'greedy'"), 1);
      assert.equal(await open("sender = 'other'"), 1);
      await sql(service, 'delete from wearable_upload');
      for (const one of ['a', 'b', 'c', 'd', 'e']) await fill(one, one, 5);
      const refused = await begin().expect(503);
      assert.equal(refused.body.code, 'reduced_capacity');
      assert.equal(await open('received > 0'), 5);
    });
  });

  /** Returns the hash of a device that exists in the database. */
  async function ownDevice(): Promise<string> {
    const owner = deviceOf(service);
    await create(owner, 10);
    return owner.hash;
  }
});
