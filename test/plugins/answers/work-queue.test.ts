/** Tests the work queue of one process. */
import { strict as assert } from 'node:assert';
import type { AppError } from '#core/errors.ts';
import { createWorkQueue, work } from '#plugins/answers/work-queue.ts';
import { answerBody, eventsOf, scriptedEngine } from './support.ts';

const request = {
  question: 'Does it help?',
  max_citations: 8,
  audience: 'consumer',
  language: 'en',
  history: [],
  model_consent: false,
} as const;
const never = new AbortController().signal;

describe('the work queue', () => {
  it('limits concurrency, works in order of arrival, and returns 503 with Retry-After when it is full', async () => {
    const queue = createWorkQueue(1, 2);
    const begun: number[] = [];
    const turns = [0, 1, 2].map((n) => {
      const turn = queue.join();
      void turn.come(never).then(() => begun.push(n));
      return turn;
    });
    assert.throws(
      () => queue.join(),
      (error: AppError) => error.status === 503 && Number(error.extras.headers?.['Retry-After']) > 0,
    );
    for (const [n, turn] of turns.entries()) {
      await new Promise(setImmediate);
      assert.deepEqual(begun, [0, 1, 2].slice(0, n + 1));
      turn.leave();
      turn.leave();
    }
    queue.join().leave();
  });

  it('removes a task cancelled while it waits, without calling the engine', async () => {
    const queue = createWorkQueue(1);
    const [first, second] = [queue.join(), queue.join()];
    const engine = scriptedEngine();
    const aborter = new AbortController();
    const events = work({ turn: second, engine, request, signal: aborter.signal });
    const next = events.next();
    aborter.abort(new Error('deleted'));
    await assert.rejects(next, /deleted/);
    assert.equal(engine.asked.length, 0);
    first.leave();
    await queue.join().come(never);
  });

  it('yields to the event loop between two events', async () => {
    const [queue, engine] = [createWorkQueue(1), scriptedEngine()];
    let turns = 0;
    const count = (): void => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    let events = 0;
    for await (const _ of work({ turn: queue.join(), engine, request, signal: never })) events += 1;
    clearImmediate(timer);
    assert.equal(events, eventsOf(answerBody(request.question)).length);
    assert.ok(turns >= events - 1, `${turns} turns for ${events} events`);
  });
});
