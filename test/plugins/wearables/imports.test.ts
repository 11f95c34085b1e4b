import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { newFileKey } from '#plugins/wearables/imports/files.ts';
import { addImport, newImportId } from '#plugins/wearables/imports/import-store.ts';
import { wearablesPlugin } from '#plugins/wearables/index.ts';
import type { WearableServices } from '#plugins/wearables/services.ts';
import { exportWith, hostileObservation } from '../../../bench/attacks/made-files.ts';
import { sql } from '../../support/database.ts';
import { type Device, deviceOf } from '../../support/device.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';
import { until } from '../../support/until.ts';
import { clinical, exportXml, observation, record, zipOf } from './support.ts';

const FERRITIN = '2276-4';

describe('POST /wearables/phone-health', function () {
  this.timeout(300_000);
  let service: SharedService;
  let device: Device;
  before(async () => {
    service = await sharedService();
  });
  beforeEach(() => {
    device = deviceOf(service);
  });

  const send = (file: Buffer | string, path = '/wearables/phone-health') =>
    device
      .post(path)
      .field('consent', 'true')
      .attach('file', Buffer.from(file as string), 'export.zip');
  /** Sends a file, follows the progress page when the machine is slow, and returns the final location. */
  const sendAndFollow = async (...given: Parameters<typeof send>): Promise<string> => {
    const { headers } = await send(...given).expect(303);
    if (headers.location !== '/wearables/progress') return headers.location as string;
    return until(async () => (await device.get('/wearables/progress')).headers.location, 'the end of the reading');
  };
  const daily = async () => (await device.get('/api/account/export').expect(200)).body.wearable_daily;
  const reports = async () => (await device.get('/api/account/export').expect(200)).body.reports;
  const services = () => service.runtime.servicesOf(wearablesPlugin) as WearableServices;
  const place = () => services().files.place;
  const STEPS = record('StepCount', '4000');

  it('stores the days, reports what was read, and deletes the file', async () => {
    const place = await sendAndFollow(exportXml(STEPS, record('BodyMass', '70.5', { unit: 'kg' })));
    assert.equal(place, '/wearables/success');
    const { text } = await device.get('/wearables/success').expect(200);
    assert.match(text, /Read: 2 records\. Made of them: 1 day,/);
    assert.match(text, /made on 10 March 2026/);
    const [day, ...others] = await daily();
    assert.deepEqual(
      [day.date, day.tz, day.source, day.steps, day.weight_kg, day.spo2_pct],
      ['2026-03-01', '+01:00', 'iPhone', 4000, 70.5, null],
    );
    assert.deepEqual(others, []);
    assert.deepEqual(await readdir(join(service.dataDir, 'wearable-imports')), []);
    const { body } = await device.get('/wearables/status').expect(200);
    assert.deepEqual(
      [body.phone_health.days, body.phone_health.records, body.daily_rows, body.reading],
      [1, 2, 1, null],
    );
    const page = await device.get('/wearables/data').expect(200);
    assert.match(page.text, /<strong>4,000<\/strong>/);
    assert.match(page.text, /Of which nothing is known/);
  });

  it('adds laboratory values of clinical records to the reports, unconfirmed and without duplicates', async () => {
    const zip = await zipOf({
      'apple_health_export/export.xml': exportXml(STEPS, clinical('obs-1', 'a.json')),
      'apple_health_export/clinical-records/a.json': observation('obs-1', FERRITIN, 46, 'ng/mL'),
    });
    assert.match(
      await sendAndFollow(zip, '/wearables/apple-health'),
      /^\/blood-test\/results\?report_id=rep_[0-9a-f]{32}$/,
    );
    const [report, ...none] = await reports();
    assert.deepEqual(none, []);
    assert.deepEqual(
      [
        report.source_type,
        report.collected_at,
        report.sex,
        report.birth_year,
        report.markers[0].slug,
        report.markers[0].confirmed,
      ],
      ['phone_health', '2026-03-04', 'female', 1980, 'ferritin', false],
    );
    const again = await zipOf({
      'apple_health_export/export.xml': exportXml(STEPS, clinical('obs-1', 'b.json'), clinical('obs-2', 'c.json')),
      'apple_health_export/clinical-records/b.json': observation('obs-1', FERRITIN, 46, 'ng/mL'),
      'apple_health_export/clinical-records/c.json': observation('obs-2', FERRITIN, 52, 'ng/mL'),
    });
    await sendAndFollow(again);
    assert.deepEqual(
      (await reports()).map(({ markers }: { markers: { value: number }[] }) => markers.map(({ value }) => value)),
      [[52], [46]],
    );
    assert.match((await device.get('/wearables/success').expect(200)).text, /1 were known from an earlier export/);
  });

  it('reads an export with a hostile clinical record without storing its values', async () => {
    const zip = await exportWith(hostileObservation());
    assert.ok(zip.length < 60_000, 'it is small to send');
    await send(zip).expect(303);
    const { text } = await until(async () => {
      const page = await device.get('/wearables/success');
      return page.status === 200 && page;
    }, 'the end of its reading');
    assert.match(text, /more than we take from one file/);
    assert.deepEqual(await reports(), []);
  });

  it('does not retry an import that a server stop interrupted, and informs the person', async () => {
    await sendAndFollow(exportXml(STEPS));
    const { db, secrets } = service.runtime;
    const importId = newImportId();
    const kept = { name: 'export.zip', bytes: 10, key: newFileKey(), outcome: null, report: null };
    await db.write(async (em) => {
      await addImport({ em, secrets, device: device.hash }, { importId, place: place(), sender: 'a', kept });
      // This is the state that a killed server leaves.
      await em.execute(
        `update wearable_import set state = 'reading', attempts = 1, claimed_until = now() - interval '1 minute'
         where id = ?`,
        [importId],
      );
    });
    services().imports.wake();
    await until(
      async () =>
        (await sql(service, "select 1 from wearable_import where id = ? and state = 'ready'", [importId])).length,
      'the end of the import',
    );
    const { text } = await device.get('/wearables/success').expect(200);
    assert.match(text, /the server stopped while it was being read/);
  });

  it('replaces the days of an earlier export without duplicates', async () => {
    await sendAndFollow(exportXml(STEPS));
    await sendAndFollow(
      exportXml(
        STEPS,
        record('StepCount', '500', { startDate: '2026-03-01 20:00:00 +0100', endDate: '2026-03-01 20:05:00 +0100' }),
      ),
    );
    assert.deepEqual(
      (await daily()).map(({ steps }: { steps: number }) => steps),
      [4500],
    );
  });

  it('shows the days with entries of the supplement log', async () => {
    await sendAndFollow(exportXml(STEPS));
    await device
      .post('/blood-test/supplement-log')
      .send({ consent: true, supplement_slug: 'iron', started_at: '2026-03-01' })
      .expect(200);
    const { text } = await device.get('/wearables/data').expect(200);
    assert.match(text, /Iron: started 1 March 2026/);
    assert.match(text, /does not show why it does/);
  });

  it('explains an error in the file, and stores nothing of it', async () => {
    const whole = exportXml(STEPS);
    for (const [file, words] of [
      [whole.slice(0, -40), /ends in the middle, so nothing of it was kept/],
      ['<?xml version="1.0"?><gpx><trk/></gpx>', /is no health export of a phone/],
      [await zipOf({ 'notes.txt': 'nothing' }), /without an export\.xml in it/],
    ] as const) {
      const answer = await send(file).expect(303);
      assert.equal(answer.headers.location, '/wearables/success');
      assert.match((await device.get('/wearables/success').expect(200)).text, words);
    }
    assert.deepEqual(await daily(), []);
  });

  it('rejects files that are not exports, empty or missing', async () => {
    await send(Buffer.from('%PDF-1.7')).expect(415);
    await send(Buffer.alloc(0)).expect(422);
    await device.post('/wearables/phone-health').field('consent', 'true').expect(422);
    assert.deepEqual(await sql(service, 'select id from wearable_import where device = ?', [device.hash]), []);
  });

  it('deletes the days but not the reports, or deletes everything including the cookie', async () => {
    const zip = await zipOf({
      'export.xml': exportXml(STEPS, clinical('obs-1', 'a.json')),
      'clinical-records/a.json': observation('obs-1', FERRITIN, 46, 'ng/mL'),
    });
    await send(zip).expect(303);
    const back = await device.postForm('/wearables/data/delete-wearable-data', {});
    assert.equal(back.headers.location, '/wearables/data?notice=deleted');
    assert.deepEqual([(await daily()).length, (await reports()).length], [0, 1]);
    await device.postForm('/wearables/data/delete-all', {});
    assert.equal(device.cookies.length, 0);
  });
});
