/** Tests files that are built to harm the server or to delay other users. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { createBook } from '#plugins/biomarkers/index.ts';
import { labsPlugin } from '#plugins/labs/index.ts';
import { createReader } from '#plugins/labs/reading/process.ts';
import { EMPTY_REPORT, openReport } from '#plugins/labs/sealed-report.ts';
import type { LabServices } from '#plugins/labs/services.ts';
import { addReport, newReportId } from '#plugins/labs/store.ts';
import { hostileObservation } from '../../../bench/attacks/made-files.ts';
import { countOf, sql } from '../../support/database.ts';
import { type Device, deviceOf } from '../../support/device.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';
import { until } from '../../support/until.ts';
import { LINES, reportPdf } from './support.ts';

/** Returns the processor time of this process, which runs the server; the time of child processes is excluded. */
const processorSeconds = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

describe('hostile file handling', function () {
  this.timeout(180_000);
  let service: SharedService;
  let device: Device;
  before(async () => {
    service = await sharedService();
  });
  beforeEach(() => {
    device = deviceOf(service);
  });

  const send = (content: string, path = '/blood-test/import') =>
    device
      .post(path)
      .set('Accept', 'application/json')
      .field('consent', 'true')
      .attach('file', Buffer.from(content), 'file.json');
  /** Creates the device, which exists only after accepted data. */
  const makeDevice = () =>
    send(
      JSON.stringify({ resourceType: 'Observation', code: { text: 'Ferritin' }, valueQuantity: { value: 20 } }),
    ).expect(200);

  it('rejects an observation of 250,000 empty components and 4,000 members at little processor cost', async () => {
    const content = hostileObservation();
    const seconds = await processorSeconds(async () => {
      const { text } = await send(content).expect(422);
      assert.match(text, /more than 500 components/);
    });
    assert.ok(seconds < 5, `${seconds} s`);
  });

  it('does not copy the members of an observation to its components, but applies its date and laboratory', async () => {
    const parts = Array.from({ length: 400 }, (_, at) => ({
      code: { text: `Factor ${at}` },
      valueQuantity: { value: at, unit: 'mg/dL' },
    }));
    const members = Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`k${at}`, 0]));
    const { body } = await send(
      JSON.stringify({
        ...members,
        resourceType: 'Observation',
        status: 'final',
        effectiveDateTime: '2026-03-04',
        performer: [{ display: 'North Laboratory' }],
        component: parts,
      }),
    ).expect(200);
    assert.deepEqual([body.observations, body.reports.length, body.reports[0].collected_at], [400, 1, '2026-03-04']);
    const [report] = (await device.get('/api/account/export').expect(200)).body.reports;
    assert.deepEqual([report.lab_name, report.markers.length], ['North Laboratory', 400]);
  });

  it('rejects a file of two million parts before parsing it, and skips days beyond the limit', async () => {
    const { text } = await send(`[${'{},'.repeat(1_000_001)}{}]`).expect(422);
    assert.match(text, /more than two million parts/);
    const days = Array.from({ length: 300 }, (_, at) => ({
      resourceType: 'Observation',
      code: { text: 'Ferritin' },
      valueQuantity: { value: 20, unit: 'ng/mL' },
      effectiveDateTime: new Date(Date.UTC(2020, 0, 1 + at)).toISOString().slice(0, 10),
    }));
    const read = await send(JSON.stringify(days)).expect(200);
    assert.deepEqual([read.body.reports.length, read.body.skipped], [200, { too_many: 100 }]);
  });

  it('passes the files of a report to the reading process one at a time', async () => {
    const pdf = await reportPdf(LINES);
    const reader = createReader(createBook([]));
    const asked: number[] = [];
    let inMemory = 0;
    let most = 0;
    try {
      const files = [0, 1, 2, 3].map((at) => ({
        name: `${at}.pdf`,
        bytes: async () => {
          asked.push(at);
          inMemory += 1;
          most = Math.max(most, inMemory);
          await setImmediate();
          inMemory -= 1;
          return at === 2 ? null : pdf;
        },
      }));
      const { reading } = await reader.read(files, { testType: 'blood' });
      assert.deepEqual(
        reading.files.map(({ outcome }) => outcome),
        ['read', 'read', 'damaged', 'read'],
      );
      assert.deepEqual([asked, most], [[0, 1, 2, 3], 1]);
    } finally {
      await reader.stop();
    }
  });

  it('does not retry a report whose reading was interrupted by a server stop, and informs the person', async () => {
    await makeDevice();
    const reportId = newReportId();
    const { db, secrets } = service.runtime;
    await db.write(async (em) => {
      await addReport(
        { em, secrets, device: device.hash },
        {
          reportId,
          testType: 'blood',
          sourceType: 'lab_upload',
          files: 1,
          kept: { ...EMPTY_REPORT, files: [{ name: 'a.pdf', pages: 0, outcome: 'read' }] },
        },
      );
      // This is the state that a killed server leaves.
      await em.execute(
        `update lab_report set state = 'reading', attempts = 1, claimed_until = now() - interval '1 minute' where id = ?`,
        [reportId],
      );
    });
    (service.runtime.servicesOf(labsPlugin) as LabServices).queue.wake();
    const row = await until(async () => {
      const [found] = await sql(service, `select sealed from lab_report where id = ? and state = 'ready'`, [reportId]);
      return found;
    }, 'the end of the report');
    const { files } = openReport(secrets, reportId, row.sealed as Uint8Array);
    assert.equal(files[0]?.outcome, 'interrupted');
    const { text } = await device.get(`/blood-test/results?report_id=${reportId}`).expect(200);
    assert.match(text, /the server stopped while it was being read/);
  });

  it('returns 429 to a device with ten waiting files, but not to other devices', async () => {
    await makeDevice();
    await sql(
      service,
      `insert into lab_report (id, device, test_type, source_type, state, files, claimed_until, sealed)
       select 'rep_waits_' || n, ?, 'blood', 'lab_upload', 'reading', 1, now() + interval '1 hour', ''
       from generate_series(1, 10) n`,
      [device.hash],
    );
    const pdf = await reportPdf(LINES);
    const upload = (whose: Device) =>
      whose.post('/blood-test/upload').field('consent', 'true').attach('file', pdf, 'a.pdf');
    try {
      const refused = await upload(device).set('Accept', 'application/json').expect(429);
      assert.ok(Number(refused.headers['retry-after']) > 0);
      await upload(deviceOf(service)).expect(303);
    } finally {
      await sql(service, "delete from lab_report where id like 'rep_waits_%'");
    }
    assert.equal(
      await countOf(service, "lab_report where state = 'ready' and (sender is not null or waiting_bytes > 0)"),
      0,
    );
  });

  it('returns 429 to an address that used up its processor time, but not to other addresses', async () => {
    const { budget } = service.runtime.servicesOf(labsPlugin) as LabServices;
    const { address } = budget.sendersOf({ kind: 'anonymous', address: '10.78.0.1' }, null);
    budget.spend([address], 10_000);
    const body = JSON.stringify({ resourceType: 'Patient' });
    const refused = await send(body).set('X-Forwarded-For', '10.78.0.1').expect(429);
    assert.ok(Number(refused.headers['retry-after']) > 3_600);
    await send(body).expect(422);
  });
});
