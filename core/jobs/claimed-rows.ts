/**
 * Files that wait in rows of a table to be read, each claimed in its row: a server that is killed loses nothing, and of several
 * servers one reads each. The table has `id`, `device`, `sender` (an address, under a name that cannot be read back), `state`
 * ('waiting', 'reading', then what the work makes of it), `is_heavy`, `attempts`, `claimed_until` and `created_at`.
 *
 * Two are read at the same time at most, never two of one device or address, and those who have spent least processor time of
 * late come first. What takes longer than a few seconds moves over to a lane of its own; while that is taken, it gives way to
 * whoever waits and is begun anew later. So a heavy file keeps nobody else waiting for longer than those seconds.
 */
import type { Database, Host } from '../plugin.ts';
import type { ReadingBudget } from '../readers/reading-budget.ts';

/** A claim that nobody renews for so long is another's. */
const CLAIM_SECONDS = 120;
const RENEW_MS = 30_000;
/** How often it is looked for what another server left behind. */
const LOOK_MS = 30_000;
/** How long a file may be read while others wait. */
const PATIENCE_MS = 20_000;
const PATIENCE_LOOK_MS = 1_000;

export interface ClaimedRow {
  readonly id: string;
  readonly device: string;
  readonly sender: string | null;
  /** This one counted. */
  readonly attempts: number;
}

/**
 * Returns whether a server ended in the middle of reading this row. It may have ended because of it, so it is not tried again:
 * a server that stops in order gives its rows back uncounted.
 */
export const isSuspect = ({ attempts }: Pick<ClaimedRow, 'attempts'>): boolean => attempts > 1;

export interface ClaimedRows {
  /** Something waits now. */
  wake(): void;
  stop(): Promise<void>;
}

export interface RowRun {
  readonly signal: AbortSignal;
  /** Charges processor seconds to the row's sender. */
  readonly onSpent: (seconds: number) => void;
}

interface Work<R extends ClaimedRow> extends Pick<Host, 'db' | 'log'> {
  /** Of this program, never of anybody outside it. */
  readonly table: string;
  /** Columns that the work needs, beside those of ClaimedRow. */
  readonly columns: readonly string[];
  /** Rows of other places are left alone: SQL with its parameters. */
  readonly where?: readonly [sql: string, parameters: readonly string[]];
  /** A command of an operator does none. */
  readonly isServing: boolean;
  readonly budget: ReadingBudget;
  readonly patienceMs?: number;
  /** Leaves the state as it is when `signal` aborts: the row is given back then. */
  work(row: R, run: RowRun): Promise<void>;
}

type Lane = 'quick' | 'heavy';
const LANES: readonly Lane[] = ['quick', 'heavy'];

interface Run {
  readonly row: ClaimedRow;
  readonly startedAt: number;
  readonly stopping: AbortController;
  lane: Lane;
}

const sendersOf = ({ device, sender }: ClaimedRow): readonly string[] => (sender ? [sender, device] : [device]);

/** `table` and `columns` are written into statements: they must be this program's own words. */
export const startClaimedRows = <R extends ClaimedRow>(given: Work<R>): ClaimedRows => {
  const { db, log, table, budget, patienceMs = PATIENCE_MS } = given;
  const claim = claimerOf<R>(given);
  const runs = new Set<Run>();
  const ended = new Set<Promise<void>>();
  const stopping = new AbortController();
  let filling: Promise<void> = Promise.resolve();
  let isFirst = true;

  const namesUnder = (): readonly string[] => [...runs].flatMap(({ row }) => sendersOf(row));
  const isFree = (lane: Lane): boolean => ![...runs].some((run) => run.lane === lane);

  const work = async (row: R, lane: Lane): Promise<void> => {
    const run: Run = { row, lane, startedAt: performance.now(), stopping: new AbortController() };
    runs.add(run);
    const renewal = renew(db, log, table, row.id);
    try {
      const signal = AbortSignal.any([run.stopping.signal, stopping.signal]);
      await given.work(row, { signal, onSpent: (seconds) => budget.spend(sendersOf(row), seconds) });
      if (signal.aborted) await giveBack(db, table, { id: row.id, isHeavy: run.stopping.signal.aborted });
    } catch (error) {
      log.error('claimed_work_failed', { table, error });
    } finally {
      clearInterval(renewal);
      runs.delete(run);
    }
    wake();
  };
  const fill = async (): Promise<void> => {
    // The embedded database has one server: what was being read when the last one died is nobody's now.
    if (isFirst && db.kind === 'pglite')
      await db.write((em) =>
        em.execute(`update ${table} set state = 'waiting', claimed_until = null where state = 'reading'`),
      );
    isFirst = false;
    for (const lane of LANES) {
      if (stopping.signal.aborted || !isFree(lane)) continue;
      const row = await claim({ isHeavy: lane === 'heavy', under: namesUnder(), spenders: budget.spenders() });
      if (!row) continue;
      const own = work(row, lane).finally(() => ended.delete(own));
      ended.add(own);
    }
  };
  const wake = (): void => {
    if (stopping.signal.aborted || !given.isServing) return;
    filling = filling.then(fill).catch((error) => log.error('claimed_work_failed', { table, error }));
  };
  /** Moves over what takes long, so that the next is read beside it. */
  const makeWay = async (): Promise<void> => {
    const run = [...runs].find(({ lane, startedAt }) => lane === 'quick' && performance.now() - startedAt > patienceMs);
    if (!run || run.stopping.signal.aborted) return;
    if (isFree('heavy')) {
      run.lane = 'heavy';
      await db.write((em) => em.execute(`update ${table} set is_heavy = true where id = ?`, [run.row.id]));
      wake();
    } else if (await claim.isWaited(namesUnder())) run.stopping.abort(new Error('another file waits'));
  };
  const timers = [
    setInterval(wake, LOOK_MS),
    setInterval(
      () => void makeWay().catch((error) => log.warn('claim_not_moved', { table, error })),
      Math.min(PATIENCE_LOOK_MS, patienceMs),
    ),
  ];
  for (const timer of timers) timer.unref();
  return {
    wake,
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      stopping.abort(new Error('the server stops'));
      await filling;
      await Promise.all(ended);
    },
  };
};

const renew = (db: Database, log: Host['log'], table: string, id: string): NodeJS.Timeout =>
  setInterval(() => {
    db.write((em) =>
      em.execute(`update ${table} set claimed_until = now() + make_interval(secs => ?) where id = ?`, [
        CLAIM_SECONDS,
        id,
      ]),
    ).catch((error) => log.warn('claim_not_renewed', { table, error }));
  }, RENEW_MS);

interface Wanted {
  readonly isHeavy: boolean;
  /** Names of devices and addresses whose files are being read. */
  readonly under: readonly string[];
  /** Seconds that names have spent. */
  readonly spenders: Readonly<Record<string, number>>;
}

interface Claimer<R> {
  (wanted: Wanted): Promise<R | null>;
  /** Returns whether somebody waits whose files are not being read now. */
  isWaited(under: readonly string[]): Promise<boolean>;
}

/** Names as members of an object: what a statement can look up. */
const membersOf = (names: readonly string[]): string =>
  JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])));

const claimerOf = <R extends ClaimedRow>({
  db,
  table,
  columns,
  where: [where, parameters] = ['true', []],
}: Work<R>): Claimer<R> => {
  const open = `(state = 'waiting' or (state = 'reading' and claimed_until < now())) and ${where} and is_heavy = ?
    and ?::jsonb -> device is null and ?::jsonb -> coalesce(sender, '') is null`;
  const claim = `update ${table} set state = 'reading', attempts = attempts + 1,
    claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
    where id = (select id from ${table} where ${open}
      order by greatest((?::jsonb ->> device)::float8, (?::jsonb ->> coalesce(sender, ''))::float8, 0), created_at
      limit 1 for update skip locked)
    returning ${['id', 'device', 'sender', 'attempts', ...columns].join(', ')}`;
  const next = async ({ isHeavy, under, spenders }: Wanted): Promise<R | null> => {
    const [members, spent] = [membersOf(under), JSON.stringify(spenders)];
    const given = [...parameters, isHeavy, members, members, spent, spent];
    const rows = (await db.write((em) => em.execute(claim, given))) as unknown as R[];
    return rows[0] ?? null;
  };
  const isWaited = async (under: readonly string[]): Promise<boolean> => {
    const members = membersOf(under);
    const given = [...parameters, false, members, members];
    const rows = await db.read((em) => em.execute(`select 1 from ${table} where ${open} limit 1`, given));
    return (rows as unknown as unknown[]).length > 0;
  };
  return Object.assign(next, { isWaited });
};

/** A server that stops in order leaves the row to the next one at once; nothing happens to one that is done. */
const giveBack = async (
  db: Database,
  table: string,
  { id, isHeavy }: { readonly id: string; readonly isHeavy: boolean },
): Promise<void> => {
  await db.write((em) =>
    em.execute(
      `update ${table} set state = 'waiting', attempts = attempts - 1, claimed_until = null, is_heavy = is_heavy or ?
       where id = ? and state = 'reading'`,
      [isHeavy, id],
    ),
  );
};
