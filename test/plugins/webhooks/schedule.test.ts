import { strict as assert } from 'node:assert';
import { DELAYS, nextDelay, pauseOf, readRetryAfter } from '#plugins/webhooks/schedule.ts';

describe('the retry schedule', () => {
  it('has ten attempts, over a little more than three days', () => {
    assert.equal(DELAYS.length, 10);
    assert.equal(
      DELAYS.reduce((sum, delay) => sum + delay, 0),
      ((75 * 60 + 35) * 60 + 5) * 1000,
    );
    assert.equal(nextDelay(10, 0, null), null);
    assert.equal(nextDelay(10, 0, 60), null);
  });

  it('adds up to 10 % jitter, and respects Retry-After up to one day', () => {
    assert.equal(nextDelay(2, 0.999, null), Math.round(300_000 * 1.0999));
    assert.equal(nextDelay(1, 0, 3_600), 3_600_000);
    assert.equal(nextDelay(1, 0, 999_999_999), 86_400_000);
    assert.equal(nextDelay(9, 0, 1), 86_400_000);
  });

  it('pauses a failing address for at most the delay of its own next attempt', () => {
    for (let failures = 1; failures < 10; failures += 1)
      assert.ok(pauseOf(failures, null) <= (nextDelay(failures, 0, null) ?? 0), String(failures));
    assert.equal(pauseOf(50, null), 300_000);
    assert.equal(pauseOf(1, 60), 60_000);
  });

  it('parses Retry-After as seconds or as a date, and ignores anything else', () => {
    const now = Date.parse('2026-11-20T22:00:00Z');
    assert.equal(readRetryAfter('30', now), 30);
    assert.equal(readRetryAfter('Fri, 20 Nov 2026 22:01:00 GMT', now), 60);
    assert.equal(readRetryAfter('Fri, 20 Nov 2026 21:00:00 GMT', now), 0);
    for (const value of [undefined, '', '-5', 'soon', '1e9', '12345678901'])
      assert.equal(readRetryAfter(value, now), null);
  });
});
