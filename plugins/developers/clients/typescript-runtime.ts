/** Sends the requests of the TypeScript client. The service delivers this file unchanged, followed by the generated part. */

export interface ClientOptions {
  /** API key; without one, only public operations can be called. */
  readonly key?: string | undefined;
  readonly baseUrl?: string;
  /** Maximum number of retries after 429 and 503. */
  readonly retries?: number;
  /** Maximum wait before a retry, in seconds. If the server asks for more, the error is thrown immediately. */
  readonly longestWaitSeconds?: number;
  readonly timeoutSeconds?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Identifies this request, so that it is processed once however often it is sent. */
  readonly idempotencyKey?: string;
}

/** One validation problem of a request that was rejected with 422. */
export interface FieldProblem {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** An error response; the meaning of a `code` never changes. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  readonly problems: readonly FieldProblem[];
  /** Seconds until a retry is useful; null when the response has no Retry-After. */
  readonly retryAfter: number | null;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Readonly<Record<string, unknown>>, retryAfter: number | null) {
    const { detail, code, request_id: requestId } = body;
    super(typeof detail === 'string' ? detail : `${code ?? 'error'} (${status})`);
    this.name = 'ApiError';
    this.status = status;
    this.code = String(code ?? '');
    this.requestId = String(requestId ?? '');
    this.problems = Array.isArray(detail) ? (detail as FieldProblem[]) : [];
    this.retryAfter = retryAfter;
    this.body = body;
  }
}

/** One event of a stream. */
export interface StreamEvent {
  readonly event: string;
  readonly id: string;
  readonly data: unknown;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly given?: object;
  readonly body?: unknown;
  readonly options?: CallOptions | undefined;
}

const wait = (seconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });

/** Parses Retry-After, which is a number of seconds or a date, to seconds. */
const secondsOf = (header: string | null): number | null => {
  if (!header) return null;
  if (/^\d+$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / 1000);
};

const bodyOf = async (reply: Response): Promise<Record<string, unknown>> => {
  const text = await reply.text();
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return { detail: text.slice(0, 200) };
  }
};

/** Base class of the generated client. */
export class ApiClient {
  readonly #options: ClientOptions & { readonly baseUrl: string };

  constructor(options: ClientOptions & { readonly baseUrl: string }) {
    this.#options = options;
  }

  #address({ path, given = {} }: Call): string {
    const values = new Map(Object.entries(given).filter(([, value]) => value !== undefined && value !== null));
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values.get(name);
      values.delete(name);
      return encodeURIComponent(String(value));
    });
    const query = new URLSearchParams(
      [...values].map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
    return `${this.#options.baseUrl}${filled}${query ? `?${query}` : ''}`;
  }

  #request({ method, body, options = {} }: Call, accept: string): RequestInit {
    const { key, timeoutSeconds = 60 } = this.#options;
    const time = AbortSignal.timeout(timeoutSeconds * 1000);
    return {
      method,
      headers: {
        Accept: accept,
        ...(key && { Authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(options.idempotencyKey && { 'Idempotency-Key': options.idempotencyKey }),
      },
      signal: options.signal ? AbortSignal.any([options.signal, time]) : time,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
  }

  /**
   * Returns whether a request may be retried. A request that got 429 was not processed; after 503 only idempotent requests are
   * sent again.
   */
  #mayRepeat({ method, options }: Call, status: number): boolean {
    return status === 429 || (status === 503 && (method === 'GET' || options?.idempotencyKey !== undefined));
  }

  /** @throws ApiError for an error response, after all retries have failed. */
  protected async send(call: Call, accept: string): Promise<Response> {
    const { retries = 3, longestWaitSeconds = 60 } = this.#options;
    for (let tried = 0; ; tried += 1) {
      const reply = await fetch(this.#address(call), this.#request(call, accept));
      if (reply.ok) return reply;
      const retryAfter = secondsOf(reply.headers.get('retry-after'));
      const seconds = retryAfter ?? 2 ** tried * (0.75 + Math.random() / 2);
      if (tried >= retries || seconds > longestWaitSeconds || !this.#mayRepeat(call, reply.status))
        throw new ApiError(reply.status, await bodyOf(reply), retryAfter);
      await reply.body?.cancel();
      await wait(seconds, call.options?.signal);
    }
  }

  protected async json<T>(call: Call): Promise<T> {
    return (await (await this.send(call, 'application/json')).json()) as T;
  }

  protected async text(call: Call): Promise<string> {
    return (await this.send(call, '*/*')).text();
  }

  /** Yields server-sent events one by one; skips comments. */
  protected async *events(call: Call): AsyncGenerator<StreamEvent> {
    const reply = await this.send(call, 'text/event-stream');
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  }
}

const eventOf = (block: string): StreamEvent | null => {
  const fields = block.split(/\r?\n/).map((line) => /^(event|id|data): ?(.*)$/.exec(line));
  const valuesOf = (name: string) => fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ''] : []));
  const data = valuesOf('data').join('\n');
  if (!data) return null;
  return { event: valuesOf('event')[0] ?? 'message', id: valuesOf('id')[0] ?? '', data: JSON.parse(data) as unknown };
};

interface Paged {
  readonly page?: number;
  readonly page_size?: number;
  readonly total?: number;
  readonly total_pages?: number;
  readonly has_next?: boolean;
  readonly next_cursor?: string | null;
}

const hasNext = ({ page = 1, page_size: size = 0, total = 0, total_pages: pages, has_next: next }: Paged): boolean =>
  next ?? (pages === undefined ? size > 0 && page * size < total : page < pages);

/**
 * Yields all pages of a list one by one, following `next_cursor` when the response has one, otherwise `page`.
 * `for await (const page of eachPage((given) => base.productsList(given), { supplement: 'zinc' }))`
 */
export async function* eachPage<G extends object, R extends object>(
  list: (given: G) => Promise<R>,
  given: G,
): AsyncGenerator<R> {
  for (let next: G | null = given; next; ) {
    const answer: R = await list(next);
    yield answer;
    const paged = answer as Paged;
    if (paged.next_cursor) next = { ...given, page: undefined, cursor: paged.next_cursor } as G;
    else next = hasNext(paged) ? { ...given, page: (paged.page ?? 1) + 1 } : null;
  }
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

interface Delivery {
  /** Signing secret `whsec_…`, as it was shown when the webhook was registered. */
  readonly secret: string;
  /** Headers of the request, with lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Body exactly as received, not parsed and serialized again. */
  readonly body: string;
  readonly toleranceSeconds?: number;
}

/**
 * Returns the event of a webhook after verifying its signature (Standard Webhooks, v1) and its timestamp.
 * @throws Error when the signature is invalid or the timestamp is too old or missing.
 */
export const verifyWebhook = async ({
  secret,
  headers,
  body,
  toleranceSeconds = 300,
}: Delivery): Promise<Record<string, unknown>> => {
  const header = (name: string): string => String(headers[`webhook-${name}`] ?? '');
  const [id, timestamp] = [header('id'), header('timestamp')];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new Error('The webhook was sent too long ago, or its time is missing');
  const usage = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytesOf(secret.replace(/^whsec_/, '')), usage, false, ['verify']);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of header('signature').split(' ')) {
    const [version, text = ''] = signature.split(',');
    // Text that is not base64 cannot be a valid signature.
    if (version !== 'v1' || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) continue;
    if (await crypto.subtle.verify('HMAC', key, bytesOf(text), signed))
      return JSON.parse(body) as Record<string, unknown>;
  }
  throw new Error('The signature of the webhook does not fit');
};
