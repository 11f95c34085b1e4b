/** One line of `npm run doctor`. */
export interface Finding {
  /** What was looked at, in kebab-case. */
  readonly id: string;
  readonly state: 'ok' | 'warn' | 'fail';
  /** What was found: no secret, no value of a person. */
  readonly message: string;
  /** What to do, where there is something to do. */
  readonly fix?: string;
}

/** All that a check may use: nothing is started, migrated or written but one file that is removed again. */
export interface Diagnosis {
  /** Rows of a statement that only reads; null when there is no database to ask. */
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
  /** Statements of this program: how many rows wait for longer than they should. */
  readonly sql: string;
  readonly what: string;
}

/** Work that waits in rows for longer than a running server lets it. */
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
