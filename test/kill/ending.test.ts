/** Tests graceful shutdown under load: no client may lose a response. */
import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { publishMade } from '../core/site/support.ts';
import { authorised, openStream } from '../plugins/answers/support.ts';
import { runCommand } from '../support/command.ts';
import { freePort } from '../support/free-port.ts';
import { startScript } from '../support/program.ts';
import { discard, environmentOf, newPlace } from '../support/service.ts';
import type { Place } from './support.ts';

const WORKERS = 12;

interface Answered {
  readonly status: number;
  readonly connection: string;
}

/** Resolves with a complete response or rejects with the error, without retries. */
const ask = (url: string, agent: Agent | false): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent }, (reply) => {
      reply.resume();
      reply.once('end', () => resolve({ status: reply.statusCode ?? 0, connection: reply.headers.connection ?? '' }));
      reply.once('error', reject);
    });
    sent.once('error', reject);
    sent.end();
  });

describe('graceful shutdown', () => {
  let place: Place;
  let key: { id: string; key: string };
  before(async function () {
    this.timeout(300_000);
    place = await newPlace();
    await publishMade(join(place.dataDir, 'site'), 'b000001', [{ path: '/small', text: 'a published page' }]);
    const { stdout } = await runCommand(['keys', 'create', '--name', 'ending'], environmentOf(place));
    key = { id: '', key: stdout.split('\n')[0]?.trim() ?? '' };
  });
  after(() => discard(place));

  const start = async (settings: Readonly<Record<string, string>> = {}) => {
    const port = await freePort();
    const running = startScript(join(import.meta.dirname, 'ending-server.ts'), [], {
      ...environmentOf(place),
      STARTER_PRODUCTS: 'none',
      STARTER_EVIDENCE: 'none',
      GENERATE_PAGES: 'off',
      LOG_LEVEL: 'info',
      PRIVATE_PORT: String(port),
      ...settings,
    });
    const [, url = ''] = await running.waitFor(/is at (\S+)/);
    const isReady = async (): Promise<boolean> =>
      (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status === 200;
    return { running, url, isReady };
  };

  it('fails the readiness check and answers every request sent while it drains', async () => {
    const { running, url, isReady } = await start({ DRAIN_SECONDS: '8' });
    const keeping = new Agent({ keepAlive: true, maxSockets: WORKERS });
    const answers: (Answered & { readonly isLate: boolean })[] = [];
    const state = { isAsked: false, isOut: false };
    const work = async (paths: readonly string[], agent: Agent | false): Promise<void> => {
      for (let at = 0; !state.isOut; at += 1) {
        const isLate = state.isAsked;
        answers.push({ ...(await ask(`${url}${paths[at % paths.length]}`, agent)), isLate });
      }
    };
    const load = Array.from({ length: WORKERS }, (_, at) =>
      work(['/small', '/api/health', '/small', '/api/pipeline/status'], at % 3 ? keeping : false),
    );
    await sleep(300);
    running.child.kill('SIGTERM');
    await running.waitFor(/"event":"stopping"/);
    state.isAsked = true;
    assert.equal(await isReady(), false);
    while (answers.filter(({ isLate }) => isLate).length < 3 * WORKERS) await sleep(20);
    state.isOut = true;
    // A failed request rejects here.
    await Promise.all(load);
    keeping.destroy();
    const late = answers.filter(({ isLate }) => isLate);
    assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200]);
    assert.deepEqual([...new Set(late.map(({ connection }) => connection))], ['close']);
    const { status, stderr } = await running.finished;
    assert.equal(status, 0);
    assert.match(stderr.trimEnd().split('\n').at(-1) ?? '', /"event":"stopped"/);
  });

  it('completes the request in progress and then refuses connections', async () => {
    const { running, url } = await start();
    const begun = fetch(`${url}/api/test/slow`);
    await running.waitFor(/slow begun/);
    running.child.kill('SIGTERM');
    const reply = await begun;
    assert.deepEqual([reply.status, await reply.json()], [200, { done: true }]);
    assert.equal((await running.finished).status, 0);
    await assert.rejects(ask(`${url}/small`, false), { code: 'ECONNREFUSED' });
  });

  it('ends a stream with an error and a done event', async () => {
    const { running, url } = await start();
    const stream = await openStream({ url } as never, { headers: authorised(key) });
    await stream.until((events) => events.length > 0);
    running.child.kill('SIGTERM');
    const events = await stream.ended();
    assert.deepEqual(
      events.slice(-2).map(({ event }) => event),
      ['error', 'done'],
    );
    assert.equal((await running.finished).status, 0);
  });

  it('closes idle connections without waiting', async () => {
    const { running, url } = await start();
    const idle = connect(Number(new URL(url).port), '127.0.0.1');
    await once(idle, 'connect');
    idle.on('error', () => undefined);
    running.child.kill('SIGTERM');
    idle.resume();
    await once(idle, 'close');
    assert.equal((await running.finished).status, 0);
  });

  it('exits at once on a second SIGTERM or SIGINT', async () => {
    for (const [second, status] of [
      ['SIGTERM', 143],
      ['SIGINT', 130],
    ] as const) {
      const { running, isReady } = await start({ DRAIN_SECONDS: '60' });
      running.child.kill('SIGTERM');
      await running.waitFor(/"event":"stopping"/);
      assert.equal(await isReady(), false);
      running.child.kill(second);
      assert.equal((await running.finished).status, status);
    }
  });
});
