import assert from 'node:assert/strict';
import { systemContext } from '#core/system-context.ts';
import { labsPlugin } from '#plugins/labs/index.ts';
import { resealReports } from '#plugins/labs/jobs.ts';
import { sql } from '../../support/database.ts';
import { type Device, deviceOf } from '../../support/device.ts';
import { startService } from '../../support/service.ts';
import { type SharedService, sharedService, startBeside } from '../../support/shared.ts';

const PERSON = { collected_at: '2026-10-01', sex: 'female', birth_year: 1980, pregnant: 'no' };

describe('laboratory reports of a device', () => {
  let service: SharedService;
  let device: Device;
  before(async function () {
    this.timeout(180_000);
    service = await sharedService();
  });
  beforeEach(() => {
    device = deviceOf(service);
  });

  const make = async (added: Record<string, object>, rest: object = PERSON, door = '/blood-test') =>
    (
      await device
        .post(`${door}/reports`)
        .send({ consent: true, ...rest, added })
        .expect(200)
    ).body;
  const review = (report: { report_id: string }, body: object) =>
    device.post(`/blood-test/reports/${report.report_id}/review`).send(body);
  const ferritin = { name: 'Ferritin', value: '12', unit: 'ng/mL', range: '30 - 400' };

  describe('manual entry', () => {
    it('confirms values as they are typed, with the printed range separate from ours', async () => {
      const report = await make({ a1: ferritin });
      assert.equal(report.source_type, 'manual');
      const [marker] = report.markers;
      assert.equal(marker.slug, 'ferritin');
      assert.deepEqual([marker.value, marker.unit, marker.ucum, marker.confirmed], [12, 'ng/mL', 'ng/mL', true]);
      assert.deepEqual(marker.lab_range, { low: 30, high: 400, text: '30 - 400' });
      assert.equal(marker.flag, 'low');
      assert.equal(marker.optimal_range, null);
      assert.match(marker.our_range.source, /^https:\/\//);
      assert.match(marker.our_range.population, /^women, 41 to 60 years/);
    });

    it('accepts a decimal comma and a comparator before the number', async () => {
      const { markers } = await make({
        a1: { name: 'Ferritin', value: '12,5', unit: 'ng/mL' },
        a2: { name: 'C-reactive protein', value: '<0,3', unit: 'mg/L', range: '< 5' },
      });
      assert.deepEqual([markers[0].value, markers[0].comparator], [12.5, '=']);
      assert.deepEqual([markers[1].value, markers[1].comparator, markers[1].flag], [0.3, '<', 'normal']);
    });

    it('leaves an implausible number unconfirmed until it is reviewed again, and never changes it', async () => {
      const report = await make({ a1: { name: 'Ferritin', value: '900000', unit: 'ng/mL' } });
      assert.deepEqual([report.markers[0].confirmed, report.markers[0].doubts], [false, ['implausible']]);
      const page = await device.get('/blood-test/results').expect(200);
      assert.match(page.text, /can hardly be right in this unit/);
      const only = { revision: 1, markers: { m1: { ok: 'yes' } } };
      assert.equal((await review(report, only).expect(200)).body.markers[0].confirmed, false);
      const again = { revision: 2, markers: { m1: { ok: 'yes', sure: 'yes' } } };
      const { markers } = (await review(report, again).expect(200)).body;
      assert.deepEqual([markers[0].confirmed, markers[0].value], [true, 900000]);
    });

    it('marks a comma that may separate thousands as unclear', async () => {
      const { markers } = await make({ a1: { name: 'Ferritin', value: '1,234', unit: 'ng/mL' } });
      assert.deepEqual([markers[0].value, markers[0].doubts, markers[0].confirmed], [null, ['unclear_number'], false]);
    });

    it('stores an unknown name as typed, without a comparison', async () => {
      const { markers } = await make({ a1: { name: 'Moon dust', value: '5', unit: 'mg/L' } });
      assert.deepEqual([markers[0].slug, markers[0].name, markers[0].flag], ['', 'Moon dust', 'unknown']);
    });

    it('shows none of our ranges to a minor, in pregnancy, or when data are missing', async () => {
      for (const person of [{ birth_year: 2012 }, { pregnant: 'yes' }, { pregnant: 'unknown' }, { sex: 'unknown' }]) {
        const { markers } = await make({ a1: { ...ferritin, range: '' } }, { ...PERSON, ...person });
        assert.equal(markers[0].our_range, null, JSON.stringify(person));
        assert.equal(markers[0].flag, 'unknown');
      }
      const page = await device.get('/blood-test/results').expect(200);
      assert.match(
        page.text,
        /we hold no sourced range for what you have told: sex, year of birth or pregnancy is missing/,
      );
      assert.match(page.text, /Tell sex, year of birth/);
    });

    it('rejects a future collection date without echoing the input', async () => {
      const { body } = await device
        .post('/blood-test/reports')
        .send({ consent: true, collected_at: '2999-01-01', added: {} })
        .expect(422);
      assert.deepEqual(body.detail[0].loc, ['body', 'collected_at']);
      const wrong = await device.post('/blood-test/reports').send({ consent: true, sex: 'secret-word' }).expect(422);
      assert.ok(!JSON.stringify(wrong.body).includes('secret-word'));
    });
  });

  describe('critical value', () => {
    it('is shown above all else with the advice to contact a doctor, without a supplement link', async () => {
      await make({ a1: { name: 'Potassium', value: '7.1', unit: 'mmol/L', range: '3.5 - 5.1' } });
      const { text } = await device.get('/blood-test/results').expect(200);
      const at = text.indexOf('Contact a doctor or an emergency service now');
      assert.ok(at > 0 && at < text.indexOf('id="values"'));
      const section = text.slice(at, text.indexOf('</section>', at));
      assert.match(section, /Potassium/);
      assert.doesNotMatch(section, /\/supplements\//);
    });
  });

  describe('review', () => {
    it('corrects and confirms a value', async () => {
      const report = await make({ a1: ferritin });
      const { body } = await review(report, { revision: 1, markers: { m1: { value: '21', ok: 'yes' } } }).expect(200);
      assert.deepEqual([body.markers[0].value, body.markers[0].confirmed], [21, true]);
    });

    it('removes and adds values, and withdraws the confirmation when the box is empty', async () => {
      const report = await make({
        a1: ferritin,
        a2: { ...ferritin, name: 'Vitamin B12', value: '300', unit: 'pg/mL' },
      });
      const added = { x: { name: 'TSH', value: '2', unit: 'mIU/L' } };
      const markers = { m1: { remove: 'yes' }, m2: { name: 'Vitamin B12' } };
      const { body } = await review(report, { revision: 1, markers, added }).expect(200);
      assert.deepEqual(
        body.markers.map((marker: { marker_id: string; slug: string; confirmed: boolean }) => [
          marker.marker_id,
          marker.slug,
          marker.confirmed,
        ]),
        [
          ['m2', 'vitamin-b12', false],
          ['m3', 'tsh', true],
        ],
      );
    });

    it('changes nothing when the report has been changed in the meantime', async () => {
      const report = await make({ a1: ferritin });
      await review(report, { revision: 1, markers: { m1: { value: '21', ok: 'yes' } } }).expect(200);
      const stale = { revision: '1', 'markers.m1.value': '99', 'markers.m1.ok': 'yes' };
      const answer = await device.postForm(`/blood-test/reports/${report.report_id}/review`, stale);
      assert.match(String(answer.headers.location), /notice=changed_elsewhere$/);
      const { body } = await device.get('/api/account/export');
      assert.equal(body.reports[0].markers[0].value, 21);
    });

    it('accepts the form of 200 values that a browser sends', async () => {
      const added = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`a${at}`, ferritin]));
      const report = await make(added);
      const fields = Object.fromEntries(
        report.markers.flatMap(({ marker_id: id }: { marker_id: string }) =>
          ['name', 'value', 'unit', 'range', 'ok'].map((field) => [
            `markers.${id}.${field}`,
            { name: 'Ferritin', value: '50', unit: 'ng/mL', range: '30 - 400', ok: 'yes' }[field] ?? '',
          ]),
        ),
      );
      await device.postForm(`/blood-test/reports/${report.report_id}/review`, { revision: '1', ...fields });
      const { body } = await device.get('/api/account/export');
      assert.ok(body.reports[0].markers.every(({ value }: { value: number }) => value === 50));
    });
  });

  describe('selected report', () => {
    it('is the requested one, else that of the session, else the latest of the test type, else the latest', async () => {
      const shown = async (path: string): Promise<string> => {
        const { text } = await device.get(path).expect(200);
        return /\/reports\/(rep_[0-9a-f]{32})\//.exec(text)?.[1] ?? '';
      };
      const urine = await make({}, PERSON, '/urine-test');
      const blood = await make({ a1: ferritin });
      const later = await make({ a1: ferritin });
      assert.equal(await shown(`/blood-test/results?report_id=${blood.report_id}`), blood.report_id);
      assert.equal(await shown('/blood-test/results'), blood.report_id);
      await device.postForm('/blood-test/clear', {});
      assert.equal(await shown('/blood-test/results'), later.report_id);
      await device.postForm('/urine-test/clear', {});
      assert.equal(await shown('/urine-test/results'), urine.report_id);
      const { body } = await device.get('/api/blood-test/status').expect(200);
      assert.deepEqual([body.has_results, body.source, body.state], [true, 'device', 'ready']);
    });

    it('is absent on a new device, on the page and in the status', async () => {
      assert.match((await device.get('/lab-test/results').expect(200)).text, /No results on this device/);
      const { body } = await device.get('/api/urine-test/status').expect(200);
      assert.deepEqual([body.has_results, body.source, body.report_id], [false, 'none', '']);
    });

    it('is stored in a signed session cookie', async () => {
      const report = await make({ a1: ferritin });
      const [line = ''] = device.setCookies.filter((cookie) => cookie.startsWith('ekb_session='));
      const value = line.slice('ekb_session='.length, line.indexOf(';'));
      const decoded = JSON.parse(Buffer.from(value, 'base64').toString());
      assert.equal(decoded.report_id, report.report_id);
      assert.match(line, /httponly/i);
      assert.match(line, /samesite=lax/i);
      assert.ok(device.setCookies.some((cookie) => cookie.startsWith('ekb_session.sig=')));
    });
  });

  describe('list of reports', () => {
    it('includes reports of every type on every test page, and deletes one permanently', async () => {
      const report = await make({ a1: ferritin });
      await make({}, PERSON, '/urine-test');
      const { text } = await device.get('/urine-test/reports').expect(200);
      assert.match(text, /Blood test/);
      assert.match(text, /Urine test/);
      await device.postForm(`/urine-test/reports/${report.report_id}/delete`, {});
      assert.equal((await sql(service, `select 1 from lab_report where id = '${report.report_id}'`)).length, 0);
      await device.post(`/blood-test/reports/${report.report_id}/delete`).send({}).expect(404);
    });
  });

  describe('rotation of APP_SECRET', () => {
    it('reseals reports and log entries so that the new secret alone opens them', async () => {
      const own = await startService({ settings: { APP_SECRET: 'the old one with enough letters and more' } });
      try {
        const first = deviceOf(own);
        await first
          .post('/blood-test/reports')
          .send({ consent: true, added: { a1: ferritin } })
          .expect(200);
        await first.post('/blood-test/supplement-log').send({ consent: true, name: 'Iron' }).expect(200);
        const job = async (settings: Record<string, string>): Promise<number> => {
          const beside = await startBeside(own, { settings });
          const { resealed } = await resealReports.run(
            systemContext(beside.runtime, labsPlugin, AbortSignal.timeout(5_000)) as never,
          );
          await beside.stop();
          return resealed ?? -1;
        };
        const both = {
          APP_SECRET: 'the new one with enough letters and more',
          APP_SECRET_PREVIOUS: 'the old one with enough letters and more',
        };
        assert.equal(await job(both), 2);
        assert.equal(await job(both), 0);
        assert.equal(await job({ APP_SECRET: 'the new one with enough letters and more' }), 0);
      } finally {
        await own.stop();
      }
    });
  });

  describe('stored reports', () => {
    it('are unreadable in the database, and their values never appear in the log', async () => {
      service.lines.length = 0;
      const { report_id: id } = await make(
        { a1: { ...ferritin, value: '61.7932' } },
        { ...PERSON, lab_name: 'Secret Laboratories' },
      );
      await device.get(`/blood-test/results?report_id=${id}`).expect(200);
      const [row] = (await sql(service, `select r::text as all from lab_report r where id = '${id}'`)) as {
        all: string;
      }[];
      const hex = (text: string): string => Buffer.from(text).toString('hex');
      for (const word of ['61.7932', 'Secret Laboratories', 'erritin', '2026-10-01']) {
        assert.ok(!row?.all.includes(word) && !row?.all.includes(hex(word)), `${word} stands in the database`);
        assert.ok(!service.lines.join('\n').includes(word), `${word} stands in the log`);
      }
      assert.ok(!service.lines.join('\n').includes(id));
    });
  });
});
