import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { openaiLanguage } from '#core/models/openai-language.ts';
import { Permission } from '#core/models/permission.ts';
import { createBudget } from '#core/models/token-budget.ts';
import {
  hangs,
  hangsUp,
  json,
  type OpenaiEndpoint,
  refusal,
  type Step,
  says,
  startEndpoint,
  streams,
} from '../../support/openai-endpoint.ts';
import { until } from '../../support/until.ts';
import { API_KEY, failsWith, type PartsOptions, partsFor, readAll } from './parts.ts';

const messages = [{ role: 'user', content: 'Does it help?' }] as const;
const options = { permission: Permission.publicText, maxTokens: 50 };

describe('model calls', () => {
  let server: OpenaiEndpoint;
  before(async () => {
    server = await startEndpoint();
  });
  after(() => server.close());
  const modelOf = (more: PartsOptions = {}) => openaiLanguage(partsFor(server, more));

  it('are retried after 429, 5xx and a lost connection', async () => {
    for (const step of [json({}, 429), json({}, 500), json('<html>', 503), hangsUp]) {
      server.script(step, says('Yes.'));
      assert.equal(await modelOf().complete(messages, options), 'Yes.');
      server.script(step, streams(['Yes.']));
      assert.deepEqual(await readAll(modelOf().stream(messages, options)), ['Yes.']);
    }
  });

  it('wait as long as Retry-After says', async () => {
    server.script(json({}, 429, { 'Retry-After': '1' }), says('Yes.'));
    await modelOf().complete(messages, options);
    const [first, second] = server.asked;
    assert.ok((second?.at ?? 0) - (first?.at ?? 0) > 950);
  });

  it('fail with unavailable and the retry time when Retry-After is longer than a reader would wait', async () => {
    server.script(json({}, 429, { 'Retry-After': '3600' }), says('Yes.'));
    const error = await failsWith('unavailable', modelOf().complete(messages, options));
    assert.deepEqual([error.status, error.retryAfterSeconds, server.asked.length], [429, 3600, 1]);
  });

  it('fail with unavailable when no attempt succeeds', async () => {
    server.script(json({}, 502));
    const error = await failsWith('unavailable', modelOf().complete(messages, options));
    assert.deepEqual([error.status, server.asked.length], [502, 3]);
  });

  it('fail with refused, without a retry, when the endpoint rejects them', async () => {
    for (const [status, words] of [
      [401, /key is missing or wrong/],
      [404, /no such address or model/],
    ] as const) {
      server.script(refusal(status, 'no'));
      const error = await failsWith('refused', modelOf().complete(messages, options));
      assert.match(error.message, words);
      assert.equal(server.asked.length, 1);
    }
  });

  it('count as a model failure when the key, credit or address is rejected, but not when one request is', async () => {
    for (const status of [401, 402, 403, 404, 400, 413, 422]) {
      const parts = partsFor(server, { openAfter: 2 });
      server.script(refusal(status, 'no'));
      const ask = () => openaiLanguage(parts).complete(messages, options);
      await failsWith('refused', ask());
      assert.equal(parts.guard.isWell(), status === 400 || status > 404, String(status));
      await failsWith('refused', ask());
      await failsWith(parts.guard.isWell() ? 'refused' : 'circuit_open', ask());
    }
  });

  it('open the circuit at once when Retry-After is longer than a call waits, and for that time', async () => {
    const parts = partsFor(server, { openAfter: 5, openSeconds: 0.1, longestPauseSeconds: 0.5 });
    const ask = () => openaiLanguage(parts).complete(messages, options);
    server.script(json({}, 429, { 'Retry-After': '1' }), says('Yes.'));
    await failsWith('unavailable', ask());
    await sleep(200);
    const { retryAfterSeconds } = await failsWith('circuit_open', ask());
    assert.deepEqual([retryAfterSeconds, server.asked.length], [1, 1]);
    await sleep(850);
    assert.equal(await ask(), 'Yes.');
    for (const header of ['1e9', '99999999', new Date(Date.now() + 86_400_000).toUTCString(), 'soon', '-5']) {
      const other = partsFor(server, { retries: 0, openAfter: 1 });
      server.script(json({}, 429, { 'Retry-After': header }));
      await failsWith('unavailable', openaiLanguage(other).complete(messages, options));
      const error = await failsWith('circuit_open', openaiLanguage(other).complete(messages, options));
      assert.ok((error.retryAfterSeconds ?? 0) <= 900, `${header}: ${error.retryAfterSeconds}`);
    }
  });

  it('count as a model failure when they exceed the caller’s time limit, but not when the caller leaves', async () => {
    const parts = partsFor(server, { openAfter: 2 });
    server.script(hangs);
    const ask = (signal: AbortSignal) => openaiLanguage(parts).complete(messages, { ...options, signal });
    const leaving = new AbortController();
    setTimeout(() => leaving.abort(new Error('the reader left')), 30);
    await assert.rejects(ask(leaving.signal), { message: 'the reader left' });
    assert.equal(parts.guard.isWell(), true);
    for (let call = 0; call < 2; call += 1)
      await assert.rejects(ask(AbortSignal.timeout(30)), { name: 'TimeoutError' });
    await failsWith('circuit_open', ask(AbortSignal.timeout(30)));
    assert.equal(server.asked.length, 3);
  });

  it('fail with timeout when a reply starts and never ends, whole or streamed', async () => {
    const drips = (type: string, piece: string): Step => {
      return (reply) => {
        reply.writeHead(200, { 'Content-Type': type });
        const timer = setInterval(() => reply.write(piece), 20);
        reply.on('close', () => clearInterval(timer));
      };
    };
    const ask = () => modelOf({ timeoutSeconds: 0.2 });
    server.script(drips('application/json', ' '));
    await failsWith('timeout', ask().complete(messages, options));
    await sleep(50);
    const before = performance.now();
    const usage = 'data: {"choices": [], "usage": {"total_tokens": 1}}\n\n';
    for (const piece of [': still here\n\n', 'data: {"choices": []}\n\n', usage]) {
      server.script(drips('text/event-stream', piece));
      await failsWith('timeout', readAll(ask().stream(messages, options)));
      await until(() => server.abandoned() === 1);
    }
    assert.ok(performance.now() - before < 60_000);
  });

  it('fail with bad_reply, without a retry, for an endless stream event or an HTML page', async () => {
    const endless: Step = (reply) => {
      reply.writeHead(200, { 'Content-Type': 'text/event-stream' });
      reply.end(`data: ${'x'.repeat(1_100_000)}`);
    };
    server.script(endless);
    await failsWith('bad_reply', readAll(modelOf().stream(messages, options)));
    assert.equal(server.asked.length, 1);
    const page: Step = (reply) => {
      reply.writeHead(200, { 'Content-Type': 'text/html' });
      reply.end('<!doctype html><title>Sign in</title>');
    };
    server.script(page);
    await failsWith('bad_reply', modelOf().complete(messages, options));
    await failsWith('bad_reply', readAll(modelOf().stream(messages, options)));
    assert.equal(server.asked.length, 2);
  });

  it('log no key, address or reply, whatever goes wrong, and put none into an error', async () => {
    const parts = partsFor(server, { retries: 1, openAfter: 99, timeoutSeconds: 0.2 });
    const steps = [
      json({}, 500),
      json('<html>words of the reply', 200),
      refusal(401, `bad key ${API_KEY}`),
      hangs,
      hangsUp,
    ];
    for (const step of steps) {
      server.script(step);
      const error = await openaiLanguage(parts)
        .complete(messages, options)
        .catch((caught: Error) => caught);
      const told = inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error) + parts.lines.join();
      assert.ok(!told.includes(API_KEY), told);
      assert.doesNotMatch(told, /words of the reply|Does it help|127\.0\.0\.1/);
    }
    assert.equal(parts.lines.length, steps.length);
  });

  it('fail with timeout when there is no reply, close the connection and are not retried', async () => {
    server.script(hangs);
    const before = performance.now();
    await failsWith('timeout', modelOf({ timeoutSeconds: 0.2 }).complete(messages, options));
    assert.ok(performance.now() - before < 60_000);
    await until(() => server.abandoned() === 1);
    assert.equal(server.asked.length, 1);
  });

  it('fail with timeout when a stream falls silent', async () => {
    server.script(streams(['Do not'], 'silence'));
    const seen: string[] = [];
    const read = async () => {
      for await (const piece of modelOf({ timeoutSeconds: 1 }).stream(messages, options)) seen.push(piece);
    };
    await failsWith('timeout', read());
    assert.deepEqual(seen, ['Do not']);
    await until(() => server.abandoned() === 1);
  });

  it('do not time out a stream while its reader is slow', async () => {
    server.script(streams(['a', 'b', 'c']));
    const seen: string[] = [];
    for await (const piece of modelOf({ timeoutSeconds: 0.15 }).stream(messages, options)) {
      await sleep(250);
      seen.push(piece);
    }
    assert.deepEqual(seen, ['a', 'b', 'c']);
  });

  it('reject with the caller’s reason when the caller aborts, at any point', async () => {
    const away = () => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error('the reader left')), 50);
      return { ...options, signal: controller.signal };
    };
    const left = { message: 'the reader left' };
    server.script(hangs);
    await assert.rejects(modelOf().complete(messages, away()), left);
    server.script(json({}, 429, { 'Retry-After': '10' }));
    await assert.rejects(modelOf().complete(messages, away()), left);
    server.script(streams(['Do'], 'silence'));
    await assert.rejects(readAll(modelOf().stream(messages, away())), left);
    await until(() => server.abandoned() === 1);
    const busy = modelOf({ atOnce: 1 });
    server.script(hangs);
    const first = assert.rejects(busy.complete(messages, away()), left);
    await assert.rejects(busy.complete(messages, away()), left);
    await first;
    assert.equal(server.asked.length, 1);
  });

  it('close the stream when its reader stops early', async () => {
    server.script(streams(['a', 'b'], 'silence'));
    for await (const piece of modelOf().stream(messages, options)) {
      assert.equal(piece, 'a');
      break;
    }
    await until(() => server.abandoned() === 1);
  });

  it('are limited in concurrency and in queue length', async () => {
    let [now, most] = [0, 0];
    server.script((reply, asked) => {
      now += 1;
      most = Math.max(most, now);
      setTimeout(() => {
        now -= 1;
        says('Yes.')(reply, asked);
      }, 30);
    });
    const model = modelOf({ atOnce: 2, waiting: 6 });
    const calls = Array.from({ length: 12 }, () => model.complete(messages, options));
    const ends = await Promise.allSettled(calls);
    assert.equal(most, 2);
    assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 8);
  });

  it('are not made while the circuit is open, until a trial call succeeds', async () => {
    const parts = partsFor(server, { retries: 0, openAfter: 3, openSeconds: 0.3 });
    const model = openaiLanguage(parts);
    server.script(json({}, 500));
    for (let call = 0; call < 3; call += 1) await failsWith('unavailable', model.complete(messages, options));
    await failsWith('circuit_open', model.complete(messages, options));
    assert.deepEqual([server.asked.length, parts.guard.isWell()], [3, false]);
    assert.ok(parts.lines.some((line) => line.includes('model_circuit_opened')));

    await sleep(350);
    const trial = failsWith('unavailable', model.complete(messages, options));
    await failsWith('circuit_open', model.complete(messages, options));
    await trial;
    assert.equal(server.asked.length, 4);

    await sleep(350);
    server.script(says('Yes.'));
    assert.equal(await model.complete(messages, options), 'Yes.');
    assert.equal(await model.complete(messages, options), 'Yes.');
    assert.equal(parts.guard.isWell(), true);
  });

  it('do not follow a redirect, so that the key is sent nowhere else', async () => {
    server.script(json({}, 307, { Location: `${server.url}/elsewhere` }), says('Yes.'));
    await failsWith('refused', modelOf().complete(messages, options));
    assert.equal(server.asked.length, 1);
  });
});

describe('token budget', () => {
  it('resets each day (UTC)', () => {
    let now = Date.UTC(2026, 0, 1, 23);
    const budget = createBudget(100, () => now);
    budget.reserve(80)(90);
    assert.throws(() => budget.reserve(20), { code: 'budget', retryAfterSeconds: 3600 });
    now += 3_600_000;
    const settle = budget.reserve(100);
    assert.equal(budget.isUsedUp(), true);
    now += 86_400_000;
    settle(5);
    budget.reserve(100);
  });
});
