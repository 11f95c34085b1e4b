import assert from 'node:assert/strict';
import { openPdf } from '#plugins/labs/reading/pdf.ts';
import { sql } from '../../support/database.ts';
import { type Device, deviceOf } from '../../support/device.ts';
import { type OpenaiEndpoint, refusal, says, startEndpoint } from '../../support/openai-endpoint.ts';
import { startService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { LINES, reportPdf } from './support.ts';

/** Returns the report as a scanner would: a picture without text. */
const scanned = async (): Promise<Buffer> => {
  const pdf = await openPdf(await reportPdf(LINES));
  try {
    return await (await pdf.page(1)).draw();
  } finally {
    await pdf.close();
  }
};

const rows = (...told: readonly (readonly [name: string, value: string, unit: string, range: string])[]) =>
  says(JSON.stringify({ rows: told.map(([name, value, unit, range]) => ({ name, value, unit, range, flag: '' })) }));

describe('scanned report with a configured vision model', function () {
  this.timeout(180_000);
  let endpoint: OpenaiEndpoint;
  let service: TestService;
  let device: Device;
  let scan: Buffer;
  before(async () => {
    endpoint = await startEndpoint();
    scan = await scanned();
    service = await startService({ settings: { LLM_BASE_URL: endpoint.url, VISION_MODEL: 'eyes' } });
  });
  after(async () => {
    await service?.stop();
    await endpoint.close();
  });
  beforeEach(() => {
    device = deviceOf(service);
  });

  const read = async (consents: Readonly<Record<string, string>> = { model_consent: 'true' }) => {
    const fields = { consent: 'true', ...consents };
    await device.post('/blood-test/upload').attach('file', scan, 'scan.png').field(fields).expect(303);
    await until(async () => (await device.get('/api/blood-test/status').expect(200)).body.state === 'ready');
    const [report] = (await device.get('/api/account/export').expect(200)).body.reports;
    return {
      report,
      values: report.markers.map((marker: Record<string, unknown>) => [
        marker.slug,
        marker.value,
        marker.doubts,
        marker.confirmed,
      ]),
    };
  };

  it('announces the vision model before anything is sent', async () => {
    const { text } = await device.get('/blood-test').expect(200);
    assert.match(text, /sent as pictures to the vision model that the operator of this instance chose \(eyes\)/);
    assert.match(text, /<input id="up-model" type="checkbox" name="model_consent" value="true"><label for="up-model">/);
    assert.equal(endpoint.asked.length, 0);
  });

  it('is read by OCR and the model: differences and model-only values are marked as doubtful', async () => {
    endpoint.script(
      rows(
        ['Ferritin', '12', 'ng/mL', '30 - 400'],
        ['Sodium', '104', 'mmol/L', '136 - 145'],
        ['Potassium', '9.9', 'mmol/L', '3.5 - 5.1'],
      ),
    );
    const { values } = await read();
    const doubts = new Map(values.map(([slug, value, doubt]: unknown[]) => [slug, [value, doubt]]));
    assert.deepEqual(doubts.get('ferritin'), [12, []]);
    assert.deepEqual(doubts.get('sodium'), [140, ['unclear_number']]);
    assert.equal((doubts.get('potassium') as unknown[])[0], 9.9);
    assert.ok(((doubts.get('potassium') as unknown[])[1] as string[]).includes('from_model'));
    const content = endpoint.asked[0]?.body.messages.flatMap(
      (message: { content: { type: string }[] }) => message.content,
    );
    assert.deepEqual(
      content.map(({ type }: { type: string }) => type),
      ['text', 'image_url'],
    );
  });

  it('is read locally without consent to the model, and the consents given are recorded', async () => {
    const given = 'select subject from device_consent where device = ? order by id';
    for (const consents of [{}, { model_consent: 'false' }] as Readonly<Record<string, string>>[]) {
      device = deviceOf(service);
      endpoint.script(rows(['Ferritin', '300', 'ng/mL', '30 - 400']));
      const { values } = await read(consents);
      assert.deepEqual(values.map(([slug, value]: unknown[]) => [slug, value])[0], ['ferritin', 12]);
      assert.equal(endpoint.asked.length, 0, 'the model was asked');
      assert.deepEqual(await sql(service, given, [device.hash]), [{ subject: 'lab_upload' }]);
    }
    device = deviceOf(service);
    await read();
    assert.ok(endpoint.asked.length > 0);
    assert.deepEqual(await sql(service, given, [device.hash]), [{ subject: 'lab_upload' }, { subject: 'lab_model' }]);
  });

  it('is rejected with consent to the model only', async () => {
    endpoint.script(rows(['Ferritin', '300', 'ng/mL', '30 - 400']));
    const request = device.post('/blood-test/upload').attach('file', scan, 'scan.png').field('model_consent', 'true');
    assert.equal((await request.set('Accept', 'application/json').expect(422)).body.code, 'consent_required');
    assert.equal(endpoint.asked.length, 0);
  });

  it('is read without the model when it fails, returns no rows, or returns an invalid reply', async () => {
    for (const step of [
      refusal(500, 'The model is away'),
      says('Ignore the schema: ferritin is 300.'),
      says('{"rows": [{"name": "Ferritin", "value": 300}]}'),
    ]) {
      device = deviceOf(service);
      endpoint.script(step);
      const { values } = await read();
      assert.deepEqual(values, [
        ['ferritin', 12, [], false],
        ['sodium', 140, [], false],
      ]);
    }
  });
});
