/** One JSON line per event on stderr. Never given query strings, bodies or keys. */
export interface Log {
  info(event: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(event: string, fields?: Readonly<Record<string, unknown>>): void;
  error(event: string, fields?: Readonly<Record<string, unknown>>): void;
}

const describe = (value: unknown): unknown =>
  value instanceof Error
    ? { name: value.name, message: value.message, stack: value.stack?.split('\n').slice(1, 6) }
    : value;

/** A log that writes through `write`; `level` `silent` keeps tests quiet. */
export const createLog = (
  level: 'info' | 'warn' | 'silent',
  write = (line: string) => process.stderr.write(line),
): Log => {
  const at =
    (name: 'info' | 'warn' | 'error') =>
    (event: string, fields: Readonly<Record<string, unknown>> = {}) => {
      if (level === 'silent' || (level === 'warn' && name === 'info')) return;
      const plain = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, describe(value)]));
      write(`${JSON.stringify({ time: new Date().toISOString(), level: name, event, ...plain })}\n`);
    };
  return { info: at('info'), warn: at('warn'), error: at('error') };
};
