/** What every call of the TypeScript client goes through. Sent as it stands here, with the generated part behind it. */

export interface ClientOptions {
  /** Left out, only what is open without one can be called. */
  readonly key?: string | undefined;
  readonly baseUrl?: string;
  /** How often a call is tried again after 429 and 503. */
  readonly retries?: number;
  /** A longer wait than this is not waited for: the error comes at once. */
  readonly longestWaitSeconds?: number;
  readonly timeoutSeconds?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Names this request, so that it is done once however often it is sent. */
  readonly idempotencyKey?: string;
}

/** One problem of a request that was refused with 422. */
export interface FieldProblem {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** An answer that is no success; `code` never changes its meaning. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  readonly problems: readonly FieldProblem[];
  /** Seconds; null where the answer names none. */
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

/** As given in the header: seconds, or a date. */
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

/** What the generated methods call. */
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

  /** A 429 was not begun; after a 503 only what may be done twice is sent again. */
  #mayRepeat({ method, options }: Call, status: number): boolean {
    return status === 429 || (status === 503 && (method === 'GET' || options?.idempotencyKey !== undefined));
  }

  /** @throws ApiError for every answer that is no success, once it has been tried often enough. */
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

  /** Server-sent events, one after the other; comments are left out. */
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
 * Every page of a list, one after the other: by `next_cursor` where the answer has one, else by `page`.
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
  /** `whsec_…`, as it was shown when the webhook was registered. */
  readonly secret: string;
  /** Of the request, names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Exactly as it came: not parsed and written again. */
  readonly body: string;
  readonly toleranceSeconds?: number;
}

/**
 * The event of a webhook, once its signature (Standard Webhooks, v1) and its time are checked.
 * @throws Error when it was not sent by who knows the secret, or too long ago.
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
    // Bytes that are no base64 are no signature of ours.
    if (version !== 'v1' || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) continue;
    if (await crypto.subtle.verify('HMAC', key, bytesOf(text), signed))
      return JSON.parse(body) as Record<string, unknown>;
  }
  throw new Error('The signature of the webhook does not fit');
};
