import { strict as assert } from 'node:assert';
import { pollUntil } from '#core/jobs/poll-until.ts';

const looks = <T>(answers: readonly T[]) => {
  const left = [...answers];
  return { left, look: async () => left.shift() };
};

describe('waiting for what is done soon', () => {
  const never = new AbortController().signal;

  it('looks until there is an answer, and then no more', async () => {
    const { left, look } = looks([undefined, undefined, 'done', 'later']);
    assert.equal(await pollUntil(look, never), 'done');
    assert.deepEqual(left, ['later']);
  });

  it('takes null, 0 and false for answers', async () => {
    for (const answer of [null, 0, false]) assert.equal(await pollUntil(looks([answer]).look, never), answer);
  });

  it('answers nothing once the time is over', async () => {
    assert.equal(await pollUntil(looks([undefined, undefined]).look, never, 1), undefined);
  });

  it('stops at once when nobody waits any more', async () => {
    const gone = new AbortController();
    const { left, look } = looks([undefined, 'too late']);
    const waiting = pollUntil(look, gone.signal);
    gone.abort();
    assert.equal(await waiting, undefined);
    assert.deepEqual(left, ['too late']);
    assert.equal(await pollUntil(look, gone.signal), undefined);
    assert.deepEqual(left, ['too late']);
  });

  it('fails as the look fails', async () => {
    const failing = () => pollUntil(() => Promise.reject(new Error('the database is away')), never);
    await assert.rejects(failing, /the database is away/);
  });
});
