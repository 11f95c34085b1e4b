/** A test device with months of wearable days in addition to its laboratory values. */
import { daysFrom, exportXml, recordsOf } from '../plugins/wearables/support.ts';
import { type Device, deviceOf } from '../support/device.ts';
import type { SharedService } from '../support/shared.ts';

/** Stores six months of wearable data and three blood draws, with supplements started at different points in that time. */
export const withDays = async (service: SharedService): Promise<{ device: Device; paths: readonly string[] }> => {
  const device = deviceOf(service);
  const months = daysFrom('2026-01-01', '2026-06-30').filter((day) => !day.startsWith('2026-02-1'));
  const watch = months.map((day, at) => ({
    day,
    source: day < '2026-06-20' ? 'A watch with quite a long name of its own' : 'Oura',
    restingPulse: (day < '2026-04-10' ? 58 : 54) + (at % 4),
    sdnn: 38 + (at % 9),
    pressure: [121 + (at % 6), 78 + (at % 5)] as const,
    asleep: 6.5 + (at % 5) / 4,
    breaths: 14,
    oxygen: 0.96 + (at % 3) / 100,
    steps: 7_000 + 211 * (at % 13),
    ...(at % 6 ? {} : { weight: 70 + (at % 4) / 2 }),
  }));
  const file = Buffer.from(exportXml(...recordsOf(watch)));
  await device
    .post('/wearables/phone-health')
    .field({ consent: 'true' })
    .attach('file', file, 'export.xml')
    .expect(303);
  for (const [day, value] of [
    ['2026-02-02', '18'],
    ['2026-04-20', '24'],
    ['2026-05-28', '31'],
  ] as const)
    await device
      .post('/blood-test/reports')
      .send({
        consent: true,
        sex: 'female',
        birth_year: 1980,
        collected_at: day,
        added: { a1: { name: 'Ferritin', value, unit: 'ng/mL' } },
      })
      .expect(200);
  for (const [supplement_slug, started_at] of [
    ['magnesium', '2026-03-01'],
    ['iron', '2026-03-04'],
    ['zinc', '2026-06-20'],
  ] as const)
    await device.post('/blood-test/supplement-log').send({ consent: true, supplement_slug, started_at }).expect(200);
  return { device, paths: ['/blood-test/trends', '/blood-test/trends?marker=ferritin', '/wearables/data'] };
};
