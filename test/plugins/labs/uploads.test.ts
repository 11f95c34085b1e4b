import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemContext } from '#core/system-context.ts';
import { labsPlugin } from '#plugins/labs/index.ts';
import { sweepUploads } from '#plugins/labs/jobs.ts';
import { sql } from '../../support/database.ts';
import { type Device, deviceOf } from '../../support/device.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';
import { until } from '../../support/until.ts';
import { LINES, reportPdf } from './support.ts';

const filesBelow = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe('POST /blood-test/upload', function () {
  this.timeout(180_000);
  let service: SharedService;
  let device: Device;
  before(async () => {
    service = await sharedService();
  });
  beforeEach(() => {
    device = deviceOf(service);
  });

  const send = (files: readonly Buffer[], fields: Readonly<Record<string, string>> = {}, door = '/blood-test') => {
    const request = device.post(`${door}/upload`);
    for (const [at, file] of files.entries()) request.attach('file', file, `report-${at}.pdf`);
    return request.field({ consent: 'true', ...fields });
  };
  const reports = async () => (await device.get('/api/account/export').expect(200)).body.reports;
  /** Waits for a report that takes long to read. */
  const ready = async (): Promise<void> => {
    await until(async () => (await device.get('/api/blood-test/status').expect(200)).body.state === 'ready');
  };

  it('reads the report, shows its values as unconfirmed with their source text, and deletes the file', async () => {
    const pdf = await reportPdf(LINES);
    const answer = await send([pdf]).expect(303);
    assert.match(String(answer.headers.location), /^\/blood-test\/(results|progress)$/);
    await ready();
    const [report] = await reports();
    assert.deepEqual(
      [report.source_type, report.test_type, report.collected_at, report.file.sha256],
      ['lab_upload', 'blood', '2026-09-14', createHash('sha256').update(pdf).digest('hex')],
    );
    const [ferritin, sodium] = report.markers;
    assert.deepEqual(
      [ferritin.slug, ferritin.value, ferritin.unit, ferritin.flag, ferritin.confirmed],
      ['ferritin', 12, 'ng/mL', 'low', false],
    );
    assert.deepEqual([sodium.slug, sodium.lab_range.low, sodium.lab_range.high], ['sodium', 136, 145]);
    const { text } = await device.get('/blood-test/results').expect(200);
    assert.match(text, /Is this what your report says\?/);
    assert.match(text, /<q>Ferritin 12 ng\/mL 30 - 400 L<\/q>/);
    assert.doesNotMatch(text, /Your values<\/h2>/);
    assert.equal((await device.get('/api/account/export')).body.biomarker_history.length, 0);
    const left = (await filesBelow(service.dataDir)).filter((file) => /lab-uploads|\/uploads\/.*\/files\//.test(file));
    assert.deepEqual(left, []);
  });

  it('adds values to the history once they are confirmed, and asks nothing more', async () => {
    await send([await reportPdf(LINES)]).expect(303);
    await ready();
    const [report] = await reports();
    await device
      .post(`/blood-test/reports/${report.report_id}/review`)
      .send({ revision: 2, markers: { m1: { ok: 'yes' }, m2: { ok: 'yes' } } })
      .expect(200);
    const { body } = await device.get('/api/account/export').expect(200);
    assert.equal(body.biomarker_history.length, 2);
    assert.doesNotMatch((await device.get('/blood-test/results')).text, /Is this what your report says/);
  });

  it('stores the person’s own data on the draw, and the consent with its wording', async () => {
    const told = { collected_at: '2026-09-10', sex: 'male', birth_year: '1970', fasting: 'yes', test_type: 'urine' };
    await send([await reportPdf(LINES)], told, '/lab-test').expect(303);
    await ready();
    const [report] = await reports();
    assert.deepEqual(
      [report.collected_at, report.sex, report.birth_year, report.fasting, report.test_type],
      ['2026-09-10', 'male', 1970, true, 'urine'],
    );
    const rows = await sql(
      service,
      `select subject, wording, is_given from device_consent where device = '${device.hash}'`,
    );
    assert.deepEqual(rows, [{ subject: 'lab_upload', wording: 'lab-upload-2026-11', is_given: true }]);
  });

  it('explains for each unreadable file why it was not read and how to fix it', async () => {
    const locked = await reportPdf(LINES, { userPassword: 'secret', pdfVersion: '1.7' });
    const torn = (await reportPdf(LINES)).subarray(0, 400);
    await send([locked, torn]).expect(303);
    await ready();
    const [report] = await reports();
    assert.deepEqual(
      report.file.files.map(({ outcome }: { outcome: string }) => outcome),
      ['encrypted', 'damaged'],
    );
    const { text } = await device.get('/blood-test/results').expect(200);
    assert.match(text, /is locked with a password\. Open it, save or print it as a new PDF/);
    assert.match(text, /is damaged and could not be read/);
    assert.match(text, /Add values/);
  });

  it('rejects files that are not reports, empty, missing, too many or too large, and stores nothing', async () => {
    const page = await send([Buffer.from('just words')])
      .set('Accept', 'text/html')
      .expect(415);
    assert.match(page.text, /This kind of file is not read here/);
    assert.match(page.text, /Taken are PDF, PNG, JPEG, WEBP/);
    await send([Buffer.alloc(0)]).expect(422);
    await device.post('/blood-test/upload').field({ consent: 'true' }).expect(422);
    const pdf = await reportPdf(LINES);
    await send([pdf, pdf, pdf, pdf, pdf, pdf]).expect(422);
    await send([Buffer.concat([pdf, Buffer.alloc(21 * 1024 * 1024)])]).expect(413);
    assert.deepEqual(await reports(), []);
    assert.deepEqual(
      (await filesBelow(service.dataDir)).filter((file) => /lab-uploads|\/uploads\/.*\/files\//.test(file)),
      [],
    );
  });

  it('leaves no file behind when its report is deleted before it is read', async () => {
    const { queue, uploads } = service.runtime.servicesOf(labsPlugin) as never as {
      queue: { wake(): void };
      uploads: { put(id: string, paths: readonly string[]): Promise<void> };
    };
    const left = join(service.dataDir, 'left.pdf');
    await writeFile(left, '%PDF');
    await uploads.put('rep_00000000000000000000000000000000', [left]);
    const context = systemContext(service.runtime, labsPlugin, AbortSignal.timeout(5_000)) as never;
    assert.deepEqual(await sweepUploads.run(context), { removed: 0 });
    const [stored = ''] = (await filesBelow(service.dataDir)).filter((file) => file.includes('lab-uploads'));
    assert.ok(!(await readFile(stored)).includes('%PDF'));
    await utimes(stored, 0, 0);
    assert.deepEqual(await sweepUploads.run(context), { removed: 1 });
    queue.wake();
  });
});
