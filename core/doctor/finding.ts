/** One result of `npm run doctor`. */
export interface Finding {
  /** Name of the check, in kebab-case. */
  readonly id: string;
  readonly state: 'ok' | 'warn' | 'fail';
  /** The result: it contains no secrets and no personal data. */
  readonly message: string;
  /** The fix, if the finding needs one. */
  readonly fix?: string;
}

/** The resources of a check: it must not start, migrate or write anything except one temporary file. */
export interface Diagnosis {
  /** Returns the rows of a read-only statement; null when the database is unavailable. */
  query(sql: string): Promise<readonly Record<string, unknown>[] | null>;
  readonly dataDir: string;
  text(setting: string): string;
}

export const ok = (id: string, message: string): Finding => ({ id, state: 'ok', message });
export const warn = (id: string, message: string, fix: string): Finding => ({ id, state: 'warn', message, fix });
export const fail = (id: string, message: string, fix: string): Finding => ({ id, state: 'fail', message, fix });

export const linesOf = (findings: readonly Finding[]): readonly string[] => {
  const width = Math.max(...findings.map(({ id }) => id.length));
  return findings.flatMap(({ id, state, message, fix }) => [
    `${state.padEnd(4)}  ${id.padEnd(width)}  ${message}`,
    ...(fix ? [`${' '.repeat(width + 8)}→ ${fix}`] : []),
  ]);
};

interface Queue {
  readonly id: string;
  /** SQL of the program that selects the rows which have waited too long. */
  readonly sql: string;
  readonly what: string;
}

/** Checks for queued work that has waited for longer than it does with a running server. */
export const checkQueue = async ({ query }: Diagnosis, { id, sql, what }: Queue): Promise<readonly Finding[]> => {
  const rows = await query(`select count(*)::int as n from ${sql}`);
  if (!rows) return [];
  const waiting = Number(rows[0]?.n);
  return [
    waiting
      ? warn(
          id,
          `${waiting} ${what} have waited for over a quarter of an hour.`,
          'A server works on them: is one running, and what does its log say?',
        )
      : ok(id, `No ${what} wait for long.`),
  ];
};
