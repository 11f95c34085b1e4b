import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamEvent } from '#plugins/answers/stream/buffer.ts';
import { eventStream } from '#plugins/answers/stream/event-stream.ts';

async function* events(count: number): AsyncGenerator<StreamEvent> {
  for (let n = 1; n <= count; n += 1) yield { n, event: 'delta', data: JSON.stringify({ text: 'x'.repeat(20_000) }) };
}

describe('the body of an event stream', () => {
  it('waits for a slow reader, and leaves no listener behind', async () => {
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
    // One of ours while it waits, and those of the reader itself.
    assert.ok(most <= before + 3, `${most} listeners`);
  });

  it('stops taking events when its reader has gone', async () => {
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
});
