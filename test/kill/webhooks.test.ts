import assert from 'node:assert/strict';
import { type Receiver, startReceiver, status } from '../plugins/webhooks/support.ts';
import { startProgram } from '../support/program.ts';
import { BOOTSTRAP_SECRET, discard, newPlace } from '../support/service.ts';
import { until } from '../support/until.ts';
import { environmentOf, KILLS, killAfter, moments, type Place, withDatabase } from './support.ts';

/** The time before each kill in which changes are made and deliveries are sent. */
const SENDING_MS = 1_500;

const serverOn = async (place: Place) => {
  const running = startProgram(['serve'], {
    ...environmentOf(place),
    PORT: '0',
    STARTER_PRODUCTS: 'none',
    STARTER_EVIDENCE: 'none',
    GENERATE_PAGES: 'off',
    WEBHOOK_ALLOW_PRIVATE: 'on',
    ADMIN_BOOTSTRAP_SECRET: BOOTSTRAP_SECRET,
    ANON_RPM: '100000',
    ANON_DAILY: '100000',
  });
  const [, url = ''] = await running.waitFor(/(http:\/\/127\.0\.0\.1:\d+)/);
  return { running, url };
};

const post = async (url: string, body: object, headers: Record<string, string>): Promise<Record<string, string>> => {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  assert.equal(reply.status, 200, await reply.clone().text());
  return (await reply.json()) as Record<string, string>;
};

describe('server killed between a change and its webhook delivery', function () {
  this.timeout(600_000);
  let place: Place;
  let receiver: Receiver;
  before(async () => {
    place = await newPlace();
    receiver = await startReceiver();
  });
  after(async () => {
    await receiver?.stop();
    await discard(place);
  });

  it('delivers every committed event after a restart', async () => {
    let auth: Record<string, string> = {};
    for (const [at, moment] of moments(SENDING_MS, Math.min(KILLS, 3)).entries()) {
      const { running, url } = await serverOn(place);
      if (at === 0) {
        const { key = '' } = await post(
          `${url}/api/keys`,
          { name: 'root', is_admin: true },
          { 'X-Admin-Bootstrap': BOOTSTRAP_SECRET },
        );
        auth = { Authorization: `Bearer ${key}` };
        await post(`${url}/api/webhooks`, { url: receiver.url, events: ['key.created'] }, auth);
      }
      // Every second response hangs, so that kills hit deliveries in progress.
      receiver.answers = Array.from({ length: 50 }, (_, nth) => (nth % 2 ? () => undefined : status(204)));
      const more = () => post(`${url}/api/keys`, { name: 'one more' }, auth);
      await more();
      const writing = (async () => {
        for (;;) await more();
      })().catch(() => undefined);
      assert.ok(await killAfter(running, moment));
      await writing;
    }
    receiver.answers = [status(204)];
    const expected = await withDatabase(place, async (em) => {
      // The claims of a killed server last some more seconds.
      await em.execute('update webhook_endpoint set claimed_until = now()');
      await em.execute("update webhook_delivery set next_at = now() where state = 'waiting'");
      const rows = (await em.execute("select id from api_key where name = 'one more' order by id")) as unknown as {
        id: string;
      }[];
      return rows.map(({ id }) => id);
    });
    const heard = (): string[] =>
      [...new Set(receiver.requests.map(({ body }) => JSON.parse(body).data.key_id as string))].sort();
    const { running } = await serverOn(place);
    await until(() => heard().length >= expected.length, 'every delivery', 100);
    running.child.kill('SIGTERM');
    await running.finished;
    assert.deepEqual(heard(), expected.toSorted());
    const left = await withDatabase(place, (em) =>
      em.execute(
        "select (select count(*)::int from webhook_outbox) + count(*)::int as n from webhook_delivery where state <> 'delivered'",
      ),
    );
    assert.equal((left as unknown as { n: number }[])[0]?.n, 0);
  });
});
