/** Tests how sleep records of a health export become nights. */
import { deepEqual, equal } from 'node:assert/strict';
import { daysOf, lineOf, readBytes, sleep, xmlOf } from './made-export.ts';

const may = (day: number, time: string): string => `2024-05-0${day} ${time}:00 +0200`;
const nights = async (...segments: readonly string[]) => daysOf(await readBytes(xmlOf(...segments)));

describe('sleep of a health export', () => {
  it('assigns a night over midnight to the day on which it ends, with its stages', async () => {
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

  it('does not count time in bed as sleep', async () => {
    const reading = await readBytes(xmlOf(sleep('InBed', may(1, '22:00'), may(2, '07:00'))));
    deepEqual(reading.rows, []);
    equal(lineOf(reading, 'HKCategoryTypeIdentifierSleepAnalysis'), '1, 0, 1: time in bed, which is no sleep');
  });

  it('returns only the total for old records without stages', async () => {
    deepEqual(await nights(sleep('Asleep', may(1, '23:00'), may(2, '06:00'))), {
      '2024-05-02 Anna’s Watch': { sleep_total_min: 420 },
    });
  });

  it('assigns a nap to its own day, and an interrupted night to the day on which it ends', async () => {
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

  it('counts overlapping segments of a source once, with the more specific stage', async () => {
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

  it('separates the nights of two sources', async () => {
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

  it('counts the hours slept across a clock change', async () => {
    const spring = await nights(sleep('Asleep', '2024-03-30 23:00:00 +0100', '2024-03-31 07:00:00 +0200'));
    deepEqual(spring, { '2024-03-31 Anna’s Watch': { sleep_total_min: 420 } });
    const autumn = await nights(sleep('Asleep', '2024-10-26 23:00:00 +0200', '2024-10-27 07:00:00 +0100'));
    deepEqual(autumn, { '2024-10-27 Anna’s Watch': { sleep_total_min: 540 } });
  });

  it('uses the time zone at the end of the night for its day', async () => {
    const flight = await readBytes(xmlOf(sleep('Asleep', '2024-05-01 22:00:00 +0200', '2024-05-01 23:30:00 -0400')));
    deepEqual(
      flight.rows.map(({ day, tz, vitals }) => [day, tz, vitals.sleep_total_min]),
      [['2024-05-01', '-04:00', 450]],
    );
  });

  it('skips segments that end before they start, last for days, or have an unknown stage', async () => {
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
