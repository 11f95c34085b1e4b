/** Sleep of a health export as nights. */
import { deepEqual, equal } from 'node:assert/strict';
import { daysOf, lineOf, readBytes, sleep, xmlOf } from './made-export.ts';

const may = (day: number, time: string): string => `2024-05-0${day} ${time}:00 +0200`;
const nights = async (...segments: readonly string[]) => daysOf(await readBytes(xmlOf(...segments)));

describe('sleep of a health export', () => {
  it('gives a night over midnight to the day on which it ends, with its stages', async () => {
    deepEqual(
      await nights(
        sleep('InBed', may(1, '22:30'), may(2, '07:10')),
        sleep('AsleepCore', may(1, '23:00'), may(2, '01:00')),
        sleep('AsleepDeep', may(2, '01:00'), may(2, '02:30')),
        sleep('Awake', may(2, '02:30'), may(2, '02:45')),
        sleep('AsleepREM', may(2, '02:45'), may(2, '04:00')),
        sleep('AsleepCore', may(2, '04:00'), may(2, '07:00')),
      ),
      {
        '2024-05-02 Anna’s Watch': {
          sleep_total_min: 465,
          sleep_deep_min: 90,
          sleep_rem_min: 75,
          sleep_light_min: 300,
          sleep_awake_min: 15,
        },
      },
    );
  });

  it('takes time in bed for no sleep', async () => {
    const reading = await readBytes(xmlOf(sleep('InBed', may(1, '22:00'), may(2, '07:00'))));
    deepEqual(reading.rows, []);
    equal(lineOf(reading, 'HKCategoryTypeIdentifierSleepAnalysis'), '1, 0, 1: time in bed, which is no sleep');
  });

  it('tells of old records without stages the total only', async () => {
    deepEqual(await nights(sleep('Asleep', may(1, '23:00'), may(2, '06:00'))), {
      '2024-05-02 Anna’s Watch': { sleep_total_min: 420 },
    });
  });

  it('gives a nap to its own day, and a night that is interrupted to its end', async () => {
    deepEqual(
      await nights(
        sleep('AsleepCore', may(1, '14:00'), may(1, '14:30')),
        sleep('AsleepCore', may(1, '21:00'), may(1, '23:30')),
        sleep('AsleepCore', may(2, '01:30'), may(2, '06:00')),
        sleep('AsleepCore', may(2, '15:00'), may(2, '15:20')),
      ),
      {
        '2024-05-01 Anna’s Watch': { sleep_total_min: 30, sleep_light_min: 30 },
        '2024-05-02 Anna’s Watch': { sleep_total_min: 440, sleep_light_min: 440 },
      },
    );
  });

  it('counts a minute that two segments of a source tell once, and believes the one that says more', async () => {
    deepEqual(
      await nights(
        sleep('AsleepUnspecified', may(1, '23:00'), may(2, '07:00')),
        sleep('AsleepDeep', may(2, '00:00'), may(2, '01:00')),
        sleep('AsleepCore', may(2, '00:30'), may(2, '02:00')),
        sleep('Awake', may(2, '03:00'), may(2, '03:30')),
        sleep('Awake', may(2, '06:30'), may(2, '08:00')),
        sleep('AsleepDeep', may(2, '00:00'), may(2, '01:00')),
      ),
      {
        '2024-05-02 Anna’s Watch': {
          sleep_total_min: 420,
          sleep_deep_min: 60,
          sleep_light_min: 60,
          sleep_awake_min: 60,
        },
      },
    );
  });

  it('keeps the nights of two sources apart', async () => {
    deepEqual(
      await nights(
        sleep('AsleepCore', may(1, '23:00'), may(2, '06:00')),
        sleep('AsleepUnspecified', may(1, '22:45'), may(2, '06:45'), 'Ring'),
      ),
      {
        '2024-05-02 Anna’s Watch': { sleep_total_min: 420, sleep_light_min: 420 },
        '2024-05-02 Ring': { sleep_total_min: 480 },
      },
    );
  });

  it('counts the hours that were slept when the clock is changed', async () => {
    const spring = await nights(sleep('Asleep', '2024-03-30 23:00:00 +0100', '2024-03-31 07:00:00 +0200'));
    deepEqual(spring, { '2024-03-31 Anna’s Watch': { sleep_total_min: 420 } });
    const autumn = await nights(sleep('Asleep', '2024-10-26 23:00:00 +0200', '2024-10-27 07:00:00 +0100'));
    deepEqual(autumn, { '2024-10-27 Anna’s Watch': { sleep_total_min: 540 } });
  });

  it('takes the wake day from the place where it ends', async () => {
    const flight = await readBytes(xmlOf(sleep('Asleep', '2024-05-01 22:00:00 +0200', '2024-05-01 23:30:00 -0400')));
    deepEqual(
      flight.rows.map(({ day, tz, vitals }) => [day, tz, vitals.sleep_total_min]),
      [['2024-05-01', '-04:00', 450]],
    );
  });

  it('leaves out segments that end before they begin, last for days, or are of a stage that nobody knows', async () => {
    const reading = await readBytes(
      xmlOf(
        sleep('Asleep', may(2, '06:00'), may(1, '23:00')),
        sleep('Asleep', may(1, '06:00'), may(3, '06:00')),
        sleep('AsleepDreaming', may(1, '23:00'), may(2, '06:00')),
      ),
    );
    deepEqual(reading.rows, []);
    equal(
      lineOf(reading, 'HKCategoryTypeIdentifierSleepAnalysis'),
      '3, 0, 3: 2 beyond what a body can be measured at; 1 of a stage that is not known',
    );
  });
});
