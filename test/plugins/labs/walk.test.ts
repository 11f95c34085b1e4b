import assert from 'node:assert/strict';
import type { AnyPlugin, Page, Route } from '#core/plugin.ts';
import { type Device, deviceOf } from '../../support/device.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared.ts';
import { exportXml, record } from '../wearables/support.ts';

/** Words and numbers that occur nowhere else: a response that contains one shows the first device's data. */
const CANARIES = [
  'Canary Laboratories',
  '61.7931',
  'Marker Nobody Has',
  'canary-reason',
  'Canary Watch',
  '61793',
  '61,793',
  'canary-export',
];

/** Returns every page and route that depends on the device. */
const deviceSurface = (plugins: readonly AnyPlugin[]) => {
  const own = plugins.filter(({ name }) => ['devices', 'labs', 'wearables'].includes(name));
  return {
    pages: own.flatMap(({ pages = [] }) => pages as readonly Page[]).filter(({ scope }) => scope === 'device'),
    routes: own.flatMap(({ routes = [] }) => routes as readonly Route[]).filter(({ device }) => device),
  };
};

/**
 * Routes for parts of an upload use other methods and have their own tests:
 * `test/plugins/wearables/parts.test.ts`.
 */
const isWalked = ({ method }: { readonly method: string }): boolean => method === 'GET' || method === 'POST';

describe('device isolation', () => {
  let service: TestService;
  let first: Device;
  let second: Device;
  let ids: { report_id: string; marker_id: string; log_id: string };

  before(async function () {
    this.timeout(180_000);
    service = await sharedService();
    [first, second] = [deviceOf(service), deviceOf(service)];
    const made = await first
      .post('/blood-test/reports')
      .send({
        consent: true,
        lab_name: CANARIES[0],
        collected_at: '2026-10-01',
        sex: 'female',
        birth_year: 1980,
        pregnant: 'no',
        added: {
          a1: { name: 'Ferritin', value: CANARIES[1], unit: 'ng/mL', range: '10 - 60' },
          a2: { name: CANARIES[2], value: '5', unit: 'furlong' },
        },
      })
      .expect(200);
    const logged = await first
      .post('/blood-test/supplement-log')
      .send({ consent: true, supplement_slug: 'iron', started_at: '2026-10-02', reason: CANARIES[3] })
      .expect(200);
    const days = exportXml(record('StepCount', '61793', { sourceName: 'Canary Watch' }));
    await first
      .post('/wearables/phone-health')
      .field('consent', 'true')
      .attach('file', Buffer.from(days), 'canary-export.xml')
      .expect(303);
    ids = { report_id: made.body.report_id, marker_id: 'm1', log_id: String(logged.body.log_id) };
    await second.postForm('/blood-test/reports', {
      consent: 'true',
      'added.a1.name': 'Ferritin',
      'added.a1.value': '40',
      'added.a1.unit': 'ng/mL',
    });
  });

  const exported = async (device: Device): Promise<unknown> => {
    const { body } = await device.get('/api/account/export').expect(200);
    const { exported_at: _, ...rest } = body;
    return rest;
  };
  const filled = (path: string): string =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name as keyof typeof ids] ?? 'x');
  const saysNothing = (response: { text?: string; body: unknown; status: number }, what: string): void => {
    const said = [
      response.text ?? '',
      Buffer.isBuffer(response.body) ? response.body.toString('latin1') : JSON.stringify(response.body),
    ];
    for (const canary of CANARIES) assert.ok(!said.join(' ').includes(canary), `${what} shows ${canary}`);
    assert.ok(response.status < 500, `${what} answers ${response.status}`);
  };

  it('shows nothing of another device on any page, whatever id is requested', async () => {
    const { pages } = deviceSurface(service.runtime.plugins);
    assert.ok(pages.length >= 10, `only ${pages.length} pages of device data`);
    for (const page of pages)
      for (const query of ['', `?report_id=${ids.report_id}`, `?report_id=${ids.report_id}&edit=true&marker=ferritin`])
        for (const device of [second, deviceOf(service)]) {
          const path = filled(page.path) + query;
          const response = await device.get(path);
          saysNothing(response, path);
          assert.equal(
            response.headers['cache-control'],
            response.status === 303 ? response.headers['cache-control'] : 'no-store',
            path,
          );
        }
  });

  it('returns 404, never 403, for data of another device on any route, and leaves the data unchanged', async () => {
    const before = await exported(first);
    const { routes } = deviceSurface(service.runtime.plugins);
    assert.ok(routes.length >= 20, `only ${routes.length} routes of device data`);
    const body = {
      ...ids,
      revision: 1,
      markers: { m1: { ok: 'yes', value: '1' } },
      added: {},
      name: 'Iron',
      phrase: 'a',
    };
    for (const route of routes) {
      // Uploads do not refer to other reports, and deleting everything comes last.
      if (route.upload || /delete-all$/.test(route.path) || !isWalked(route)) continue;
      const path = filled(route.path);
      const what = `${route.method} ${path}`;
      const response =
        route.method === 'GET'
          ? await second.get(`${path}?report_id=${ids.report_id}`)
          : await second.post(path).send(body);
      saysNothing(response, what);
      assert.notEqual(response.status, 403, what);
      if (route.path.includes('{')) assert.equal(response.status, 404, what);
    }
    for (const { path, upload } of routes.filter(({ path }) => /delete-all$/.test(path))) {
      assert.ok(!upload);
      await second.postForm(path, {});
    }
    assert.deepEqual(await exported(first), before);
  });

  it('returns 403 for device requests sent by another site', async () => {
    for (const route of deviceSurface(service.runtime.plugins).routes) {
      if (route.method !== 'POST') continue;
      const path = filled(route.path);
      for (const [name, value] of [
        ['Sec-Fetch-Site', 'cross-site'],
        ['Origin', 'https://elsewhere.example'],
      ] as const)
        assert.equal((await first.post(path).set(name, value).send({})).status, 403, `${path} with ${name}`);
    }
  });

  it('sends no CORS headers for device data', async () => {
    for (const route of deviceSurface(service.runtime.plugins).routes) {
      if (route.method !== 'GET') continue;
      const { headers } = await first.get(filled(route.path)).set('Origin', 'https://elsewhere.example');
      assert.equal(headers['access-control-allow-origin'], undefined, route.path);
    }
  });
});
