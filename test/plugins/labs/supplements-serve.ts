import { writeFile } from 'node:fs/promises';
import { confirmed, labService, Visitor } from './supplements-support.ts';

const service = await labService();
const person = new Visitor(service, 'x');
const range = (low: number | null, high: number | null, text: string) => ({ range: { low, high, text } });
const rep = (day: string, labName: string, markers: never[]) =>
  person.report({
    collectedAt: day,
    labName,
    sex: 'female',
    birthYear: 1980,
    isPregnant: false,
    isFasting: true,
    markers,
  });
await rep('2025-09-03', 'North Laboratory', [
  confirmed('vitamin-d', '17', 'ng/mL', range(30, 100, '30 - 100')),
  confirmed('ferritin', '11', 'ng/mL', range(15, 150, '15-150')),
  confirmed('ldl-cholesterol', '142', 'mg/dL', range(null, 116, '< 116')),
  confirmed('potassium', '4.4', 'mmol/L', range(3.5, 5.1, '3.5-5.1')),
] as never);
await rep('2026-01-20', 'North Laboratory', [
  confirmed('vitamin-d', '19', 'ng/mL', range(30, 100, '30 - 100')),
  confirmed('ferritin', '<5', 'ng/mL', range(15, 150, '15-150')),
  confirmed('ldl-cholesterol', '3.9', 'mmol/L', range(null, 3, '< 3.0')),
] as never);
await rep('2026-05-11', 'South Clinic', [
  confirmed('vitamin-d', '88', 'nmol/L', range(75, 250, '75-250')),
  confirmed('ferritin', '31', 'ng/mL', range(15, 150, '15-150')),
  confirmed('ldl-cholesterol', '131', 'mg/dL', range(null, 116, '< 116')),
] as never);
await rep('2026-10-02', 'South Clinic', [
  confirmed('vitamin-d', '41', 'ng/mL', range(30, 100, '30 - 100')),
  confirmed('ferritin', '46', 'ng/mL', range(15, 150, '15-150')),
  confirmed('ldl-cholesterol', '128', 'mg/dL', range(null, 116, '< 116')),
  confirmed('potassium', '6.6', 'mmol/L', range(3.5, 5.1, '3.5-5.1')),
  confirmed('crp', '<0.6', 'mg/L', range(null, 5, '< 5')),
  { ...confirmed('ferritin', '7', 'xyz'), slug: null, rawName: 'Mystery factor', markerId: 'm-x' },
  confirmed('hba1c', '5.4', '%', range(null, 5.7, '< 5.7')),
  confirmed('tsh', '2.1', 'm[IU]/L', { unit: 'mIU/L', ...range(0.4, 4, '0.4-4.0') }),
  confirmed('white-blood-cells', '6.1', '10*3/uL', { unit: '10³/µL', ...range(4, 10, '4.0-10.0') }),
] as never);
const log = (body: object) => person.send('/blood-test/supplement-log', body).expect(200);
await log({
  name: 'vitamin D',
  started_at: '2026-02-01',
  dose_amount: 2000,
  dose_unit: 'IU',
  frequency: 'daily',
  reason: 'low value',
  target_biomarkers: ['vitamin D'],
});
const { body } = await log({
  name: 'iron',
  started_at: '2026-02-15',
  dose_amount: 30,
  dose_unit: 'mg',
  frequency: 'daily',
});
await person.send(`/blood-test/supplement-log/${body.log_id}/stop`, { stopped_at: '2026-08-01' });
await log({ name: 'St. Johns wort', started_at: '2026-06-01' });
await log({ kind: 'medicine', name: 'warfarin', started_at: '2024-06-01', dose_amount: 5, dose_unit: 'mg' });
await log({ kind: 'medicine', name: 'metformin', started_at: '2023-06-01' });
await log({ name: 'magnesuim', started_at: '2026-07-01' });
await log({ name: 'Granny’s powder', started_at: '2026-07-01' });
await writeFile('/tmp/visit/at.json', JSON.stringify({ url: service.url, cookie: person.cookie }));
console.log(service.url);
