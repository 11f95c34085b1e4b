/** Converts any error to a response: an AppError by its code, database errors by a table, others to a bare 500. */
import { codeOf, isConnectionLost } from '../db/lost-connection.ts';
import { AppError, coreErrors } from '../errors.ts';
import type { Log } from '../log.ts';

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** SQLSTATE classes of a transaction that was rolled back or a database without resources: the client may retry. */
const BUSY = /^(40|53)/;

/** Converts any thrown value to an AppError; unexpected errors are logged here, once, with the request id. */
export const asAppError = (error: unknown, log: Log, requestId: string): AppError => {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  const comeBack = { headers: { 'Retry-After': '2' }, body: { retry_after: 2 } };
  if (isConnectionLost(error)) {
    log.warn('database_away', { request_id: requestId, code });
    return coreErrors.database_unavailable({}, comeBack);
  }
  if (BUSY.test(code)) {
    log.warn('database_busy', { request_id: requestId, code });
    return coreErrors.reduced_capacity({}, comeBack);
  }
  log.error('request_failed', { request_id: requestId, error });
  return coreErrors.internal_error();
};

/** Returns the anchor of a code on /developers/errors. */
export const errorAnchor = (code: string): string => code.replaceAll('_', '-');

export interface ErrorReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly type: string;
}

/** Returns the challenge that RFC 6750 requires for a 401, with `invalid_token` unless no token was sent. */
const challengeOf = ({ status, code }: AppError): Readonly<Record<string, string>> => {
  if (status !== 401) return {};
  const invalidToken = code === 'missing_api_key' || code === 'bootstrap_locked' ? '' : ', error="invalid_token"';
  return { 'WWW-Authenticate': `Bearer realm="api"${invalidToken}` };
};

/** Builds a body for two kinds of clients: `detail` as in FastAPI, the rest as in RFC 9457. */
export const errorReply = (error: AppError, requestId: string, baseUrl: string, wantsProblem: boolean): ErrorReply => {
  const problems = error.extras.problems;
  const detail = problems && !wantsProblem ? problems : error.detail;
  return {
    status: error.status,
    type: wantsProblem ? 'application/problem+json' : 'application/json',
    headers: { 'Cache-Control': 'no-store', ...challengeOf(error), ...error.extras.headers },
    body: {
      detail,
      type: `${baseUrl}/developers/errors#${errorAnchor(error.code)}`,
      title: TITLES[error.status] ?? 'Error',
      status: error.status,
      code: error.code,
      request_id: requestId,
      ...(problems && wantsProblem ? { errors: problems } : {}),
      ...error.extras.body,
    },
  };
};
