import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { VendorError } from '#plugins/wearables/vendors/vendor-error.ts';
import { withings } from '#plugins/wearables/vendors/withings.ts';
import { apiAt, type DataServer, startDataServer } from './data-server.ts';

describe('Withings', () => {
  let server: DataServer;
  before(async () => {
    server = await startDataServer();
  });
  beforeEach(() => server.forget());
  after(() => server.close());
  const wrapped = (body: unknown, status = 0) => ({ body: { status, body } });
  /** 23:59:36 on 2023-07-29 in Berlin. */
  const LATE = 1_690_667_976;
  const days = { from: '2023-07-28', to: '2023-07-30' };

  it('scales values, uses local days, and omits doubtful measures and days of other apps', async () => {
    const measures = [
      { value: 72_345, type: 1, unit: -3 },
      { value: 89, type: 9, unit: 0 },
      { value: 109, type: 10, unit: 0 },
      { value: 88, type: 11, unit: 0 },
    ];
    server.on(
      'POST /measure',
      wrapped({
        timezone: 'Europe/Berlin',
        measuregrps: [
          { attrib: 0, date: LATE, measures },
          { attrib: 1, date: LATE, measures: [{ value: 40, type: 1, unit: 0 }] },
        ],
      }),
    );
    server.on(
      'POST /v2/measure',
      wrapped({
        activities: [
          {
            date: '2023-07-29',
            timezone: 'Europe/Berlin',
            deviceid: 'd',
            steps: 4_210,
            distance: 3_146.5,
            calories: 321.4,
            hr_average: 71,
          },
          { date: '2023-07-28', deviceid: null, steps: 9_999 },
        ],
      }),
    );
    server.on('POST /v2/sleep', ({ body }) =>
      body.offset
        ? wrapped({ series: [], more: false })
        : wrapped({
            more: true,
            offset: 1,
            series: [
              {
                enddate: LATE - 60_000,
                timezone: 'Europe/Berlin',
                data: {
                  deepsleepduration: 5_400,
                  lightsleepduration: 14_400,
                  remsleepduration: null,
                  wakeupduration: 600,
                  rr_average: 14,
                },
              },
            ],
          }),
    );
    assert.deepEqual(await withings.fetchDays(apiAt(server.url, withings), days), [
      {
        day: '2023-07-29',
        tz: 'Europe/Berlin',
        source: 'Withings',
        origin: 'withings',
        vitals: {
          weight_kg: 72.35,
          diastolic: 89,
          systolic: 109,
          steps: 4_210,
          distance_m: 3_146.5,
          active_kcal: 321.4,
          avg_hr_bpm: 71,
          sleep_total_min: 330,
          sleep_deep_min: 90,
          sleep_light_min: 240,
          sleep_awake_min: 10,
          resp_rate: 14,
        },
      },
    ]);
    assert.equal(server.asked[0]?.body.action, 'getmeas');
  });

  it('distinguishes the errors sent with HTTP 200: invalid token, rate limit, refusal and unreadable reply', async () => {
    for (const [answer, kind] of [
      [{ status: 401, body: {}, error: 'invalid_token' }, 'unauthorized'],
      [{ status: 601, body: {} }, 'busy'],
      [{ status: 293, body: {} }, 'refused'],
      [{ hello: 'there' }, 'unreadable'],
    ] as const) {
      server.on('POST /measure', { body: answer });
      await assert.rejects(
        withings.fetchDays(apiAt(server.url, withings), days),
        (error) => error instanceof VendorError && error.kind === kind,
      );
    }
  });

  it('revokes a grant with a signed call', async () => {
    server.on('POST /v2/signature', wrapped({ nonce: 'n1' }));
    server.on('POST /token', wrapped({}));
    await withings.revoke(apiAt(server.url, withings));
    const signature = createHmac('sha256', 'secret').update('revoke,client,n1').digest('hex');
    assert.deepEqual(server.asked[1]?.body, {
      action: 'revoke',
      client_id: 'client',
      nonce: 'n1',
      signature,
      userid: '10129',
    });
  });
});
