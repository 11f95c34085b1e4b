/**
 * Long work that waits in rows of a table, one at a time in this process, each claimed in its row: a server that is killed
 * loses nothing, and of several servers one does each. The table has `id`, `state` ('waiting', 'reading', then what the work
 * makes of it), `attempts`, `claimed_until` and `created_at`.
 */
import type { Database, Host } from '../plugin.ts';

/** A claim that nobody renews for so long is another's. */
const CLAIM_SECONDS = 120;
const RENEW_MS = 30_000;
/** How often it is looked for what another server left behind. */
const LOOK_MS = 30_000;

export interface ClaimedRow {
  readonly id: string;
  /** This one counted. */
  readonly attempts: number;
}

export interface ClaimedRows {
  /** Something waits now. */
  wake(): void;
  stop(): Promise<void>;
}

interface Work<R extends ClaimedRow> extends Pick<Host, 'db' | 'log'> {
  /** Of this program, never of anybody outside it. */
  readonly table: string;
  /** Columns that the work needs, beside `id` and `attempts`. */
  readonly columns: readonly string[];
  /** Rows of other places are left alone: SQL with its parameters. */
  readonly where?: readonly [sql: string, parameters: readonly string[]];
  /** A command of an operator does none. */
  readonly isServing: boolean;
  /** Leaves the state as it is when `signal` aborts: the row is given back then. */
  work(row: R, signal: AbortSignal): Promise<void>;
}

/** `table` and `columns` are written into statements: they must be this program's own words. */
export const startClaimedRows = <R extends ClaimedRow>(given: Work<R>): ClaimedRows => {
  const { db, log, table, columns, where: [where, parameters] = ['true', []] } = given;
  const claimNext = claimerOf<R>(db, {
    sql: `update ${table} set state = 'reading', attempts = attempts + 1,
      claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
      where id = (select id from ${table} where (state = 'waiting' or (state = 'reading' and claimed_until < now()))
        and ${where} order by created_at limit 1 for update skip locked)
      returning ${['id', 'attempts', ...columns].join(', ')}`,
    parameters,
  });
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  let isFirst = true;
  const renew = (id: string): NodeJS.Timeout =>
    setInterval(() => {
      db.write((em) =>
        em.execute(`update ${table} set claimed_until = now() + make_interval(secs => ?) where id = ?`, [
          CLAIM_SECONDS,
          id,
        ]),
      ).catch((error) => log.warn('claim_not_renewed', { table, error }));
    }, RENEW_MS);
  const drain = async (): Promise<void> => {
    // The embedded database has one server: what was being read when the last one died is nobody's now.
    if (isFirst && db.kind === 'pglite')
      await db.write((em) =>
        em.execute(`update ${table} set state = 'waiting', claimed_until = null where state = 'reading'`),
      );
    isFirst = false;
    while (!stopping.signal.aborted) {
      const row = await claimNext();
      if (!row) return;
      const renewal = renew(row.id);
      try {
        await given.work(row, stopping.signal);
      } finally {
        clearInterval(renewal);
      }
      if (stopping.signal.aborted) await giveBack(db, table, row.id);
    }
  };
  const wake = (): void => {
    if (stopping.signal.aborted || !given.isServing) return;
    const before = running;
    running = (async () => {
      await before;
      await drain();
    })().catch((error) => log.error('claimed_work_failed', { table, error }));
  };
  const timer = setInterval(wake, LOOK_MS);
  timer.unref();
  return {
    wake,
    stop: async () => {
      clearInterval(timer);
      stopping.abort(new Error('the server stops'));
      await running;
    },
  };
};

const claimerOf =
  <R>(db: Database, { sql, parameters }: { readonly sql: string; readonly parameters: readonly string[] }) =>
  async (): Promise<R | null> => {
    const rows = (await db.write((em) => em.execute(sql, [...parameters]))) as unknown as R[];
    return rows[0] ?? null;
  };

/** A server that stops in order leaves the row to the next one at once; nothing happens to one that is done. */
const giveBack = async (db: Database, table: string, id: string): Promise<void> => {
  await db.write((em) =>
    em.execute(
      `update ${table} set state = 'waiting', attempts = attempts - 1, claimed_until = null
       where id = ? and state = 'reading'`,
      [id],
    ),
  );
};
