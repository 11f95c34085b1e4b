/**
 * Sends one POST to an external server: resolves the name, checks the addresses, and connects to a checked address only. It
 * follows no redirects, uses no proxy of the environment and no persistent connection, and reads only the beginning of the
 * response.
 */
import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { type RequestOptions, request as tlsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress, urlProblem } from './address-rule.ts';

export interface Address {
  readonly address: string;
  readonly family: number;
}

export interface SendRules {
  readonly allowPrivate: boolean;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Returns whether connections to an address are allowed. */
  isAllowed(address: string): boolean;
  /** Returns all addresses of a name. */
  resolve(host: string): Promise<readonly Address[]>;
  /** Certificates to trust instead of the default ones, for tests. */
  readonly ca?: string;
}

export const sendRules = (allowPrivate: boolean): SendRules => ({
  allowPrivate,
  timeoutMs: 15_000,
  maxBytes: 16_384,
  isAllowed: (address) => allowPrivate || isPublicAddress(address),
  resolve: (host) => lookup(host, { all: true, verbatim: true }),
});

/** Reasons why a request failed. */
export const FAILURES = [
  'timeout',
  'url_refused',
  'address_refused',
  'name_not_found',
  'certificate_refused',
  'connection_failed',
  'redirected',
  'status',
  'gone',
  'not_signed',
] as const;
export type Failure = (typeof FAILURES)[number];

export interface Sent {
  /** Null for a 2xx response. */
  readonly failure: Failure | null;
  readonly status: number | null;
  readonly retryAfter: string | undefined;
  readonly contentType: string;
  /** At most the first `maxBytes` bytes that arrived in time. */
  readonly body: Buffer;
}

class SendTrouble extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure);
    this.failure = failure;
  }
}

/** Resolves a name and requires every address to be allowed: a single forbidden one makes the name untrustworthy. */
const checkedAddresses = async (hostname: string, rules: SendRules): Promise<readonly Address[]> => {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(host);
  const found = family
    ? [{ address: host, family }]
    : await rules.resolve(host).catch(() => {
        throw new SendTrouble('name_not_found');
      });
  if (!found.length) throw new SendTrouble('name_not_found');
  if (!found.every(({ address }) => rules.isAllowed(address))) throw new SendTrouble('address_refused');
  return found;
};

/** Returns a lookup with the checked addresses, because a second DNS query could return different ones. */
const pinned =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };

interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const failureOf = (status: number): Failure | null => {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return 'redirected';
  return status === 410 ? 'gone' : 'status';
};

/** Reads the beginning of the body, until it ends, is cut off, or times out. It does not affect the result. */
const beginningOf = async (answer: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= maxBytes) break;
    }
  } catch {
    // The status has arrived, and only the status counts.
  }
  answer.destroy();
  return Buffer.concat(parts).subarray(0, maxBytes);
};

const TLS_ERROR = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_OSSL|HOSTNAME_MISMATCH)/;

const troubleOf = (error: unknown, signal: AbortSignal): SendTrouble => {
  if (error instanceof SendTrouble) return error;
  if (signal.aborted) return new SendTrouble('timeout');
  const code = String((error as { readonly code?: unknown }).code ?? '');
  return new SendTrouble(TLS_ERROR.test(code) ? 'certificate_refused' : 'connection_failed');
};

const exchange = async (
  { url, headers, body }: Post,
  addresses: readonly Address[],
  { rules, signal }: { readonly rules: SendRules; readonly signal: AbortSignal },
): Promise<IncomingMessage> => {
  const answer = Promise.withResolvers<IncomingMessage>();
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    agent: false,
    lookup: pinned(addresses),
    signal,
    maxHeaderSize: 16_384,
    ...(rules.ca && { ca: rules.ca }),
  };
  const sending = url.startsWith('https:') ? tlsRequest(url, options) : plainRequest(url, options);
  sending.on('error', answer.reject);
  sending.on('response', answer.resolve);
  // Checks the actual remote address again, in case the connection was made without a lookup.
  sending.on('socket', (socket) =>
    socket.once('connect', () => {
      if (!rules.isAllowed(socket.remoteAddress ?? '')) sending.destroy(new SendTrouble('address_refused'));
    }),
  );
  sending.end(body);
  return answer.promise;
};

export const unanswered = (failure: Failure): Sent => ({
  failure,
  status: null,
  retryAfter: undefined,
  contentType: '',
  body: Buffer.alloc(0),
});

/** Sends a request. Rejects as soon as `stopping` aborts; every other failure is returned in the result. */
export const send = async (post: Post, rules: SendRules, stopping: AbortSignal): Promise<Sent> => {
  const signal = AbortSignal.any([AbortSignal.timeout(rules.timeoutMs), stopping]);
  try {
    if (urlProblem(post.url, rules)) throw new SendTrouble('url_refused');
    const addresses = await inTime(checkedAddresses(new URL(post.url).hostname, rules), signal);
    const answer = await exchange(post, addresses, { rules, signal });
    const status = answer.statusCode ?? 0;
    return {
      failure: failureOf(status),
      status,
      retryAfter: answer.headers['retry-after'],
      contentType: answer.headers['content-type'] ?? '',
      body: await beginningOf(answer, rules.maxBytes),
    };
  } catch (error) {
    stopping.throwIfAborted();
    return unanswered(troubleOf(error, signal).failure);
  }
};

/** Races DNS resolution with the signal, because the lookup itself cannot be cancelled. */
const inTime = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const over = Promise.withResolvers<never>();
  const end = (): void => over.reject(new SendTrouble('timeout'));
  signal.addEventListener('abort', end, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([work, over.promise]);
  } finally {
    signal.removeEventListener('abort', end);
    work.catch(() => undefined);
  }
};
