/** Tests the units of a health export. */
import { deepEqual } from 'node:assert/strict';
import { daysOf, type MadeRecord, readBytes, record, xmlOf } from './made-export.ts';

const MORNING = '2024-05-01 08:00:00 +0200';

const vitalsOf = async (...records: readonly MadeRecord[]) =>
  daysOf(await readBytes(xmlOf(...records.map(record))))['2024-05-01 Anna’s Watch'];

describe('units of a health export', () => {
  it('are converted from the units in the file', async () => {
    const units: readonly (readonly [type: string, unit: string, value: string])[] = [
      ['DistanceWalkingRunning', 'mi', '1'],
      ['ActiveEnergyBurned', 'kJ', '418.4'],
      ['BodyMass', 'lb', '150'],
      ['BodyTemperature', 'degF', '98.6'],
      ['BloodGlucose', 'mmol<180.15588000005408>/L', '5.5'],
      ['VO2Max', 'mL/min·kg', '42.1'],
      ['BloodPressureSystolic', 'kPa', '16'],
      ['RespiratoryRate', 'count/min', '14.5'],
      ['RestingHeartRate', 'count/min', '52'],
    ];
    deepEqual(await vitalsOf(...units.map(([type, unit, value]) => ({ type, unit, value, start: MORNING }))), {
      distance_m: 1609.344,
      active_kcal: 100,
      weight_kg: 68.0389,
      body_temp_c: 37,
      glucose_mg_dl: 99.0857,
      vo2max: 42.1,
      systolic: 120.0099,
      resp_rate: 14.5,
      resting_hr_bpm: 52,
    });
  });

  it('distinguish kcal, Cal and cal, and accept st and g', async () => {
    const energy = (unit: string, value: string) => ({ type: 'ActiveEnergyBurned', unit, value, start: MORNING });
    deepEqual(await vitalsOf(energy('kcal', '1'), energy('Cal', '2'), energy('cal', '500')), { active_kcal: 3.5 });
    deepEqual(await vitalsOf({ type: 'BodyMass', unit: 'st', value: '11', start: MORNING }), { weight_kg: 69.8532 });
    deepEqual(await vitalsOf({ type: 'BodyMass', unit: 'g', value: '3500', start: MORNING }), { weight_kg: 3.5 });
  });

  it('include a fraction or a percentage for oxygen saturation', async () => {
    const oxygen = (value: string) => ({ type: 'OxygenSaturation', unit: '%', value, start: MORNING });
    deepEqual(await vitalsOf(oxygen('0.97')), { spo2_pct: 97 });
    deepEqual(await vitalsOf(oxygen('97')), { spo2_pct: 97 });
    deepEqual(await vitalsOf(oxygen('1')), { spo2_pct: 100 });
  });
});
