import assert from 'node:assert/strict';
import { googleHealth } from '#plugins/wearables/vendors/google-health.ts';
import { apiAt, type DataServer, startDataServer } from './data-server.ts';

const SPAN = { from: '2026-05-20', to: '2026-05-26' };

describe('Google Health', () => {
  let server: DataServer;
  before(async () => {
    server = await startDataServer();
  });
  beforeEach(() => server.forget());
  after(() => server.close());
  const date = { year: 2026, month: 5, day: 25 };
  const path = (type: string) => `/v4/users/me/dataTypes/${type}/dataPoints`;

  it('returns daily sums, summaries and nights, also from numbers written as text', async () => {
    const total = (type: string, member: string, value: unknown) =>
      server.on(`POST ${path(type)}:dailyRollUp`, {
        body: { rollupDataPoints: [{ civilStartTime: { date }, [member]: value }] },
      });
    const daily = (type: string, member: string, value: object) =>
      server.on(`GET ${path(type)}`, { body: { dataPoints: [{ [member]: { date, ...value } }] } });
    total('steps', 'steps', { countSum: '6283' });
    total('distance', 'distance', { millimetersSum: '4512345' });
    total('active-energy-burned', 'activeEnergyBurned', { kcalSum: 512.5 });
    total('heart-rate', 'heartRate', { beatsPerMinuteAvg: 71.2, beatsPerMinuteMin: 52 });
    total('weight', 'weight', { weightGramsAvg: 72_350 });
    daily('daily-resting-heart-rate', 'dailyRestingHeartRate', { beatsPerMinute: '58' });
    daily('daily-heart-rate-variability', 'dailyHeartRateVariability', {
      averageHeartRateVariabilityMilliseconds: 44.5,
    });
    daily('daily-oxygen-saturation', 'dailyOxygenSaturation', { averagePercentage: 96.5 });
    daily('daily-respiratory-rate', 'dailyRespiratoryRate', { breathsPerMinute: 14.6 });
    daily('daily-vo2-max', 'dailyVo2Max', { vo2Max: 42 });
    server.on(`GET ${path('sleep')}`, {
      body: {
        dataPoints: [
          {
            sleep: {
              interval: { startTime: '2026-05-24T21:30:00Z', endTime: '2026-05-24T22:50:00Z', endUtcOffset: '7200s' },
              metadata: { nap: false },
              summary: {
                minutesAsleep: '410',
                minutesAwake: '12',
                stagesSummary: [
                  { type: 'DEEP', minutes: '60', count: '4' },
                  { type: 'REM', minutes: '90' },
                  { type: 'LIGHT', minutes: '260' },
                ],
              },
            },
          },
        ],
      },
    });
    assert.deepEqual(await googleHealth.fetchDays(apiAt(server.url, googleHealth), SPAN), [
      {
        day: '2026-05-25',
        tz: '+02:00',
        source: 'Google Health',
        origin: 'google-health',
        vitals: {
          steps: 6_283,
          distance_m: 4_512.35,
          active_kcal: 512.5,
          avg_hr_bpm: 71.2,
          weight_kg: 72.35,
          resting_hr_bpm: 58,
          hrv_rmssd_ms: 44.5,
          spo2_pct: 96.5,
          resp_rate: 14.6,
          vo2max: 42,
          sleep_total_min: 410,
          sleep_deep_min: 60,
          sleep_rem_min: 90,
          sleep_light_min: 260,
          sleep_awake_min: 12,
        },
      },
    ]);
    const filter = server.asked.find(({ path: asked }) => asked === path('daily-vo2-max'))?.query.filter;
    assert.equal(filter, 'daily_vo2_max.date >= "2026-05-20" AND daily_vo2_max.date < "2026-05-27"');
  });

  it('returns zero where Google reports a true zero, and omits it where it means no data', async () => {
    const point = (member: string, field: string) => ({
      body: { rollupDataPoints: [{ civilStartTime: { date }, [member]: { [field]: '0' } }] },
    });
    server.on(`POST ${path('steps')}:dailyRollUp`, point('steps', 'countSum'));
    server.on(`POST ${path('distance')}:dailyRollUp`, { body: {} });
    server.on(`POST ${path('active-energy-burned')}:dailyRollUp`, point('activeEnergyBurned', 'kcalSum'));
    server.on(`GET ${path('daily-vo2-max')}`, { body: {} });
    const [activity = ''] = googleHealth.scopes.map(({ scope }) => scope);
    const rows = await googleHealth.fetchDays(apiAt(server.url, googleHealth, [activity]), SPAN);
    assert.deepEqual(
      rows.map(({ vitals }) => vitals),
      [{ steps: 0 }],
    );
  });

  it('requests heart rates in ranges of at most 14 days', async () => {
    for (const type of ['steps', 'distance', 'active-energy-burned', 'heart-rate', 'weight'])
      server.on(`POST ${path(type)}:dailyRollUp`, { body: {} });
    for (const type of [
      'daily-resting-heart-rate',
      'daily-heart-rate-variability',
      'daily-oxygen-saturation',
      'daily-respiratory-rate',
      'daily-vo2-max',
      'sleep',
    ])
      server.on(`GET ${path(type)}`, { body: {} });
    await googleHealth.fetchDays(apiAt(server.url, googleHealth), { from: '2026-05-01', to: '2026-05-31' });
    const ranges = server.asked
      .filter(({ path: asked }) => asked.startsWith(path('heart-rate')))
      .map(({ body }) => body.range);
    const civil = (month: number, day: number) => ({ date: { year: 2026, month, day } });
    assert.deepEqual(ranges, [
      { start: civil(5, 18), end: civil(6, 1) },
      { start: civil(5, 4), end: civil(5, 18) },
      { start: civil(5, 1), end: civil(5, 4) },
    ]);
  });
});
