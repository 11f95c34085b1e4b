import assert from 'node:assert/strict';
import { garmin } from '#plugins/wearables/vendors/garmin.ts';

describe('Garmin', () => {
  const daily = {
    userId: 'u1',
    calendarDate: '2026-05-25',
    steps: 4_210,
    distanceInMeters: 3_146.5,
    activeKilocalories: 321,
    startTimeInSeconds: 1_779_660_000,
    startTimeOffsetInSeconds: 7_200,
    averageHeartRateInBeatsPerMinute: 64,
    restingHeartRateInBeatsPerMinute: 55,
    timeOffsetHeartRateSamples: { 15: 75, 30: 77 },
  };
  /** The sleep ends at 06:00 in UTC+2 on 25 May 2026. */
  const sleep = {
    userId: 'u1',
    startTimeInSeconds: 1_779_681_600 - 28_000,
    startTimeOffsetInSeconds: 7_200,
    durationInSeconds: 27_000,
    awakeDurationInSeconds: 1_000,
    unmeasurableSleepInSeconds: 0,
    deepSleepDurationInSeconds: 9_000,
    lightSleepDurationInSeconds: 12_600,
    remSleepInSeconds: 5_400,
    validation: 'ENHANCED_TENTATIVE',
  };

  it('reads a push by user and kind, averages the heart rate samples, and uses the final version of a night', () => {
    const final = {
      ...sleep,
      durationInSeconds: 27_600,
      deepSleepDurationInSeconds: 9_600,
      awakeDurationInSeconds: 400,
      validation: 'ENHANCED_FINAL',
    };
    const rows = garmin.readPush?.({
      dailies: [daily],
      sleeps: [
        sleep,
        final,
        {
          ...sleep,
          userId: 'u2',
          remSleepInSeconds: 0,
          lightSleepDurationInSeconds: 18_000,
          validation: 'AUTO_FINAL',
        },
      ],
    });
    const common = { day: '2026-05-25', tz: '+02:00', origin: 'garmin' };
    assert.deepEqual(rows?.get('u1'), [
      {
        ...common,
        source: 'Garmin',
        vitals: { steps: 4_210, distance_m: 3_146.5, active_kcal: 321, resting_hr_bpm: 55, avg_hr_bpm: 76 },
      },
      {
        ...common,
        source: 'Garmin (sleep)',
        vitals: {
          sleep_total_min: 460,
          sleep_deep_min: 160,
          sleep_light_min: 210,
          sleep_rem_min: 90,
          sleep_awake_min: 6.67,
        },
      },
    ]);
    assert.equal('sleep_rem_min' in (rows?.get('u2')?.[0]?.vitals ?? {}), false);
  });

  it('returns no night that was not measured, and nothing for an invalid push', () => {
    for (const validation of ['MANUAL', 'OFF_WRIST']) {
      assert.deepEqual(garmin.readPush?.({ sleeps: [{ ...sleep, validation }] }).get('u1'), []);
    }
    for (const body of [null, 'x', [], { dailies: 'x' }, { dailies: [{ steps: 1 }] }]) {
      assert.deepEqual([...(garmin.readPush?.(body) ?? [])], []);
    }
  });
});
