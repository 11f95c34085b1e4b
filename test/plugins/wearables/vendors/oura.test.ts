import assert from 'node:assert/strict';
import { oura } from '#plugins/wearables/vendors/oura.ts';
import { apiAt, type DataServer, startDataServer } from './data-server.ts';

const SPAN = { from: '2026-05-20', to: '2026-05-26' };

describe('Oura', () => {
  let server: DataServer;
  before(async () => {
    server = await startDataServer();
  });
  beforeEach(() => server.forget());
  after(() => server.close());
  const night = {
    id: 'a',
    type: 'long_sleep',
    day: '2026-05-25',
    bedtime_start: '2026-05-24T23:10:00+02:00',
    bedtime_end: '2026-05-25T06:50:00+02:00',
    average_breath: 15.125,
    average_hrv: 66,
    lowest_heart_rate: 44,
    awake_time: 1_380,
    deep_sleep_duration: 7_440,
    light_sleep_duration: 13_560,
    rem_sleep_duration: 4_800,
    total_sleep_duration: 25_800,
  };
  const all = (data: readonly unknown[], next_token: string | null = null) => ({ body: { data, next_token } });

  it('returns nights in minutes on the day they end, HRV as RMSSD, and adds naps', async () => {
    const nap = { ...night, type: 'sleep', bedtime_end: '2026-05-25T14:20:00+02:00', average_hrv: 20 };
    server.on(
      'GET /v2/usercollection/sleep',
      all([
        night,
        {
          ...nap,
          total_sleep_duration: 1_200,
          deep_sleep_duration: 0,
          light_sleep_duration: 1_200,
          rem_sleep_duration: 0,
          awake_time: 0,
        },
      ]),
    );
    server.on(
      'GET /v2/usercollection/daily_activity',
      all([
        {
          day: '2026-05-25',
          steps: 8_123,
          active_calories: 412,
          equivalent_walking_distance: 9_000,
          non_wear_time: 600,
          timestamp: '2026-05-25T04:00:00+02:00',
        },
      ]),
    );
    server.on('GET /v2/usercollection/daily_spo2', all([{ day: '2026-05-25', spo2_percentage: { average: 97.25 } }]));
    server.on('GET /v2/usercollection/vO2_max', all([{ day: '2026-05-25', vo2_max: 44 }]));
    assert.deepEqual(await oura.fetchDays(apiAt(server.url, oura), SPAN), [
      {
        day: '2026-05-25',
        tz: '+02:00',
        source: 'Oura',
        origin: 'oura',
        vitals: {
          sleep_total_min: 450,
          sleep_deep_min: 124,
          sleep_rem_min: 80,
          sleep_light_min: 246,
          sleep_awake_min: 23,
          hrv_rmssd_ms: 66,
          resp_rate: 15.13,
          steps: 8_123,
          active_kcal: 412,
          spo2_pct: 97.25,
          vo2max: 44,
        },
      },
    ]);
    assert.ok(server.asked.every(({ authorization }) => authorization === 'Bearer access-token'));
    assert.deepEqual(server.asked[0]?.query, { start_date: '2026-05-20', end_date: '2026-05-26' });
  });

  it('omits unknown values instead of returning zero, and omits days when the ring was not worn', async () => {
    const unscored = {
      ...night,
      average_hrv: null,
      average_breath: null,
      total_sleep_duration: 0,
      deep_sleep_duration: null,
      rem_sleep_duration: null,
      light_sleep_duration: null,
    };
    server.on(
      'GET /v2/usercollection/sleep',
      all([unscored, { ...night, type: 'deleted' }, { ...night, type: 'rest' }]),
    );
    server.on(
      'GET /v2/usercollection/daily_activity',
      all([{ day: '2026-05-25', steps: 0, active_calories: 0, non_wear_time: 86_400 }]),
    );
    server.on(
      'GET /v2/usercollection/daily_spo2',
      all([
        { day: '2026-05-25', spo2_percentage: { average: 0 } },
        { day: '2026-05-24', spo2_percentage: null },
      ]),
    );
    assert.deepEqual(await oura.fetchDays(apiAt(server.url, oura), SPAN), []);
  });

  it('requests only the granted scopes, and follows pages', async () => {
    server.on('GET /v2/usercollection/daily_spo2', ({ query }) =>
      query.next_token
        ? all([{ day: '2026-05-21', spo2_percentage: { average: 96 } }])
        : all([{ day: '2026-05-22', spo2_percentage: { average: 97 } }], 'next'),
    );
    const rows = await oura.fetchDays(apiAt(server.url, oura, ['spo2']), SPAN);
    assert.deepEqual(
      rows.map(({ day, vitals }) => [day, vitals.spo2_pct]),
      [
        ['2026-05-21', 96],
        ['2026-05-22', 97],
      ],
    );
    assert.deepEqual(new Set(server.asked.map(({ path }) => path)), new Set(['/v2/usercollection/daily_spo2']));
  });
});
