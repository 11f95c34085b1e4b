/** Socket errors, and SQLSTATE classes of a server that shuts down. */
const CODES = /^(08|57P)|^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/;
/** ENOENT counts only for a socket: a missing file is an internal error. */
const MESSAGES =
  /connect ENOENT|Connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|Client was closed/;

/** Returns the code of an error or of its cause; "" when there is none. */
export const codeOf = (error: unknown): string => {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return cause ? codeOf(cause) : '';
};

/** Returns whether a query failed because the connection was lost, not because of the query. */
export const isConnectionLost = (error: unknown): boolean =>
  CODES.test(codeOf(error)) || MESSAGES.test(String((error as Error | undefined)?.message));
