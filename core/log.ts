/** One JSON line per event on stderr. Never given query strings, bodies or keys. */
export interface Log {
  info(event: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(event: string, fields?: Readonly<Record<string, unknown>>): void;
  error(event: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** A database quotes the value it could not read (SQLSTATE class 22), and that may be what somebody searched for. */
const withoutValue = ({ message }: Error, code: unknown): string =>
  typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code) ? message.replace(/"[^"]*"/g, '"…"') : message;

/** The first line of the message only: a database puts the row that it refused into the second. */
const describe = (value: unknown): unknown => {
  if (!(value instanceof Error)) return value;
  const [message] = withoutValue(value, (value as { code?: unknown }).code).split('\n');
  const frames = (value.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { name: value.name, message, stack: frames.slice(0, 5) };
};

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
