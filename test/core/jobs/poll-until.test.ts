import { strict as assert } from 'node:assert';
import { pollUntil } from '#core/jobs/poll-until.ts';

const looks = <T>(answers: readonly T[]) => {
  const left = [...answers];
  return { left, look: async () => left.shift() };
};

describe('pollUntil', () => {
  const never = new AbortController().signal;

  it('polls until there is a result, and then stops', async () => {
    const { left, look } = looks([undefined, undefined, 'done', 'later']);
    assert.equal(await pollUntil(look, never), 'done');
    assert.deepEqual(left, ['later']);
  });

  it('returns null, 0 and false as results', async () => {
    for (const answer of [null, 0, false]) assert.equal(await pollUntil(looks([answer]).look, never), answer);
  });

  it('returns undefined after its time limit', async () => {
    assert.equal(await pollUntil(looks([undefined, undefined]).look, never, 1), undefined);
  });

  it('stops at once when its signal is aborted', async () => {
    const gone = new AbortController();
    const { left, look } = looks([undefined, 'too late']);
    const waiting = pollUntil(look, gone.signal);
    gone.abort();
    assert.equal(await waiting, undefined);
    assert.deepEqual(left, ['too late']);
    assert.equal(await pollUntil(look, gone.signal), undefined);
    assert.deepEqual(left, ['too late']);
  });

  it('rejects when a poll fails', async () => {
    const failing = () => pollUntil(() => Promise.reject(new Error('the database is away')), never);
    await assert.rejects(failing, /the database is away/);
  });
});
