/**
 * One POST to somebody else's server: resolved, checked, and connected to an address that was checked. No redirects, no
 * proxies of the environment, no kept connections, and no more than the beginning of the answer.
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
  /** Whether an address may be connected to. */
  isAllowed(address: string): boolean;
  /** All addresses of a name. */
  resolve(host: string): Promise<readonly Address[]>;
  /** Certificates to trust instead of the usual ones, for tests. */
  readonly ca?: string;
}

export const sendRules = (allowPrivate: boolean): SendRules => ({
  allowPrivate,
  timeoutMs: 15_000,
  maxBytes: 16_384,
  isAllowed: (address) => allowPrivate || isPublicAddress(address),
  resolve: (host) => lookup(host, { all: true, verbatim: true }),
});

/** Why there is no answer. */
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
  /** Null for a 2xx. */
  readonly failure: Failure | null;
  readonly status: number | null;
  readonly retryAfter: string | undefined;
  readonly contentType: string;
  /** The first `maxBytes` at most, of what came in time. */
  readonly body: Buffer;
}

class SendTrouble extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure);
    this.failure = failure;
  }
}

/** Every address that a name has must be allowed: one that is not says that the name is not to be trusted. */
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

/** Instead of asking the name server again: it could say something else the second time. */
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

/** What came of the body when it ended, was cut off, or time was over: it decides nothing. */
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
    // The status came, and that is what counts.
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
  // A second look at where it really leads, in case a name was not asked for.
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

/** Ends as soon as `stopping` says so, then with an error; every other trouble is told in the answer. */
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

/** The name server is asked by a call that cannot be ended; it is not waited for. */
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
