import { strict as assert } from 'node:assert';
import { api, bearer, issueKey } from '../../support/client.ts';
import { BOOTSTRAP_SECRET } from '../../support/service.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

describe('request log', () => {
  let service: SharedService;
  let lines: string[];
  before(async () => {
    service = await sharedService();
    lines = service.lines;
  });
  beforeEach(() => {
    lines.length = 0;
  });

  it('has one line per request with its id, method, route pattern, status and time', async () => {
    const reply = await api(service).get('/api/sources?page_size=1').expect(200);
    assert.equal(lines.length, 1);
    const { time, ms, ...line } = JSON.parse(lines[0] ?? '');
    assert.deepEqual(line, {
      level: 'info',
      event: 'request',
      request_id: reply.get('X-Request-Id'),
      method: 'GET',
      route: '/api/sources',
      status: 200,
    });
    assert.ok(!Number.isNaN(Date.parse(time)));
    assert.equal(typeof ms, 'number');
  });

  it('contains the pattern of a path, never the path', async () => {
    await api(service).get('/supplements/my-illness').expect(404);
    await api(service).get('/my-illness').expect(404);
    await api(service).get('/api/my-illness').expect(404);
    await api(service).post('/api/keys/my-illness/deactivate').expect(401);
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).route),
      ['/supplements/{slug}', '(none)', '(none)', '/api/keys/{id}/deactivate'],
    );
    assert.ok(!lines.join('').includes('my-illness'));
  });

  it('never contains a query, a body, a key, the bootstrap secret or a caller’s address', async () => {
    const from = '203.0.113.77';
    const { admin } = service;
    const key = await issueKey(service, admin, { notes: 'my-illness', contact_email: 'me@my-illness.test' });
    for (const raw of [admin.key, key.key, 'ekb_live_unknown']) {
      await api(service)
        .get('/v1/evidence/search')
        .query({ q: 'my-illness' })
        .set('X-Forwarded-For', from)
        .set(...bearer(raw));
    }
    await api(service).get('/search').query({ q: 'my-illness' }).set('Referer', 'http://x/?q=my-illness');
    await api(service).post('/api/keys').set('X-Admin-Bootstrap', BOOTSTRAP_SECRET).send({ name: 'my-illness' });
    await api(service)
      .post('/api/keys')
      .set(...bearer(admin.key))
      .set('Content-Type', 'application/json')
      .send('{"my-illness');
    assert.ok(lines.length >= 7);
    const text = lines.join('');
    for (const secret of ['my-illness', from, admin.key, key.key, 'ekb_live_unknown', BOOTSTRAP_SECRET]) {
      assert.ok(!text.includes(secret), secret);
    }
  });
});
