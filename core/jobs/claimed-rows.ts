/**
 * A queue of files in rows of a table. A server claims a row with a lease before it reads the file, so that no file is lost when
 * a server is killed, and only one of several servers reads it. The table has `id`, `device`, `sender` (a pseudonym of the
 * address that cannot be reversed), `state` ('waiting', 'reading', then the states that the work sets), `is_heavy`, `attempts`,
 * `claimed_until` and `created_at`.
 *
 * At most two files are read concurrently, never two of one device or address, and senders that used the least processor time
 * recently come first. A file that takes longer than a few seconds moves to a separate lane for heavy files; while that lane is
 * busy, the file yields to other waiting files and is restarted later. So a heavy file never delays other files for longer than
 * those seconds.
 */
import type { Database, Host } from '../plugin.ts';
import type { ReadingBudget } from '../readers/reading-budget.ts';

/** Duration of the lease; a row whose lease is not renewed in this time may be claimed again. */
const CLAIM_SECONDS = 120;
const RENEW_MS = 30_000;
/** Polling interval for rows that another server abandoned. */
const LOOK_MS = 30_000;
/** How long a file may be read while others wait. */
const PATIENCE_MS = 20_000;
const PATIENCE_LOOK_MS = 1_000;

export interface ClaimedRow {
  readonly id: string;
  readonly device: string;
  readonly sender: string | null;
  /** Number of attempts, including the current one. */
  readonly attempts: number;
}

/**
 * Returns whether a server died while it was reading this row. The file may have been the cause, so it is not retried: a server
 * that shuts down gracefully releases its rows and does not count the attempt.
 */
export const isSuspect = ({ attempts }: Pick<ClaimedRow, 'attempts'>): boolean => attempts > 1;

export interface ClaimedRows {
  /** Starts work when a row has been added. */
  wake(): void;
  stop(): Promise<void>;
}

export interface RowRun {
  readonly signal: AbortSignal;
  /** Charges processor seconds to the row's sender. */
  readonly onSpent: (seconds: number) => void;
}

interface Work<R extends ClaimedRow> extends Pick<Host, 'db' | 'log'> {
  /** Name of the table: a constant of the program, never external input. */
  readonly table: string;
  /** Columns that the work needs, in addition to those of ClaimedRow. */
  readonly columns: readonly string[];
  /** SQL condition with its parameters; other rows are ignored. */
  readonly where?: readonly [sql: string, parameters: readonly string[]];
  /** False for an operator's command, which reads no files. */
  readonly isServing: boolean;
  readonly budget: ReadingBudget;
  readonly patienceMs?: number;
  /** Processes one row. It must leave the state unchanged when `signal` aborts, because the row is then released. */
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

/** Starts the queue. `table` and `columns` are interpolated into SQL: they must be constants of the program. */
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
    // Only one server uses the embedded database, so no process owns the rows that the previous one was reading when it died.
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
  /** Moves a long-running file to the heavy lane, so that the next file is read concurrently. */
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
  /** Devices and addresses whose files are being read. */
  readonly under: readonly string[];
  /** Processor seconds that each device or address used. */
  readonly spenders: Readonly<Record<string, number>>;
}

interface Claimer<R> {
  (wanted: Wanted): Promise<R | null>;
  /** Returns whether a file waits whose sender has no file in progress. */
  isWaited(under: readonly string[]): Promise<boolean>;
}

/** Returns the names as members of a JSON object, so that a statement can look them up. */
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

/**
 * Releases the row when the server shuts down gracefully, so that the next server can claim it at once; a finished row is
 * unchanged.
 */
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
