/** One JSON line per event on stderr. Never given query strings, bodies or keys. */
import { bufferedWriter } from './log-writer.ts';

export interface Log {
  info(event: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(event: string, fields?: Readonly<Record<string, unknown>>): void;
  error(event: string, fields?: Readonly<Record<string, unknown>>): void;
  /** One answered request, at level info. */
  request(line: RequestLine): void;
}

export interface RequestLine {
  readonly id: string;
  readonly method: string;
  /** The pattern of the route: never the address itself, which may hold health data. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
}

/** SQLSTATE, of the error or of what it wraps. */
const stateOf = (error: unknown): string => {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code;
  return cause ? stateOf(cause) : '';
};

/**
 * What may be said of an error outside the process: the first line of its message, for a database puts the row that it
 * refused into the second; without the values that a database quotes. Names of tables and columns, which it quotes in
 * classes 23 and 42, are ours.
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
  // The message stands before the frames, and may have lines that look like one.
  const { name, stack = '', message } = value;
  const at = stack.indexOf(message);
  const frames = (at < 0 ? stack : stack.slice(at + message.length)).split('\n').filter((line) => /^\s+at /.test(line));
  return { name, message: messageOf(value), stack: frames.slice(0, 5) };
};

/** Lines of one millisecond share its text. */
const clock = { at: 0, text: '' };
const timeNow = (): string => {
  const now = Date.now();
  if (now !== clock.at) Object.assign(clock, { at: now, text: new Date(now).toISOString() });
  return clock.text;
};

/**
 * A log that writes through `write`; `level` `silent` keeps tests quiet. Lines of level info may wait a moment in the
 * usual writer, all others are out when the call returns.
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

/** There are as many routes as the program has. */
const quotedOnce = (route: string): string => {
  const text = quoted.get(route) ?? JSON.stringify(route);
  quoted.set(route, text);
  return text;
};

/** Put together by hand: one is written for each request, and an object for it costs as much as a published answer. */
const requestLine = ({ id, method, route, status, milliseconds }: RequestLine): string =>
  `{"time":"${timeNow()}","level":"info","event":"request","request_id":"${id}","method":"${method}","route":${quotedOnce(route)},"status":${status},"ms":${Math.round(milliseconds * 10) / 10}}\n`;
