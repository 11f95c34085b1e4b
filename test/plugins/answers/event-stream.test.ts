import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#core/plugin.ts';
import type { Buffered, StreamEvent } from '#plugins/answers/stream/buffer.ts';
import { eventStream } from '#plugins/answers/stream/event-stream.ts';
import { fromBuffer } from '#plugins/answers/stream/from-buffer.ts';

async function* events(count: number): AsyncGenerator<StreamEvent> {
  for (let n = 1; n <= count; n += 1) yield { n, event: 'delta', data: JSON.stringify({ text: 'x'.repeat(20_000) }) };
}

describe('eventStream and fromBuffer', () => {
  it('waits for a slow reader without accumulating listeners', async () => {
    const body = eventStream('ans_1', events(40), 60_000);
    const before = body.listenerCount('close');
    let bytes = 0;
    let most = 0;
    for await (const part of body) {
      bytes += (part as Buffer).length;
      most = Math.max(most, body.listenerCount('close'));
      await sleep(1);
    }
    assert.ok(bytes > 40 * 20_000);
    // One listener of the stream while it waits, and those of the reader.
    assert.ok(most <= before + 3, `${most} listeners`);
  });

  it('stops consuming events after its reader disconnects', async () => {
    let taken = 0;
    const counted = async function* () {
      for await (const event of events(1_000)) {
        taken += 1;
        yield event;
      }
    };
    const body = eventStream('ans_1', counted(), 60_000);
    await once(body, 'readable');
    body.destroy();
    await sleep(20);
    assert.ok(taken < 10, `${taken} taken`);
  });

  it('stops polling the buffer of another process after its reader disconnects', async () => {
    let looks = 0;
    const read = async (): Promise<Buffered> => {
      looks += 1;
      return { state: 'running', events: [] };
    };
    const gone = new AbortController();
    const db = { read } as unknown as Database;
    const next = fromBuffer({ db, signal: gone.signal }, 'key:1', { answerId: 'ans_1', n: 0 }).next();
    await sleep(20);
    gone.abort();
    assert.deepEqual(await next, { done: true, value: undefined });
    assert.equal(looks, 1);
  });
});
