/** Tests the order in which queued files are read, and which readings are interrupted. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import {
  type ClaimedRow,
  type ClaimedRows,
  isSuspect,
  type RowRun,
  startClaimedRows,
} from '#core/jobs/claimed-rows.ts';
import { createReadingBudget } from '#core/readers/reading-budget.ts';
import { sql } from '../../support/database.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';
import { until } from '../../support/until.ts';

describe('queued files', function () {
  this.timeout(120_000);
  const TABLE = 'test_waiting_file';
  let service: SharedService;
  let rows: ClaimedRows | null = null;
  before(async () => {
    service = await sharedService();
    await sql(
      service,
      `create table ${TABLE} (id text primary key, device text not null, sender text, state text not null default 'waiting',
        is_heavy boolean not null default false, attempts int not null default 0, claimed_until timestamptz,
        created_at timestamptz not null default clock_timestamp())`,
    );
  });
  afterEach(async () => {
    await rows?.stop();
    await sql(service, `delete from ${TABLE}`);
  });
  after(() => sql(service, `drop table ${TABLE}`));

  const add = (id: string, device: string, sender = device) =>
    sql(service, `insert into ${TABLE} (id, device, sender) values (?, ?, ?)`, [id, device, sender]);
  const stateOf = async (id: string) => (await sql(service, `select * from ${TABLE} where id = ?`, [id]))[0];

  /** Starts readings that block until the test ends them, and records their order. */
  const reading = (patienceMs: number, budget = createReadingBudget({ nameOf: (subject) => subject })) => {
    const begun: string[] = [];
    const open = new Map<string, () => void>();
    const work = async ({ id }: ClaimedRow, { signal, onSpent }: RowRun): Promise<void> => {
      begun.push(id);
      await new Promise<void>((resolve) => {
        open.set(id, resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      open.delete(id);
      onSpent(1);
      if (!signal.aborted) await sql(service, `update ${TABLE} set state = 'ready' where id = ?`, [id]);
    };
    const { db, log } = service.runtime;
    rows = startClaimedRows({ db, log, table: TABLE, columns: [], isServing: true, budget, patienceMs, work });
    rows.wake();
    const end = async (id: string): Promise<void> => {
      (await until(() => open.get(id), `the reading of ${id}`))();
      await until(async () => (await stateOf(id))?.state === 'ready', `the end of ${id}`);
    };
    return { begun, open, end, budget };
  };
  const NEVER = 3_600_000;
  const SOON = 50;

  it('are read in order, and never two of one device or address at a time', async () => {
    for (const [id, device, sender] of [
      ['1', 'a', 'x'],
      ['2', 'a', 'y'],
      ['3', 'b', 'x'],
      ['4', 'c', 'z'],
    ] as const)
      await add(id, device, sender);
    const { begun, open, end } = reading(SOON);
    await until(() => open.size === 2, 'two readings');
    deepEqual(begun, ['1', '4']);
    for (const id of ['1', '4', '2', '3']) await end(id);
    deepEqual([...begun].sort(), ['1', '2', '3', '4']);
  });

  it('are read later when their device has used much processor time', async () => {
    const budget = createReadingBudget({ nameOf: (subject) => subject });
    budget.spend(['much'], 100);
    await add('1', 'much');
    await add('2', 'little');
    const { begun, end } = reading(NEVER, budget);
    await end('2');
    await end('1');
    deepEqual(begun, ['2', '1']);
    ok(budget.spentBy(['little']) > 0);
  });

  it('are interrupted for the next when they take long, and restarted when the lane for heavy files is free', async () => {
    for (const id of ['heavy-1', 'heavy-2', 'light']) await add(id, id);
    const { begun, end } = reading(SOON);
    // The first moves to the lane for heavy files, and the second is interrupted for the third.
    await end('light');
    deepEqual(begun, ['heavy-1', 'heavy-2', 'light']);
    const second = await stateOf('heavy-2');
    deepEqual([second?.state, second?.is_heavy, second?.attempts], ['waiting', true, 0]);
    await end('heavy-1');
    await end('heavy-2');
    deepEqual(begun, ['heavy-1', 'heavy-2', 'light', 'heavy-2']);
  });

  it('are released by a server that stops without a counted attempt, and are suspect after two attempts', async () => {
    await add('1', 'a');
    const { open } = reading(NEVER);
    await until(() => open.size === 1, 'the reading');
    await rows?.stop();
    const given = await stateOf('1');
    deepEqual([given?.state, given?.attempts], ['waiting', 0]);
    equal(isSuspect({ attempts: 1 }), false);
    equal(isSuspect({ attempts: 2 }), true);
  });
});
