/** Tests the personal pages of a device, both with full data and empty: HTML validity and the browser checks of every page. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { LINES, reportPdf } from '../plugins/labs/support.ts';
import { exportXml, record } from '../plugins/wearables/support.ts';
import { assertGoodPages, useBrowser } from '../support/browser.ts';
import { type Device, deviceOf } from '../support/device.ts';
import { htmlRules } from '../support/html-rules.ts';
import { type SharedService, sharedService } from '../support/shared.ts';
import { withDays } from './days-device.ts';

const PERSON = { sex: 'female', birth_year: 1980, pregnant: 'no', lab_name: 'Specimen Laboratories' };

/** Stores two draws (with a critical, an implausible and an unknown value), supplements and an upload that awaits review. */
const furnished = async (service: SharedService): Promise<{ device: Device; paths: readonly string[] }> => {
  const device = deviceOf(service);
  const make = async (day: string, added: object): Promise<string> =>
    (
      await device
        .post('/blood-test/reports')
        .send({ consent: true, ...PERSON, collected_at: day, added })
        .expect(200)
    ).body.report_id;
  await make('2026-03-01', {
    a1: { name: 'Ferritin', value: '12', unit: 'ng/mL', range: '30 - 400' },
    a2: { name: 'Vitamin D (25-hydroxy)', value: '48', unit: 'nmol/L' },
  });
  const full = await make('2026-09-01', {
    a1: { name: 'Ferritin', value: '35', unit: 'ng/mL', range: '30 - 400' },
    a2: { name: 'Vitamin D (25-hydroxy)', value: '30', unit: 'ng/mL' },
    a3: { name: 'Potassium', value: '7.1', unit: 'mmol/L', range: '3.5 - 5.1' },
    a4: { name: 'Sodium', value: '14000', unit: 'mmol/L' },
    a5: { name: 'Something that nobody knows and that has a long name', value: '<0.5', unit: 'furlong' },
  });
  await device
    .post('/blood-test/supplement-log')
    .send({ consent: true, supplement_slug: 'iron', started_at: '2026-03-10', reason: 'Low ferritin' })
    .expect(200);
  await device
    .post('/blood-test/supplement-log')
    .send({ consent: true, name: 'St John’s wort', started_at: '2026-04-10' })
    .expect(200);
  await device
    .post('/blood-test/supplement-log')
    .send({ consent: true, kind: 'medicine', name: 'Warfarin', started_at: '2026-04-11' })
    .expect(200);
  const locked = await reportPdf(LINES, { userPassword: 'secret', pdfVersion: '1.7' });
  const upload = device
    .post('/blood-test/upload')
    .attach('file', await reportPdf(LINES), 'a.pdf')
    .attach('file', locked, 'b.pdf');
  await upload.field({ consent: 'true' }).expect(303);
  const days = exportXml(
    ...['2026-03-01', '2026-03-02', '2026-03-05'].flatMap((day, at) => [
      record('StepCount', String(4000 + at), { startDate: `${day} 08:00:00 +0100`, endDate: `${day} 08:10:00 +0100` }),
      record('StepCount', '9000', {
        sourceName: 'A watch with a long name',
        startDate: `${day} 08:00:00 +0100`,
        endDate: `${day} 08:10:00 +0100`,
      }),
    ]),
    record('Unheard', '1'),
  );
  await device
    .post('/wearables/phone-health')
    .field({ consent: 'true' })
    .attach('file', Buffer.from(days), 'export.xml')
    .expect(303);
  const paths = [
    '/wearables/data?span=all&notice=disconnected',
    '/wearables/success',
    '/my-data',
    '/blood-test/results',
    `/blood-test/results?report_id=${full}`,
    `/blood-test/results?report_id=${full}&edit=true&notice=saved`,
    '/blood-test/reports?notice=deleted',
    '/blood-test/trends',
    '/blood-test/trends?marker=ferritin',
    '/blood-test/supplement-log',
  ];
  return { device, paths };
};

const EMPTY = [
  '/wearables/data',
  '/wearables/success',
  '/my-data',
  '/urine-test/results',
  '/urine-test/reports',
  '/urine-test/trends',
  '/urine-test/supplement-log',
];

describe('personal pages of a device', () => {
  it('are valid HTML, with full data and empty', async () => {
    const service = await sharedService();
    const { device, paths } = await furnished(service);
    const days = await withDays(service);
    const faults: string[] = [];
    for (const [visitor, some] of [
      [device, paths],
      [days.device, days.paths],
      [deviceOf(service), EMPTY],
    ] as const)
      for (const path of some) {
        const { text } = await visitor.get(path).expect(200);
        const { results } = await htmlRules.validateString(text);
        faults.push(
          ...results.flatMap(({ messages }) =>
            messages.map(({ ruleId, message, line }) => `${path}:${line} ${ruleId} ${message}`),
          ),
        );
      }
    assert.deepEqual(faults, []);
  }).timeout(180_000);

  describe('in a browser', () => {
    let service: SharedService;
    let browser: Browser;
    useBrowser((given) => {
      ({ service, browser } = given);
    });

    it('pass the layout, skip link and axe checks at every viewport, with full data and empty', async () => {
      for (const { device, paths } of [await furnished(service), await withDays(service)])
        await assertGoodPages(browser, service.url, {
          pages: paths.map((path) => ({ path })),
          cookies: device.cookies,
        });
      await assertGoodPages(browser, service.url, { pages: EMPTY.map((path) => ({ path })) });
    }).timeout(300_000);
  });
});
