import { strict as assert } from 'node:assert';
import { api, bearer, type IssuedKey, issueKey } from '../../support/client.ts';
import { BOOTSTRAP_SECRET, startService, type TestService } from '../../support/service.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

const tooMany = (reply: { status: number; body: Record<string, unknown>; get(name: string): string | undefined }) => {
  assert.equal(reply.status, 429);
  const { detail, code, retry_after } = reply.body;
  assert.deepEqual([detail, code], ['Quota exceeded (auth): 31/30', 'quota_exceeded']);
  assert.deepEqual(reply.body['violated-policies'], ['auth']);
  assert.equal(reply.get('Retry-After'), String(retry_after));
};

describe('guessing a key', () => {
  let service: SharedService;
  let key: IssuedKey;
  before(async () => {
    service = await sharedService();
    key = await issueKey(service, service.admin);
  });

  const guess = (address: string, text: string) =>
    api(service)
      .get('/api/keys/me')
      .set('X-Forwarded-For', address)
      .set(...bearer(text));
  const useUp = async (address: string): Promise<void> => {
    for (let times = 0; times < 30; times += 1) await guess(address, `ekb_live_${times}`).expect(401);
  };

  it('returns 429 in bucket auth from the 31st wrong key per minute and address on', async () => {
    await useUp('203.0.113.31');
    tooMany(await guess('203.0.113.31', 'ekb_live_more'));
    await guess('203.0.113.32', 'ekb_live_more').expect(401);
  });

  it('does not block callers with a valid key or without a key at the same address', async () => {
    await useUp('203.0.113.33');
    await guess('203.0.113.33', key.key).expect(200);
    await api(service).get('/api/sources?page_size=1').set('X-Forwarded-For', '203.0.113.33').expect(200);
  });

  it('does not include calls with a deactivated key', async () => {
    const off = await issueKey(service, service.admin);
    await api(service)
      .post(`/api/keys/${off.id}/deactivate`)
      .set(...bearer(service.admin.key))
      .expect(200);
    for (let times = 0; times < 32; times += 1) {
      assert.equal((await guess('203.0.113.34', off.key).expect(401)).body.code, 'key_deactivated');
    }
  });
});

describe('guessing the bootstrap secret', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ settings: { TRUSTED_PROXIES: '127.0.0.1' } });
  });
  after(() => service.stop());

  const bootstrap = (address: string, secret: string) =>
    api(service)
      .post('/api/keys')
      .set({ 'X-Forwarded-For': address, 'X-Admin-Bootstrap': secret })
      .send({ name: 'root', is_admin: true });

  it('returns 429 from the 31st attempt per minute and address on, even for the right secret', async () => {
    for (let times = 0; times < 30; times += 1) await bootstrap('203.0.113.41', `guess ${times}`).expect(401);
    tooMany(await bootstrap('203.0.113.41', 'one more'));
    tooMany(await bootstrap('203.0.113.41', BOOTSTRAP_SECRET));
    await bootstrap('203.0.113.42', BOOTSTRAP_SECRET).expect(200);
  });
});
