/** Error classes and the table of API errors. Each API error has a code, a status and a sentence; codes are never reused. */

export interface ErrorDefinition {
  readonly code: string;
  readonly status: number;
  /** The `detail` text, or a template with {placeholders}. */
  readonly detail: string;
  readonly cause: string;
  readonly fix: string;
  readonly retry: boolean;
}

/** One problem of a request, in the format of Pydantic's validation errors. */
export interface FieldProblem {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input?: unknown;
}

export interface ErrorExtras {
  readonly problems?: readonly FieldProblem[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of the body: `resource`, `did_you_mean`, `retry_after` … */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

export class AppError extends Error {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
  readonly extras: ErrorExtras;

  constructor(
    definition: ErrorDefinition,
    values: Readonly<Record<string, string | number>> = {},
    extras: ErrorExtras = {},
  ) {
    const detail = definition.detail.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
    super(detail, { cause: extras.cause });
    this.name = 'AppError';
    this.code = definition.code;
    this.status = definition.status;
    this.detail = detail;
    this.extras = extras;
  }
}

/** Returns a constructor for each definition: `errors.not_found({resource: 'Supplement', id: 'x'})`. */
export const defineErrors = <T extends Record<string, Omit<ErrorDefinition, 'code'>>>(table: T) => {
  const definitions = Object.entries(table).map(([code, rest]) => ({ code, ...rest }));
  const make = Object.fromEntries(
    definitions.map((definition) => [
      definition.code,
      (values?: Record<string, string | number>, extras?: ErrorExtras) => new AppError(definition, values, extras),
    ]),
  ) as { [K in keyof T]: (values?: Record<string, string | number>, extras?: ErrorExtras) => AppError };
  return { definitions: definitions as readonly ErrorDefinition[], ...make };
};

/** Core's own error codes. */
export const coreErrors = defineErrors({
  missing_api_key: {
    status: 401,
    detail: 'Missing API key',
    cause: 'The route needs a key and the request has none.',
    fix: 'Send `Authorization: Bearer <API_KEY>`.',
    retry: false,
  },
  invalid_api_key: {
    status: 401,
    detail: 'Invalid API key',
    cause: 'The key is unknown here.',
    fix: 'Check that the whole key was copied.',
    retry: false,
  },
  key_deactivated: {
    status: 401,
    detail: 'API key deactivated',
    cause: 'An administrator switched this key off.',
    fix: 'Ask the operator for a new key.',
    retry: false,
  },
  key_expired: {
    status: 401,
    detail: 'API key expired',
    cause: 'The key reached its expiry date.',
    fix: 'Get a new key.',
    retry: false,
  },
  admin_required: {
    status: 403,
    detail: 'Admin key required',
    cause: 'The route is for administrators.',
    fix: 'Use an admin key.',
    retry: false,
  },
  insufficient_scope: {
    status: 403,
    detail: "Scope '{scope}' required",
    cause: 'The key was made for some classes of routes only, and this route is of another one.',
    fix: 'Use a key with the scope in `required_scope`, or one without scopes.',
    retry: false,
  },
  cross_site_request: {
    status: 403,
    detail: 'Cross-site request refused',
    cause: 'A browser sent this from another site.',
    fix: 'Send it from a page of this service.',
    retry: false,
  },
  not_found: {
    status: 404,
    detail: "{resource} '{id}' not found",
    cause: 'Nothing here has that id.',
    fix: 'See `did_you_mean`, or list the collection.',
    retry: false,
  },
  method_not_allowed: {
    status: 405,
    detail: 'Method {method} is not for this address',
    cause: 'The address exists, and takes other methods.',
    fix: 'Use one of those that `Allow` names.',
    retry: false,
  },
  body_too_slow: {
    status: 408,
    detail: 'The body did not arrive within {seconds} seconds',
    cause: 'The connection is too slow, or the body is shorter than its `Content-Length`.',
    fix: 'Send the request again; an upload has more time.',
    retry: true,
  },
  file_too_large: {
    status: 413,
    detail: 'File is larger than {max_bytes} bytes',
    cause: 'The upload or body is over the limit.',
    fix: 'Send a smaller one; see `max_bytes`.',
    retry: false,
  },
  unsupported_type: {
    status: 415,
    detail: 'Unsupported file type',
    cause: 'The content is of a kind that is not read here.',
    fix: 'See `accepted`.',
    retry: false,
  },
  validation_failed: {
    status: 422,
    detail: 'Invalid request',
    cause: 'A parameter or a field of the body breaks its rule.',
    fix: 'See `detail[]`: place, kind and message of each problem.',
    retry: false,
  },
  malformed_json: {
    status: 422,
    detail: 'The body is not valid JSON',
    cause: 'The body could not be parsed.',
    fix: 'Send valid JSON in UTF-8.',
    retry: false,
  },
  body_too_complex: {
    status: 422,
    detail: 'The body has more than {max_values} values, or is nested deeper than {max_depth} levels',
    cause: 'The body holds more lists, objects and values than any request here needs.',
    fix: 'Send less in one request; see `max_values` and `max_depth`.',
    retry: false,
  },
  idempotency_key_reused: {
    status: 422,
    detail: 'Idempotency-Key was used for another request',
    cause: 'The same `Idempotency-Key` came before with another route, address or body.',
    fix: 'Send a new key with a new request, and the same request with the same key.',
    retry: false,
  },
  idempotency_not_supported: {
    status: 422,
    detail: 'Idempotency-Key is not supported here',
    cause: 'The route streams or takes files, or the request came without an API key.',
    fix: 'Leave the header out; on other routes send an API key with it.',
    retry: false,
  },
  quota_exceeded: {
    status: 429,
    detail: 'Quota exceeded ({bucket}): {used}/{limit}',
    cause: 'The minute or the day is used up, or a limit of its own that the answer names.',
    fix: 'Wait for `Retry-After` seconds.',
    retry: true,
  },
  internal_error: {
    status: 500,
    detail: 'Internal server error',
    cause: 'A fault of ours; it is logged under the request id.',
    fix: 'Try again with back-off; quote `request_id` when you report it.',
    retry: true,
  },
  reduced_capacity: {
    status: 503,
    detail: 'Temporarily overloaded',
    cause: 'There is more to do than the server can do, or a worker is busy.',
    fix: 'Try again after `Retry-After` seconds.',
    retry: true,
  },
  database_unavailable: {
    status: 503,
    detail: 'The database cannot be reached',
    cause: 'The database is stopped, starting, or out of reach of the server.',
    fix: 'Try again after `Retry-After` seconds; if it lasts, tell the operator.',
    retry: true,
  },
});

/** Returns the 404 error of the API, with the members that integrators know from OpenAlex in addition to the message. */
export const notFound = (resource: string, id: string, didYouMean: readonly string[] = []): AppError =>
  coreErrors.not_found(
    { resource, id },
    { body: { resource: resource.toLowerCase(), id, did_you_mean: [...didYouMean] } },
  );

/** An error in `content/`, with the position at which an editor can find it. */
export class ContentError extends Error {
  readonly line: number | null;
  /** The message without the position. */
  readonly mistake: string;

  constructor(path: string, line: number | null, mistake: string) {
    super(`content/${path}${line ? `:${line}` : ''}: ${mistake}`);
    this.name = 'ContentError';
    this.line = line;
    this.mistake = mistake;
  }
}

/** An error that the operator can fix (a wrong setting, a port in use): reported as one sentence without a stack trace. */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorError';
  }
}

/** Incorrect usage of a command (an unknown option, a missing setting): nothing was done, and the exit status is 2. */
export class UsageError extends OperatorError {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
