/** Socket errors, and SQLSTATE classes of a server that goes away. */
const CODES = /^(08|57P)|^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/;
/** ENOENT counts for a socket only: a file that is missing is a fault of ours. */
const MESSAGES =
  /connect ENOENT|Connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|Client was closed/;

/** The code of an error or of what caused it; "" when there is none. */
export const codeOf = (error: unknown): string => {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return cause ? codeOf(cause) : '';
};

/** True when a query failed because the database went away, not because of what was asked. */
export const isConnectionLost = (error: unknown): boolean =>
  CODES.test(codeOf(error)) || MESSAGES.test(String((error as Error | undefined)?.message));
