import assert from 'node:assert/strict';
import { whoop } from '#plugins/wearables/vendors/whoop.ts';
import { apiAt, type DataServer, startDataServer } from './data-server.ts';

const SPAN = { from: '2026-05-20', to: '2026-05-26' };

describe('WHOOP', () => {
  let server: DataServer;
  before(async () => {
    server = await startDataServer();
  });
  beforeEach(() => server.forget());
  after(() => server.close());
  const sleep = {
    id: 'ecfc6a15-4661-442f-a9a4-f160dd7afae8',
    start: '2026-05-24T23:18:00.000Z',
    end: '2026-05-25T02:51:00.000Z',
    timezone_offset: '-04:00',
    nap: false,
    score_state: 'SCORED',
    score: {
      stage_summary: {
        total_in_bed_time_milli: 27_180_000,
        total_awake_time_milli: 1_380_000,
        total_light_sleep_time_milli: 13_560_000,
        total_slow_wave_sleep_time_milli: 6_120_000,
        total_rem_sleep_time_milli: 6_120_000,
      },
      respiratory_rate: 15.86,
    },
  };
  const recovery = {
    sleep_id: sleep.id,
    score_state: 'SCORED',
    score: { resting_heart_rate: 51, hrv_rmssd_milli: 68.412345, spo2_percentage: 96.7, skin_temp_celsius: 33.4 },
  };

  it('returns the night on the person’s local day, with its measurements', async () => {
    server.on('GET /v2/activity/sleep', { body: { records: [sleep], next_token: null } });
    server.on('GET /v2/recovery', { body: { records: [recovery, { ...recovery, sleep_id: 'of another span' }] } });
    assert.deepEqual(await whoop.fetchDays(apiAt(server.url, whoop), SPAN), [
      {
        day: '2026-05-24',
        tz: '-04:00',
        source: 'WHOOP',
        origin: 'whoop',
        vitals: {
          sleep_total_min: 430,
          sleep_deep_min: 102,
          sleep_rem_min: 102,
          sleep_light_min: 226,
          sleep_awake_min: 23,
          resp_rate: 15.86,
          resting_hr_bpm: 51,
          hrv_rmssd_ms: 68.41,
          spo2_pct: 96.7,
        },
      },
    ]);
  });

  it('omits nights that have no score yet', async () => {
    server.on('GET /v2/activity/sleep', {
      body: { records: [{ ...sleep, score_state: 'PENDING_SCORE', score: undefined }] },
    });
    server.on('GET /v2/recovery', { body: { records: [recovery] } });
    assert.deepEqual(await whoop.fetchDays(apiAt(server.url, whoop), SPAN), []);
  });

  it('revokes a grant at the vendor', async () => {
    server.on('DELETE /v2/user/access', { status: 204 });
    await whoop.revoke(apiAt(server.url, whoop));
    assert.equal(server.asked[0]?.authorization, 'Bearer access-token');
  });
});
