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
