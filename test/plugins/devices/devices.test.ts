import assert from 'node:assert/strict';
import { runJob } from '#core/jobs/scheduler.ts';
import { devicesPlugin } from '#plugins/devices/index.ts';
import { forgetDevices } from '#plugins/devices/jobs.ts';
import { api } from '../../support/client.ts';
import { countOf, sql } from '../../support/database.ts';
import { type Device, deviceOf } from '../../support/device.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared.ts';

describe('a device', () => {
  let service: TestService;
  before(async function () {
    this.timeout(180_000);
    service = await sharedService();
  });
  const newDevice = () => deviceOf(service);
  const withReport = async (): Promise<Device> => {
    const device = newDevice();
    await device.postForm('/blood-test/reports', {
      consent: 'true',
      'added.a1.name': 'Ferritin',
      'added.a1.value': '30',
      'added.a1.unit': 'ng/mL',
    });
    return device;
  };

  it('is not stored and gets no cookie before it does something', async () => {
    const { text, headers } = await api(service).get('/my-data').expect(200);
    assert.match(text, /Nothing is kept for this browser/);
    assert.equal(headers['set-cookie'], undefined);
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['x-robots-tag'], 'noindex');
  });

  it('is stored as the hash of a random HttpOnly cookie that lasts one year', async () => {
    const device = await withReport();
    const [cookie = ''] = device.setCookies.filter((line) => line.startsWith('ekb_device='));
    assert.match(cookie, /^ekb_device=[\w-]{43}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/);
    const token = cookie.slice('ekb_device='.length, 'ekb_device='.length + 43);
    const rows = await sql(service, `select * from device where hash like '%${token}%'`);
    assert.equal(rows.length, 0);
    assert.equal(await countOf(service, `device where hash = encode(sha256('${token}'), 'hex')`), 1);
  });

  it('exports everything as JSON, as a ZIP file and as a FHIR bundle', async () => {
    const device = await withReport();
    const json = await device.get('/api/account/export').expect(200);
    assert.match(String(json.headers['content-disposition']), /^attachment; filename="my-data.json"$/);
    assert.equal(json.body.schema_version, '1');
    assert.equal(json.body.reports.length, 1);
    assert.deepEqual(
      json.body.biomarker_history.map(({ slug }: { slug: string }) => slug),
      ['ferritin'],
    );
    assert.deepEqual([json.body.wearable_daily, json.body.connections], [[], []]);
    const zip = await device.get('/api/account/export?format=zip').responseType('blob').expect(200);
    assert.equal(zip.headers['content-type'], 'application/zip');
    assert.equal((zip.body as Buffer).toString('latin1', 0, 2), 'PK');
    const fhir = await device.get('/api/account/export?format=fhir').expect(200);
    const bundle = JSON.parse(fhir.text ?? fhir.body.toString());
    assert.equal(bundle.resourceType, 'Bundle');
    assert.equal(bundle.type, 'collection');
  });

  it('exports empty lists, and no data of other devices, when it has no data', async () => {
    await withReport();
    const { body } = await newDevice().get('/api/account/export').expect(200);
    assert.deepEqual([body.reports, body.biomarker_history, body.supplement_logs], [[], [], []]);
    assert.equal(body.device_id_hash, '');
  });

  it('shows a recovery phrase once, which moves its data to another device and works only once', async () => {
    const device = await withReport();
    const page = await device.postForm('/my-data/phrase', {}, 200);
    const phrase = /class="phrase"><strong>([a-z ]+)</.exec(page.text)?.[1] ?? '';
    assert.equal(phrase.split(' ').length, 12);
    assert.equal(page.headers['cache-control'], 'no-store');
    assert.ok(!(await device.get('/my-data').expect(200)).text.includes(phrase));
    const other = newDevice();
    const typed = ` ${phrase.toUpperCase().replaceAll(' ', ', ')} `;
    const moved = await other.postForm('/my-data/move', { phrase: typed });
    assert.equal(moved.headers.location, '/my-data?notice=moved');
    assert.equal((await other.get('/api/account/export')).body.reports.length, 1);
    assert.equal((await device.get('/api/account/export')).body.reports.length, 0);
    const again = await newDevice().postForm('/my-data/move', { phrase });
    assert.equal(again.headers.location, '/my-data?notice=unknown_phrase');
  });

  it('reports a malformed recovery phrase, and creates none when there is no data', async () => {
    const device = newDevice();
    const { headers } = await device.postForm('/my-data/move', { phrase: 'twelve words that are no phrase' });
    assert.equal(headers.location, '/my-data?notice=not_a_phrase');
    const none = await newDevice().postForm('/my-data/phrase', {});
    assert.equal(none.headers.location, '/my-data?notice=nothing_here');
  });

  it('loses all its data and its cookie on request', async () => {
    const device = await withReport();
    const { headers } = await device.postForm('/my-data/delete-all', {});
    assert.ok([headers['set-cookie']].flat().some((line) => /^ekb_device=; .*Max-Age=0/.test(String(line))));
    assert.deepEqual(device.cookies, []);
    assert.equal((await device.get('/api/account/export')).body.reports.length, 0);
    assert.equal(await countOf(service, `device where hash = '${device.hash}'`), 0);
  });

  it('is deleted with all its data after the retention period without a visit', async () => {
    const [gone, here] = [await withReport(), await withReport()];
    await sql(service, `update device set seen_on = current_date - 401 where hash = '${gone.hash}'`);
    await runJob(service.runtime, devicesPlugin, forgetDevices as never);
    assert.equal(await countOf(service, `lab_report where device = '${gone.hash}'`), 0);
    assert.equal(await countOf(service, `device where hash = '${gone.hash}'`), 0);
    assert.equal((await here.get('/api/account/export')).body.reports.length, 1);
  });

  it('rejects cross-site requests with 403', async () => {
    const device = await withReport();
    for (const path of ['/my-data/phrase', '/my-data/move', '/my-data/delete-all'])
      await device.post(path).set('Sec-Fetch-Site', 'cross-site').type('form').send({ phrase: 'x' }).expect(403);
    assert.equal((await device.get('/api/account/export')).body.reports.length, 1);
  });

  it('lists its consents on its page', async () => {
    const device = await withReport();
    await sql(
      service,
      `insert into device_consent (device, subject, wording, is_given) values ('${device.hash}', 'lab_upload', 'w', true)`,
    );
    assert.match((await device.get('/my-data').expect(200)).text, /Reading a laboratory report[^<]*<\/td><td>agreed/);
  });
});
