/** Tests that health data are accepted only with consent, on every route. */
import assert from 'node:assert/strict';
import type supertest from 'supertest';
import { sql } from '../../support/database.ts';
import { type Device, deviceOf } from '../../support/device.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';
import { LINES, reportPdf } from '../labs/support.ts';
import { exportXml, record } from '../wearables/support.ts';
import { PARTS, TUS } from '../wearables/tus-client.ts';

const OBSERVATION = {
  resourceType: 'Observation',
  status: 'final',
  code: { coding: [{ system: 'http://loinc.org', code: '2276-4' }], text: 'Ferritin' },
  effectiveDateTime: '2026-03-01',
  valueQuantity: { value: 46, unit: 'ng/mL', system: 'http://unitsofmeasure.org', code: 'ng/mL' },
};

const inBase64 = (text: string): string => Buffer.from(text).toString('base64');

type Send = (device: Device, consent: string | null) => supertest.Test;

const withConsent = (request: supertest.Test, consent: string | null): supertest.Test =>
  consent === null ? request : request.field('consent', consent);

const inJson =
  (path: string, body: object): Send =>
  (device, consent) =>
    device.post(path).send({ ...body, ...(consent !== null && { consent: consent === 'true' }) });

const inParts: Send = (device, consent) =>
  device.post(PARTS).set({
    ...TUS,
    'Upload-Length': '1000',
    'Upload-Metadata': [
      `filename ${inBase64('export.xml')}`,
      ...(consent === null ? [] : [consent ? `consent ${inBase64(consent)}` : 'consent']),
    ].join(','),
  });

describe('incoming health data', function () {
  this.timeout(180_000);
  let service: SharedService;
  let ways: Readonly<Record<string, Send>>;
  before(async () => {
    service = await sharedService();
    const pdf = await reportPdf(LINES);
    const fhir = Buffer.from(JSON.stringify(OBSERVATION));
    const xml = Buffer.from(exportXml(record('StepCount', '4321')));
    const upload =
      (path: string, file: Buffer, name: string): Send =>
      (device, consent) =>
        withConsent(device.post(path).attach('file', file, name), consent);
    ways = {
      ...Object.fromEntries(
        ['blood', 'urine', 'lab'].map((flow) => [`${flow} report`, upload(`/${flow}-test/upload`, pdf, 'report.pdf')]),
      ),
      ...Object.fromEntries(
        ['blood', 'urine'].flatMap((flow) => [
          [`${flow} FHIR`, upload(`/${flow}-test/import`, fhir, 'bundle.json')],
          [`${flow} by hand`, inJson(`/${flow}-test/reports`, { added: {} })],
          [`${flow} log`, inJson(`/${flow}-test/supplement-log`, { name: 'zinc' })],
        ]),
      ),
      'phone export': upload('/wearables/phone-health', xml, 'export.xml'),
      'phone export by its other address': upload('/wearables/apple-health', xml, 'export.xml'),
      'phone export in parts': inParts,
    };
  });

  const ofDevice = async (table: string, device: string): Promise<number> => {
    const [row] = await sql(service, `select count(*)::int as n from ${table} where device = ?`, [device]);
    return Number(row?.n);
  };
  const TABLES = ['lab_report', 'supplement_log', 'wearable_import', 'wearable_upload', 'device_consent'];

  for (const [name, consent] of [
    ['without a consent', null],
    ['with a consent that says no', 'false'],
  ] as const)
    it(`are rejected ${name}, with a code and the field, and nothing is stored`, async () => {
      for (const [way, send] of Object.entries(ways)) {
        const device = deviceOf(service);
        // The device needs an existing cookie, because a rejected device does not get one.
        await device.postForm('/blood-test/clear', {});
        const { status, body } = await send(device, consent).set('Accept', 'application/json');
        assert.deepEqual([way, status, body.code], [way, 422, 'consent_required']);
        assert.equal(body.detail[0].loc.at(-1), 'consent');
        for (const table of TABLES) assert.equal(await ofDevice(table, device.hash), 0, `${way}: ${table}`);
      }
    });

  it('are accepted with consent, and the consent is listed on the page of the device', async () => {
    for (const [way, send] of Object.entries(ways)) {
      const device = deviceOf(service);
      const { status, text } = await send(device, 'true');
      assert.ok(status < 400, `${way}: ${status} ${text.slice(0, 200)}`);
      if (way === 'phone export in parts') continue;
      assert.ok((await ofDevice('device_consent', device.hash)) > 0, way);
      assert.match((await device.get('/my-data').expect(200)).text, /What you agreed to.*<td>agreed<\/td>/s);
    }
  });

  it('are accepted without a consent field if the device has already agreed to the same wording', async () => {
    const device = deviceOf(service);
    await device.post('/blood-test/supplement-log').send({ name: 'zinc', consent: true }).expect(200);
    await device.post('/urine-test/supplement-log').send({ name: 'iron' }).expect(200);
    await device.post('/blood-test/reports').send({ added: {} }).expect(422);
    await device.post('/blood-test/reports').send({ added: {}, consent: true }).expect(200);
    await device.post('/urine-test/reports').send({ added: {} }).expect(200);
    assert.doesNotMatch((await device.get('/blood-test/supplement-log').expect(200)).text, /log-consent/);
  });

  it('require a consent checkbox in each form without JavaScript', async () => {
    const device = deviceOf(service);
    const boxes = async (path: string): Promise<number> => {
      const { text } = await device.get(path).expect(200);
      return [...text.matchAll(/<input[^>]*type="checkbox" name="consent" value="true" required/g)].length;
    };
    assert.deepEqual(await boxes('/blood-test'), 3);
    assert.deepEqual(await boxes('/urine-test'), 3);
    assert.deepEqual(await boxes('/lab-test'), 1);
    assert.deepEqual(await boxes('/blood-test/supplement-log'), 1);
    assert.deepEqual(await boxes('/wearables/phone-health'), 1);
  });
});
