import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import { authorised, openStream, type WireEvent } from '../plugins/answers/support.ts';
import { runCommand } from '../support/command.ts';
import { startScript } from '../support/program.ts';
import { discard, environmentOf, newPlace, startService } from '../support/service.ts';
import { KILLS, killAfter, moments, type Place, passLeases, withDatabase } from './support.ts';

/** The approximate duration of a complete answer. */
const ANSWER_MS = 900;

const serverOn = async (place: Place) => {
  const running = startScript(join(import.meta.dirname, 'answers-server.ts'), [], {
    ...environmentOf(place),
    STARTER_PRODUCTS: 'none',
    STARTER_EVIDENCE: 'none',
  });
  const [, url = ''] = await running.waitFor(/listening at (\S+)/);
  return { running, url };
};

const keyOn = async (place: Place): Promise<{ id: string; key: string }> => {
  const { stdout } = await runCommand(['keys', 'create', '--name', 'kill'], environmentOf(place));
  return { id: '', key: stdout.split('\n')[0]?.trim() ?? '' };
};

interface Left {
  readonly answers: number;
  readonly events: readonly string[];
  readonly state: string | undefined;
}

const leftOf = async (em: EntityManager, id: string): Promise<Left> => {
  const many = async <T>(sql: string) => (await em.execute(sql, [id])) as unknown as T[];
  const events = await many<{ n: number; event: string }>(
    'select n, event from answer_stream_event where answer_id = ? order by n',
  );
  assert.deepEqual(
    events.map(({ n }) => n),
    events.map((_, at) => at + 1),
    'no event is missing',
  );
  const [stream] = await many<{ state: string }>('select state from answer_stream where answer_id = ?');
  const answers = await many('select body from answer where answer_id = ?');
  return { answers: answers.length, events: events.map(({ event }) => event), state: stream?.state };
};

describe('server killed while it streams an answer', () => {
  let place: Place;
  before(async function () {
    this.timeout(300_000);
    place = await newPlace();
  });
  after(() => discard(place));

  const killAt = async (ms: number, key: { id: string; key: string }): Promise<readonly WireEvent[]> => {
    const { running, url } = await serverOn(place);
    const stream = await openStream({ url } as never, { headers: authorised(key) });
    await stream.until((events) => events.length > 0);
    await killAfter(running, ms);
    return stream.ended();
  };

  it('never stores a partial answer as complete, and sends session_lost on reconnect', async () => {
    const key = await keyOn(place);
    const halves: string[] = [];
    for (const ms of moments(ANSWER_MS)) {
      const seen = await killAt(ms, key);
      const id = seen[0]?.data.answer_id as string;
      const left = await withDatabase(place, async (em) => {
        await passLeases(em);
        return leftOf(em, id);
      });
      const isWhole = left.events.at(-1) === 'done';
      assert.equal(left.answers, isWhole ? 1 : 0);
      assert.equal(left.state, isWhole ? 'ended' : 'running');
      assert.equal(left.events.includes('final'), isWhole);
      if (seen.some(({ event }) => event === 'final')) assert.ok(isWhole, 'what was told whole is kept whole');
      if (!isWhole) halves.push(id);
    }
    assert.ok(halves.length, 'some were killed half-way');
    await withDatabase(place, (em) => em.execute("update answer_stream set touched_at = now() - interval '1 minute'"));
    const service = await startService({}, place);
    for (const id of halves) {
      const headers = { ...authorised(key), 'Last-Event-ID': `${id}/1` };
      const events = await (await openStream(service, { headers })).ended();
      assert.equal(events.at(-1)?.event, 'session_lost');
      assert.ok(!events.some(({ event }) => event === 'final' || event === 'done'));
      assert.equal((await fetch(`${service.url}/api/answers/${id}`)).status, 404);
    }
    await service.stop();
  }).timeout(180_000 + 60_000 * KILLS);
});
