/** Tests who may have files read, and when. */
import { deepEqual, equal, notEqual, ok, rejects, throws } from 'node:assert/strict';
import type { AppError } from '#core/errors.ts';
import { BUDGET_SECONDS, createReadingBudget } from '#core/readers/reading-budget.ts';
import { createReadingTurns, type Turn } from '#core/readers/reading-turns.ts';

const anonymous = (address: string) => ({ kind: 'anonymous', address }) as const;
const codeOf = (error: unknown): string => (error as AppError).code;
const never = new AbortController().signal;

const budgetAt = (clock: { now: number }) =>
  createReadingBudget({ nameOf: (subject) => `name of ${subject.length} ${subject}` }, () => clock.now);

describe('reading budget', () => {
  it('counts an IPv6 address by its network, and a device separately', () => {
    const budget = budgetAt({ now: 0 });
    const first = budget.sendersOf(anonymous('2001:db8::1'), 'device-a');
    const second = budget.sendersOf(anonymous('2001:db8::2'), null);
    equal(first.address, second.address);
    deepEqual(first.all, [first.address, 'device-a']);
    notEqual(budget.sendersOf(anonymous('192.0.2.1'), null).address, first.address);
  });

  it('is used up by processor time, and recovers over the hours', () => {
    const clock = { now: 0 };
    const budget = budgetAt(clock);
    budget.spend(['a', 'device'], BUDGET_SECONDS - 1);
    budget.refuseOverspent(['a']);
    budget.spend(['a'], 2);
    throws(
      () => budget.refuseOverspent(['a', 'other']),
      (error) => {
        const { headers } = (error as AppError).extras;
        return codeOf(error) === 'quota_exceeded' && Number(headers?.['Retry-After']) > 0;
      },
    );
    budget.refuseOverspent(['device', 'other']);
    clock.now += 1_800_000;
    budget.refuseOverspent(['a']);
    deepEqual(Object.keys(budget.spenders()).sort(), ['a', 'device']);
    clock.now += 3_600_000;
    deepEqual(budget.spenders(), {});
  });
});

describe('reading turns', () => {
  const taking = (budget = budgetAt({ now: 0 })) => {
    const turns = createReadingTurns(budget, 2);
    const order: string[] = [];
    const take = async (address: string): Promise<Turn> => {
      const turn = await turns.take({ address, all: [address] }, never);
      order.push(address);
      return turn;
    };
    return { turns, take, order, budget };
  };

  it('read one file of each sender at a time, starting with the sender that has used the least time', async () => {
    const { take, order, budget } = taking();
    budget.spend(['heavy'], 100);
    const [first] = [await take('a')];
    const second = take('a');
    const other = await take('b');
    const heavy = take('heavy');
    const light = take('light');
    other.end();
    const lightTurn = await light;
    lightTurn.end();
    const heavyTurn = await heavy;
    first.end();
    (await second).end();
    heavyTurn.end();
    deepEqual(order, ['a', 'b', 'light', 'heavy', 'a']);
  });

  it('are denied to a sender with a full queue or a spent budget, and cancelled by an abort', async () => {
    const { turns, take, budget } = taking();
    const first = await take('a');
    const waiting = [take('a'), take('a'), take('a'), take('a')];
    await rejects(take('a'), (error) => codeOf(error) === 'quota_exceeded');
    (await take('b')).end();
    const leaving = new AbortController();
    const left = turns.take({ address: 'c', all: ['c', 'a'] }, leaving.signal);
    leaving.abort(new Error('nobody waits any more'));
    await rejects(left, /nobody waits/);
    first.end();
    first.end();
    for (const one of waiting) (await one).end();
    budget.spend(['a'], 2 * BUDGET_SECONDS);
    await rejects(take('a'), (error) => codeOf(error) === 'quota_exceeded');
    ok((await take('b')) !== null);
  });
});
