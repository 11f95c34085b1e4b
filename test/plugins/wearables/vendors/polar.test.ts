import assert from 'node:assert/strict';
import { polar } from '#plugins/wearables/vendors/polar.ts';
import { apiAt, type DataServer, startDataServer } from './data-server.ts';

const SPAN = { from: '2026-05-20', to: '2026-05-26' };

describe('Polar', () => {
  let server: DataServer;
  before(async () => {
    server = await startDataServer();
  });
  beforeEach(() => server.forget());
  after(() => server.close());
  it('returns activity, sleep, heart rate and nightly recharge, and omits missing values', async () => {
    server.on('GET /v3/users/activities', {
      body: [
        {
          start_time: '2026-05-25T00:00',
          end_time: '2026-05-25T23:59',
          active_duration: 'PT5H30M',
          steps: 12_000,
          active_calories: 800,
          distance_from_steps: 8_640.5,
        },
        { start_time: '2026-05-24T00:00' },
      ],
    });
    server.on('GET /v3/users/sleep', {
      body: {
        nights: [
          {
            date: '2026-05-25',
            sleep_start_time: '2026-05-24T23:00:00+03:00',
            sleep_end_time: '2026-05-25T06:30:00+03:00',
            light_sleep: 14_400,
            deep_sleep: 3_600,
            rem_sleep: 5_400,
            total_interruption_duration: 1_500,
          },
        ],
      },
    });
    server.on('GET /v3/users/nightly-recharge', {
      body: {
        recharges: [
          { date: '2026-05-25', heart_rate_avg: 52, heart_rate_variability_avg: 45, breathing_rate_avg: 14.2 },
        ],
      },
    });
    server.on('GET /v3/users/continuous-heart-rate', {
      body: {
        heart_rates: [
          {
            date: '2026-05-25',
            heart_rate_samples: [
              { heart_rate: 60, sample_time: '08:00:00' },
              { heart_rate: 71, sample_time: '08:05:00' },
            ],
          },
        ],
      },
    });
    const rows = await polar.fetchDays(apiAt(server.url, polar), SPAN);
    assert.deepEqual(rows, [
      {
        day: '2026-05-25',
        tz: '+03:00',
        source: 'Polar',
        origin: 'polar',
        vitals: {
          steps: 12_000,
          distance_m: 8_640.5,
          active_kcal: 800,
          avg_hr_bpm: 65.5,
          sleep_total_min: 390,
          sleep_deep_min: 60,
          sleep_rem_min: 90,
          sleep_light_min: 240,
          sleep_awake_min: 25,
          hrv_rmssd_ms: 45,
          resp_rate: 14.2,
        },
      },
    ]);
  });

  it('returns no days for a person without the device (404 and 204)', async () => {
    server.on('GET /v3/users/sleep', { status: 204 });
    assert.deepEqual(await polar.fetchDays(apiAt(server.url, polar), SPAN), []);
  });

  it('registers the person, also when already registered, and rejects a refused registration', async () => {
    server.on('POST /v3/users', { body: { 'polar-user-id': 10_129 } });
    assert.equal(await polar.register?.(apiAt(server.url, polar)), '10129');
    assert.match(String(server.asked[0]?.body['member-id']), /^[\da-f-]{36}$/);
    server.on('POST /v3/users', { status: 409, body: 'registered' });
    assert.equal(await polar.register?.(apiAt(server.url, polar)), '10129');
    server.on('POST /v3/users', { status: 403, body: 'consents are missing' });
    await assert.rejects(async () => polar.register?.(apiAt(server.url, polar)), /refused \(403\)/);
  });
});
