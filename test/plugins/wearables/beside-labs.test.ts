/** Tests how days from a phone export appear on the trends page and in the insights of laboratory values. */
import assert from 'node:assert/strict';
import { createAjv } from '#core/http/validate.ts';
import { type Device, deviceOf } from '../../support/device.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';
import { daysFrom, exportXml, type MadeDay, recordsOf } from './support.ts';

const TRENDS = '/blood-test/trends';
const INSIGHTS = '/api/blood-test/intervention-insights';

/**
 * Five months of watch data: one week in February is missing, the pulse is lower from April, and weight is every
 * tenth day.
 */
const DAYS: readonly MadeDay[] = daysFrom('2026-01-01', '2026-05-31')
  .filter((day) => day < '2026-02-09' || day > '2026-02-15')
  .map((day, at) => ({
    day,
    restingPulse: (day < '2026-04-01' ? 60 : 54) + (at % 3),
    sdnn: 40 + (at % 7),
    pressure: [120 + (at % 5), 80 + (at % 4)] as const,
    asleep: 7 + (at % 4) / 4,
    breaths: 14,
    steps: 8_000 + at,
    ...(at % 10 ? {} : { weight: 70 }),
  }));

describe('wearable days with laboratory values', function () {
  this.timeout(180_000);
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });

  const draw = async (device: Device, day: string, name = 'Ferritin', value = '30') =>
    device
      .post('/blood-test/reports')
      .send({
        consent: true,
        collected_at: day,
        added: { a1: { name, value, unit: name === 'Ferritin' ? 'ng/mL' : 'mmol/L' } },
      })
      .expect(200);
  const takes = async (device: Device, started_at: string, supplement_slug = 'magnesium') =>
    (await device.post('/blood-test/supplement-log').send({ consent: true, supplement_slug, started_at }).expect(200))
      .body;
  const send = async (device: Device, days: readonly MadeDay[]) =>
    device
      .post('/wearables/phone-health')
      .field('consent', 'true')
      .attach('file', Buffer.from(exportXml(...recordsOf(days))), 'export.xml')
      .expect(303);
  const page = async (device: Device, path = TRENDS) => (await device.get(path).expect(200)).text;
  const insights = async (device: Device) => (await device.get(INSIGHTS).expect(200)).body;
  /** Returns the HTML section of one measure. */
  const measure = (text: string, id: string): string =>
    new RegExp(`<section class="metric" aria-labelledby="days-${id}">.*?</section>`, 's').exec(text)?.[0] ?? '';

  it('show one line and a link when there are no wearable days', async () => {
    const device = deviceOf(service);
    await draw(device, '2026-02-01');
    await takes(device, '2026-03-01');
    const text = await page(device);
    assert.match(text, /can stand beside these values: <a href="\/wearables">add days<\/a>/);
    assert.doesNotMatch(text, /id="days"/);
    assert.deepEqual(await insights(device), { insights: [], vitals: [], vitals_not_compared: [] });
  });

  it('are charted around the draws with gaps, draws, starts, source and table, and one chart for blood pressure', async () => {
    const device = deviceOf(service);
    await send(device, DAYS);
    await draw(device, '2026-03-01');
    await takes(device, '2026-03-02');
    const text = await page(device);
    assert.match(text, /1 January 2026 to 30 May 2026: the days that are kept from 90 days before/);
    const pulse = measure(text, 'resting_hr_bpm');
    assert.match(pulse, /<title[^>]*>Resting heart rate<\/title><desc[^>]*>[^<]*: between 55 and 61\.<\/desc>/);
    assert.equal(pulse.match(/class="series-line"/g)?.length, 1);
    // The line is interrupted for the week without the watch.
    assert.equal(/class="series-line" d="([^"]*)"/.exec(pulse)?.[1]?.match(/M/g)?.length, 2);
    assert.equal(pulse.match(/class="series-draw"/g)?.length, 1);
    assert.match(pulse, /▶1/);
    assert.match(pulse, /Source of each day: Anna’s Watch \(143 days\)/);
    assert.match(pulse, />February 2026<\/th><td[^>]*>61<\/td><td[^>]*>21<\/td>/);
    const pressure = measure(text, 'systolic');
    assert.equal(pressure.match(/class="series-line/g)?.length, 2);
    assert.match(pressure, /Diastolic blood pressure, mean/);
    assert.equal(measure(text, 'diastolic'), '');
    assert.match(text, /Also kept of this time: Breaths\.<\/p><p><a href="\/wearables\/data">All your days<\/a>/);
    assert.ok(text.indexOf('id="h-ferritin"') < text.indexOf('id="days"'));
    assert.ok(text.indexOf('days-resting_hr_bpm') < text.indexOf('days-steps'));
    const one = await page(device, `${TRENDS}?marker=ferritin`);
    assert.ok(measure(one, 'resting_hr_bpm'));
  });

  it('are compared before and with each entry, in the table and as JSON, without a causal claim', async () => {
    const device = deviceOf(service);
    await send(device, DAYS);
    const entry = await takes(device, '2026-03-02');
    const young = await takes(device, new Date().toISOString().slice(0, 10), 'iron');
    const body = await insights(device);
    const { insights: of, vitals, vitals_not_compared: rest } = body;
    const { paths } = (await device.get('/openapi.json').expect(200)).body;
    const check = createAjv().compile(paths[INSIGHTS].get.responses['200'].content['application/json'].schema);
    assert.ok(check(body), JSON.stringify(check.errors));
    assert.deepEqual(of, []);
    const { caveats, ...pulse } = vitals.find(({ metric }: { metric: string }) => metric === 'resting_hr_bpm');
    assert.deepEqual(pulse, {
      log_id: entry.log_id,
      supplement_slug: 'magnesium',
      name: 'Magnesium',
      metric: 'resting_hr_bpm',
      metric_name: 'Resting heart rate',
      unit: '/min',
      source: 'Anna’s Watch',
      before: { from: '2026-02-03', to: '2026-03-02', days: 21, median: 61, lower_quartile: 60, upper_quartile: 62 },
      after: { from: '2026-05-04', to: '2026-05-31', days: 28, median: 55, lower_quartile: 54, upper_quartile: 56 },
      strength: 'weak',
    });
    assert.match(caveats.join(' '), /differ by chance alone.*cannot show why a value changed/);
    assert.deepEqual(
      rest.map(({ log_id, metric, reason }: Record<string, unknown>) => [log_id, metric, reason]),
      [
        [young.log_id, null, 'too_young'],
        [entry.log_id, 'weight_kg', 'few_days'],
      ],
    );
    assert.match(rest[0].possible_from, /^\d{4}-\d\d-\d\d$/);
    const text = await page(device);
    assert.match(
      text,
      /Resting heart rate<\/a><\/th><td[^>]*>61 \/min \(60 to 62\)<\/td><td[^>]*>55 \/min \(54 to 56\)<\/td><td[^>]*>21 before, 28 with it<\/td>/,
    );
    assert.match(text, /Sleep<\/a><\/th><td[^>]*>7 h \d+ min \(/);
    assert.match(text, /Not compared: a comparison is possible from \d+ \w+ 20\d\d on\./);
    assert.match(text, /Weight \(2 days before, 3 with it\)/);
    assert.match(text, /the last year of days that are kept/);
    assert.doesNotMatch(text, /caused|because of (?:it|magnesium)|improved|worsened|thanks to|\bbetter\b|\bworse\b/i);
  });

  it('omit supplements while a last laboratory value is critical', async () => {
    const device = deviceOf(service);
    await send(device, DAYS);
    await draw(device, '2026-03-01', 'Potassium', '7.4');
    await takes(device, '2026-03-02');
    const text = await page(device);
    assert.match(measure(text, 'resting_hr_bpm'), /series-line/);
    assert.doesNotMatch(text, /Magnesium|▶|id="with"/);
    const { vitals } = await insights(device);
    assert.match(vitals[0].caveats[0], /Potassium is critical: contact a doctor or an emergency service now/);
  });

  it('state their dates when none is near a draw', async () => {
    const device = deviceOf(service);
    await send(device, DAYS.slice(0, 3));
    await draw(device, '2025-03-01');
    const text = await page(device);
    assert.match(text, /Days are kept from 1 January 2026 to 3 January 2026: none of them within 90 days/);
    assert.doesNotMatch(text, /series-line/);
  });

  it('disappear from the page and the API after deletion, and are never visible to another device', async () => {
    const device = deviceOf(service);
    await send(device, DAYS);
    await takes(device, '2026-03-02');
    assert.ok((await insights(device)).vitals.length > 4);
    const stranger = deviceOf(service);
    await takes(stranger, '2026-03-02');
    assert.deepEqual((await insights(stranger)).vitals, []);
    assert.doesNotMatch(await page(stranger), /id="days"/);
    await device.postForm('/wearables/data/delete-wearable-data', {});
    assert.deepEqual(await insights(device), { insights: [], vitals: [], vitals_not_compared: [] });
    const text = await page(device);
    assert.doesNotMatch(text, /id="days"|id="with"|Watch/);
    assert.match(text, /add days<\/a>/);
  });
});
