import { strict as assert } from 'node:assert';
import { api, bearer } from '../../support/client.ts';
import { runCommand } from '../../support/command.ts';
import { countOf, sql } from '../../support/database.ts';
import { type SecondServer, startSecondServer } from '../../support/second-server.ts';
import { BOOTSTRAP_SECRET, startService, type TestService } from '../../support/service.ts';
import { startBeside } from '../../support/shared.ts';

const bootstrap = (url: string, secret: string, body: object = { name: 'root', is_admin: true }) =>
  fetch(`${url}/api/keys`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Admin-Bootstrap': secret },
    body: JSON.stringify(body),
  });

const refused = async (reply: Response, code: string, challenge: string, detail: string): Promise<void> => {
  const body = (await reply.json()) as Record<string, unknown>;
  assert.deepEqual(body, {
    detail,
    type: `http://evidence.test/developers/errors#${code.replaceAll('_', '-')}`,
    title: 'Unauthorized',
    status: 401,
    code,
    request_id: reply.headers.get('X-Request-Id'),
  });
  assert.equal(reply.status, 401);
  assert.equal(reply.headers.get('WWW-Authenticate'), challenge);
};
const isLocked = (reply: Response) => refused(reply, 'bootstrap_locked', 'Bearer realm="api"', 'Missing API key');
const isWrong = (reply: Response) =>
  refused(reply, 'wrong_bootstrap_secret', 'Bearer realm="api", error="invalid_token"', 'Invalid API key');

describe('the first admin key', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  describe('via the bootstrap header', () => {
    it('is refused for a wrong secret', async () => {
      for (const secret of ['wrong', '', BOOTSTRAP_SECRET.toUpperCase(), `${BOOTSTRAP_SECRET}x`]) {
        await isWrong(await bootstrap(service.url, secret));
      }
      assert.equal(await countOf(service, 'api_key'), 0);
    });

    it('is refused unless is_admin is true', async () => {
      for (const body of [{ name: 'root' }, { name: 'root', is_admin: false }]) {
        const reply = await bootstrap(service.url, BOOTSTRAP_SECRET, body);
        assert.equal(reply.status, 422);
        assert.deepEqual(((await reply.json()) as { detail: unknown }).detail, [
          {
            type: 'value_error',
            loc: ['body', 'is_admin'],
            msg: 'Under bootstrap, is_admin must be true',
            input: false,
          },
        ]);
      }
      const reply = await bootstrap(service.url, BOOTSTRAP_SECRET, { name: 'root', is_admin: 'true' });
      assert.equal(reply.status, 422);
      assert.equal(await countOf(service, 'api_key'), 0);
    });

    it('is not replaced by the header on any other route', async () => {
      for (const path of ['/api/keys/me', '/v1/evidence/search?q=zinc']) {
        const reply = await api(service).get(path).set('X-Admin-Bootstrap', BOOTSTRAP_SECRET).expect(401);
        assert.equal(reply.body.code, 'missing_api_key');
      }
      await api(service).post('/api/keys/x/deactivate').set('X-Admin-Bootstrap', BOOTSTRAP_SECRET).expect(401);
    });

    it('is refused when the header accompanies an invalid key', async () => {
      const reply = await api(service)
        .post('/api/keys')
        .set('X-Admin-Bootstrap', BOOTSTRAP_SECRET)
        .set(...bearer('wrong'))
        .send({ name: 'root', is_admin: true })
        .expect(401);
      assert.equal(reply.body.code, 'invalid_api_key');
    });

    let first: { id: string; key: string };
    it('is created with the secret, and shown once', async () => {
      const reply = await bootstrap(service.url, BOOTSTRAP_SECRET);
      assert.equal(reply.status, 200);
      assert.equal(reply.headers.get('Cache-Control'), 'no-store');
      first = (await reply.json()) as typeof first;
      assert.match(first.key, /^ekb_admin_/);
      await api(service)
        .get('/api/keys/me')
        .set(...bearer(first.key))
        .expect(200);
    });

    it('locks bootstrap: the header alone returns bootstrap_locked, whatever its value', async () => {
      for (const secret of [BOOTSTRAP_SECRET, 'wrong', '']) await isLocked(await bootstrap(service.url, secret));
      assert.equal(await countOf(service, 'api_key'), 1);
    });

    it('is accepted together with the header, which is then ignored', async () => {
      const reply = await api(service)
        .post('/api/keys')
        .set('X-Admin-Bootstrap', 'wrong')
        .set(...bearer(first.key))
        .send({ name: 'next' })
        .expect(200);
      assert.equal(reply.body.is_admin, false);
    });

    it('leaves bootstrap locked after its deactivation', async () => {
      await api(service)
        .post(`/api/keys/${first.id}/deactivate`)
        .set(...bearer(first.key))
        .expect(200);
      await isLocked(await bootstrap(service.url, BOOTSTRAP_SECRET));
    });

    it('can then be replaced only by the command on the host', async () => {
      const made = await runCommand(['keys', 'create', '--admin', '--name', 'way back'], service.environment);
      assert.equal(made.status, 0, made.stderr);
      const [raw = ''] = made.stdout.split('\n');
      await api(service)
        .post('/api/keys')
        .set(...bearer(raw))
        .send({ name: 'after' })
        .expect(200);
    });
  });

  describe('on a server without a bootstrap secret', () => {
    let closed: TestService;
    before(async () => {
      await sql(service, 'delete from api_key');
      closed = await startBeside(service, { settings: { ADMIN_BOOTSTRAP_SECRET: '' } });
    });
    after(() => closed.stop());

    it('is refused for every value of the header, even an empty one', async () => {
      for (const secret of ['', 'x', BOOTSTRAP_SECRET]) await isWrong(await bootstrap(closed.url, secret));
      assert.equal(await countOf(service, 'api_key'), 0);
    });
  });

  describe('with concurrent requests to two servers that share one database', () => {
    let other: SecondServer;
    let changes: number;
    before(async () => {
      await sql(service, 'delete from api_key');
      // On PostgreSQL the servers share one count of attempts, and earlier tests have used up many.
      await sql(service, 'delete from throttle_window');
      changes = await countOf(service, 'change_log');
      other = await startSecondServer(service.environment);
    });
    after(() => other?.stop());

    it('is created exactly once, and all other requests return bootstrap_locked', async () => {
      const urls = Array.from({ length: 20 }, (_, at) => (at % 2 ? other.url : service.url));
      const replies = await Promise.all(urls.map((url) => bootstrap(url, BOOTSTRAP_SECRET)));
      const made = replies.filter(({ status }) => status === 200);
      assert.equal(made.length, 1);
      for (const reply of replies) if (reply !== made[0]) await isLocked(reply);
      assert.deepEqual(await sql(service, 'select is_admin, active from api_key'), [{ is_admin: true, active: true }]);
      assert.equal(await countOf(service, 'change_log'), changes + 1);
    });
  });
});
