import assert from 'node:assert/strict';
import { vendors } from '#plugins/wearables/vendors/index.ts';
import { oura } from '#plugins/wearables/vendors/oura.ts';
import { vendorSettings } from '#plugins/wearables/vendors/settings.ts';
import { VENDOR_SLUGS } from '#plugins/wearables/vitals.ts';
import { apiAt, type DataServer, startDataServer } from './data-server.ts';

const SPAN = { from: '2026-05-20', to: '2026-05-26' };

describe('wearable vendors', () => {
  let server: DataServer;
  before(async () => {
    server = await startDataServer();
  });
  beforeEach(() => server.forget());
  after(() => server.close());

  it('include every slug of the conventions, with an id and a secret to set unless discontinued', () => {
    assert.deepEqual(vendors.map(({ slug }) => slug).sort(), [...VENDOR_SLUGS].sort());
    const settings = vendorSettings.map(({ name }) => name);
    for (const { settingPrefix, hasEnded } of vendors) {
      assert.equal(settings.includes(`${settingPrefix}_CLIENT_SECRET`), !hasEnded, settingPrefix);
    }
  });

  it('omit implausible values from any vendor', async () => {
    server.on('GET /v2/usercollection/daily_spo2', {
      body: { data: [{ day: '2026-05-25', spo2_percentage: { average: 9_700 } }] },
    });
    server.on('GET /v2/usercollection/daily_activity', {
      body: { data: [{ day: '2026-05-25', steps: -5, active_calories: true }] },
    });
    server.on('GET /v2/usercollection/sleep', { body: { data: 'none' } });
    assert.deepEqual(await oura.fetchDays(apiAt(server.url, oura), SPAN), []);
  });

  it('reject endless pagination instead of returning part of the days', async () => {
    let page = 0;
    server.on('GET /v2/usercollection/daily_spo2', () => {
      page += 1;
      return { body: { data: [], next_token: `page-${page}` } };
    });
    await assert.rejects(async () => oura.fetchDays(apiAt(server.url, oura, ['spo2']), SPAN), /unreadable/);
    assert.ok(page <= 200);
  });
});
