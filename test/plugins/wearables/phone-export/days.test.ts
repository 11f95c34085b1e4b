/** Tests how records of a health export become days. */
import { deepEqual, equal } from 'node:assert/strict';
import { createCipheriv, randomBytes } from 'node:crypto';
import { readExport } from '#plugins/wearables/phone-export/read-export.ts';
import { madeZip } from '../../../support/zip.ts';
import { daysOf, element, lineOf, type MadeRecord, readBytes, record, withFile, xmlOf } from './made-export.ts';

const MORNING = '2024-05-01 08:00:00 +0200';
const HK = 'HKQuantityTypeIdentifier';

const vitalsOf = async (...records: readonly MadeRecord[]) =>
  daysOf(await readBytes(xmlOf(...records.map(record))))['2024-05-01 Anna’s Watch'];

const steps = (value: string, more: Partial<MadeRecord> = {}): MadeRecord => ({
  type: 'StepCount',
  unit: 'count',
  value,
  start: MORNING,
  ...more,
});

describe('days of a health export', () => {
  it('sum counts, average samples, and use the last single measurement', async () => {
    const later = '2024-05-01 20:00:00 +0200';
    deepEqual(
      await vitalsOf(
        steps('100'),
        steps('250', { start: later }),
        { type: 'HeartRate', unit: 'count/min', value: '60', start: MORNING },
        { type: 'HeartRate', unit: 'count/min', value: '71', start: later },
        { type: 'BodyMass', unit: 'kg', value: '70.4', start: later },
        { type: 'BodyMass', unit: 'kg', value: '71', start: MORNING },
        { type: 'HeartRateVariabilitySDNN', unit: 'ms', value: '41.5', start: MORNING },
      ),
      { steps: 350, avg_hr_bpm: 65.5, hrv_sdnn_ms: 41.5, weight_kg: 70.4 },
    );
  });

  it('separate sources, whatever their names', async () => {
    const reading = await readBytes(
      xmlOf(record(steps('1000')), record(steps('900', { source: 'O\'Neil "📱" & Sons’ iPhone' }))),
    );
    deepEqual(daysOf(reading), {
      '2024-05-01 Anna’s Watch': { steps: 1000 },
      '2024-05-01 O\'Neil "📱" & Sons’ iPhone': { steps: 900 },
    });
    deepEqual([reading.days, reading.records], [1, 2]);
  });

  it('have source names with characters and references decoded across chunk boundaries', async () => {
    const names = ['Zoë’s 手表 📱', 'Zoë’s 手表 📱'.replace('’', 'QUOTE').replace('手', 'HAND')];
    const many = Array.from({ length: 3_000 }, (_, at) => {
      const time = `2024-05-01 ${String(Math.floor(at / 60) % 24).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
      const written = record(
        steps('1', { source: names[at % 2], start: `${time}:${at < 1_440 ? '00' : at < 2_880 ? '01' : '02'} +0200` }),
      );
      return written
        .replace('QUOTE', '&#8217;')
        .replace('HAND', '&#x624B;')
        .replace(' Watch', '\u00a0Watch’'.repeat(at % 9));
    });
    const reading = await readBytes(xmlOf(...many));
    deepEqual(daysOf(reading), { '2024-05-01 Zoë’s 手表 📱': { steps: 3_000 } });
  });

  it('do not count a missing number as zero, and report what was skipped and why', async () => {
    const reading = await readBytes(
      xmlOf(
        record(steps('0')),
        ...['', ' ', 'many', '1,5', '0x10', 'Infinity'].map((value) => record(steps(value))),
        record(steps('5', { value: undefined })),
        record(steps('7', { unit: 'stone' })),
        record(steps('7', { unit: undefined })),
        record(steps('-3')),
        record(steps('3', { start: '2024-02-30 08:00:00 +0200' })),
        record(steps('3', { start: '1/5/2024 8:00' })),
        record({ type: 'BloodGlucose', unit: 'mmol<342.3>/L', value: '5', start: MORNING }),
        record({ type: 'HeartRate', unit: 'count/min', value: '900', start: MORNING }),
        record({ type: 'DietaryWater', unit: 'mL', value: '300', start: MORNING }),
      ),
    );
    deepEqual(daysOf(reading), { '2024-05-01 Anna’s Watch': { steps: 0 } });
    equal(
      lineOf(reading, `${HK}StepCount`),
      '13, 1, 12: 2 without a date that can be read; 7 without a number that can be read; 2 in a unit that is not known; 1 beyond what a body can be measured at',
    );
    equal(lineOf(reading, `${HK}BloodGlucose`), '1, 0, 1: in a unit that is not known');
    equal(lineOf(reading, `${HK}HeartRate`), '1, 0, 1: beyond what a body can be measured at');
    equal(lineOf(reading, `${HK}DietaryWater`), '1, 0, 1: not one of our metrics');
    equal(reading.records, 16);
  });

  it('omit an implausible daily sum with all its records', async () => {
    const many = Array.from({ length: 3 }, (_, at) => record(steps('90000', { end: `2024-05-01 09:00:0${at} +0200` })));
    const reading = await readBytes(xmlOf(...many));
    deepEqual(reading.rows, []);
    equal(lineOf(reading, `${HK}StepCount`), '3, 0, 3: beyond what a body can be measured at');
  });

  it('count a duplicate record once, inside or outside a correlation', async () => {
    const pressure = (type: string, value: string) =>
      record({ type, unit: 'mmHg', value, start: MORNING, source: 'Cuff' });
    const both = pressure('BloodPressureSystolic', '118') + pressure('BloodPressureDiastolic', '76');
    const second = pressure('BloodPressureSystolic', '124');
    const correlation = element(
      'Correlation',
      { type: 'HKCorrelationTypeIdentifierBloodPressure', sourceName: 'Cuff', startDate: MORNING, endDate: MORNING },
      both,
    );
    const wanted = { '2024-05-01 Cuff': { systolic: 121, diastolic: 76 } };
    for (const xml of [xmlOf(correlation, both, second), xmlOf(second, both, correlation), xmlOf(correlation, second)])
      deepEqual(daysOf(await readBytes(xml)), wanted);
    const reading = await readBytes(xmlOf(correlation, both, second));
    equal(lineOf(reading, `${HK}BloodPressureSystolic`), '3, 2, 1: 1 in the file twice');
    equal(lineOf(reading, 'HKCorrelationTypeIdentifierBloodPressure'), '1, 0, 1: told by its records already');
  });

  it('count records that differ in only one attribute separately', async () => {
    const other = [{}, { value: '11' }, { end: '2024-05-01 08:00:01 +0200' }, { start: '2024-05-01 07:00:00 +0200' }];
    const reading = await readBytes(xmlOf(...other.map((more) => record(steps('10', { end: MORNING, ...more })))));
    deepEqual(daysOf(reading), { '2024-05-01 Anna’s Watch': { steps: 41 } });
  });

  it('do not include the energy of workouts, which are only counted', async () => {
    const dates = { sourceName: 'Anna’s Watch', startDate: MORNING, endDate: '2024-05-01 09:00:00 +0200' };
    const old = element('Workout', {
      workoutActivityType: 'HKWorkoutActivityTypeRunning',
      totalEnergyBurned: '400',
      totalEnergyBurnedUnit: 'kcal',
      ...dates,
    });
    const statistics = element('WorkoutStatistics', {
      type: `${HK}ActiveEnergyBurned`,
      sum: '400',
      unit: 'kcal',
      ...dates,
    });
    const recent = element('Workout', { workoutActivityType: 'HKWorkoutActivityTypeCycling', ...dates }, statistics);
    const energy = record({ type: 'ActiveEnergyBurned', unit: 'kcal', value: '55', start: MORNING });
    const reading = await readBytes(xmlOf(old, recent, energy));
    deepEqual(daysOf(reading), { '2024-05-01 Anna’s Watch': { active_kcal: 55 } });
    equal(reading.workouts, 2);
    equal(lineOf(reading, 'Workout'), '2, 0, 2: counted only: energy and distance stand in the records');
  });

  it('use the local date of each record, and the most frequent offset of the day', async () => {
    const reading = await readBytes(
      xmlOf(
        record(steps('1', { start: '2024-03-31 00:30:00 +0100' })),
        record(steps('2', { start: '2024-03-31 03:30:00 +0200' })),
        record(steps('4', { start: '2024-03-31 23:59:59 +0200' })),
        record(steps('8', { start: '2024-04-01 00:00:00 -0930' })),
      ),
    );
    deepEqual(
      reading.rows.map(({ day, tz, vitals }) => [day, tz, vitals.steps]),
      [
        ['2024-03-31', '+02:00', 7],
        ['2024-04-01', '-09:30', 8],
      ],
    );
  });

  it('are read from a ZIP with or without the top folder, from XML, and from encrypted files', async () => {
    const xml = xmlOf(record(steps('1234')));
    const folder = {
      'apple_health_export/export_cda.xml': '<ClinicalDocument/>',
      'apple_health_export/export.xml': xml,
    };
    // The counter overflows, which is allowed.
    const sealed = { key: randomBytes(32).toString('base64'), iv: Buffer.alloc(16, 0xff).toString('base64') };
    for (const bytes of [madeZip(folder), madeZip({ 'export.xml': xml }), Buffer.from(`\ufeff${xml}`)]) {
      deepEqual(daysOf(await readBytes(bytes)), { '2024-05-01 Anna’s Watch': { steps: 1234 } });
      const cipher = createCipheriv('aes-256-ctr', Buffer.from(sealed.key, 'base64'), Buffer.from(sealed.iv, 'base64'));
      const reading = await withFile(
        Buffer.concat([cipher.update(bytes), cipher.final()]),
        (file) => readExport(file),
        sealed,
      );
      deepEqual(daysOf(reading), { '2024-05-01 Anna’s Watch': { steps: 1234 } });
      deepEqual(
        [reading.outcome, reading.exportedAt, reading.sex, reading.birthYear, reading.bytes >= xml.length],
        ['read', '2024-06-01T12:00:00+02:00', 'female', 1980, true],
      );
    }
  });
});
