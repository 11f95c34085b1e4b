/** A logger that writes one JSON line per event to stderr. Callers must not pass query strings, bodies or keys. */
import { bufferedWriter } from './log-writer.ts';

export interface Log {
  info(event: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(event: string, fields?: Readonly<Record<string, unknown>>): void;
  error(event: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Logs one completed request at level info. */
  request(line: RequestLine): void;
}

export interface RequestLine {
  readonly id: string;
  readonly method: string;
  /** The route pattern: never the address itself, which may contain health data. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
}

/** Returns the SQLSTATE of the error or of its cause. */
const stateOf = (error: unknown): string => {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code;
  return cause ? stateOf(cause) : '';
};

/**
 * Returns an error message that is safe outside the process: only its first line, because a database includes the rejected row in
 * the second one, and without the values that a database quotes. The names of tables and columns, which it quotes in classes 23
 * and 42, belong to this program and are not sensitive.
 */
export const messageOf = (error: Error): string => {
  const [line = ''] = error.message.split('\n');
  const state = stateOf(error);
  if (!state) return line;
  const bare = line.replace(/'(?:[^']|'')*'/g, "'…'");
  return /^(23|42)/.test(state) ? bare : bare.replace(/"[^"]*"/g, '"…"');
};

const describe = (value: unknown): unknown => {
  if (!(value instanceof Error)) return value;
  // The message precedes the frames, and may contain lines that look like a frame.
  const { name, stack = '', message } = value;
  const at = stack.indexOf(message);
  const frames = (at < 0 ? stack : stack.slice(at + message.length)).split('\n').filter((line) => /^\s+at /.test(line));
  return { name, message: messageOf(value), stack: frames.slice(0, 5) };
};

/** The last timestamp; lines of the same millisecond share its text. */
const clock = { at: 0, text: '' };
const timeNow = (): string => {
  const now = Date.now();
  if (now !== clock.at) Object.assign(clock, { at: now, text: new Date(now).toISOString() });
  return clock.text;
};

/**
 * Creates a logger that writes through `write`; the level `silent` is for tests. The default writer may buffer lines of level
 * info for a moment; all other lines are written when the call returns.
 */
export const createLog = (
  level: 'info' | 'warn' | 'silent',
  write: (line: string, isUrgent: boolean) => unknown = level === 'silent' ? () => undefined : bufferedWriter(),
): Log => {
  const at = (name: 'info' | 'warn' | 'error') => {
    if (level === 'silent' || (level === 'warn' && name === 'info')) return () => undefined;
    return (event: string, fields: Readonly<Record<string, unknown>> = {}) => {
      const line: Record<string, unknown> = { time: timeNow(), level: name, event };
      for (const key in fields) line[key] = describe(fields[key]);
      write(`${JSON.stringify(line)}\n`, name !== 'info');
    };
  };
  const isTold = level === 'info';
  return {
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    request: isTold ? (line) => write(requestLine(line), false) : () => undefined,
  };
};

const quoted = new Map<string, string>();

/** Quotes a route and caches the result; the number of routes is fixed. */
const quotedOnce = (route: string): string => {
  const text = quoted.get(route) ?? JSON.stringify(route);
  quoted.set(route, text);
  return text;
};

/**
 * Builds the line without an intermediate object: one is written per request, and an object would cost as much as serving a
 * published page.
 */
const requestLine = ({ id, method, route, status, milliseconds }: RequestLine): string =>
  `{"time":"${timeNow()}","level":"info","event":"request","request_id":"${id}","method":"${method}","route":${quotedOnce(route)},"status":${status},"ms":${Math.round(milliseconds * 10) / 10}}\n`;
