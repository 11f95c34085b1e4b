import { setTimeout as sleep } from 'node:timers/promises';

/** A failed request after all retries; `status` is 0 when no complete response arrived. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure';
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }

  /** Returns whether the same request may succeed later. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

export interface Patience {
  /** Maximum number of requests started per second, over all calls through one fetcher. */
  readonly requestsPerSecond: number;
  /** Maximum number of attempts after the first. */
  readonly retries: number;
  /** Timeout of one attempt in seconds, including its body. */
  readonly timeoutSeconds: number;
  /** First pause in seconds; it doubles with each retry, up to one minute. */
  readonly pauseSeconds: number;
}

export interface Request {
  readonly url: string;
  readonly body: URLSearchParams;
  /** End of every complete response, because servers truncate responses and send error pages with status 200. */
  readonly ending: RegExp;
  /** Finds a failure that the text of a response reports, regardless of its status. */
  readonly failureIn?: (text: string) => RemoteFailure | null;
  readonly signal: AbortSignal;
}

const longestPause = 60;
const longestAsked = 300;

/**
 * Returns the seconds that the server asks to wait, from a number or a date, at most 300; null without a valid Retry-After
 * header.
 */
const retryAfter = (header: string | null): number | null => {
  if (header === null) return null;
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), longestAsked) : null;
};

/** Waits for the given milliseconds; throws the reason of the signal when it aborts. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
};

/** Spaces the starts of requests evenly, because servers count requests per second. */
const pacer = (requestsPerSecond: number) => {
  const gap = 1000 / requestsPerSecond;
  let nextAt = 0;
  return async (signal: AbortSignal): Promise<void> => {
    const now = performance.now();
    const at = Math.max(now, nextAt);
    nextAt = at + gap;
    if (at > now) await pause(at - now, signal);
  };
};

type Attempt = { readonly text: string } | { readonly failure: RemoteFailure; readonly waitSeconds: number | null };

const attempt = async ({ url, body, ending, failureIn, signal }: Request, timeoutSeconds: number): Promise<Attempt> => {
  const limit = AbortSignal.timeout(timeoutSeconds * 1000);
  try {
    const reply = await fetch(url, { method: 'POST', body, signal: AbortSignal.any([signal, limit]) });
    const text = await reply.text();
    const reported = failureIn?.(text);
    if (reply.ok && !reported && ending.test(text.slice(-1000))) return { text };
    const failure = reply.ok
      ? new RemoteFailure('answered with something broken or unexpected', 0)
      : new RemoteFailure(`answered ${reply.status}`, reply.status);
    return { failure: reported ?? failure, waitSeconds: retryAfter(reply.headers.get('retry-after')) };
  } catch (error) {
    signal.throwIfAborted();
    const cause = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).name;
    const message = limit.aborted
      ? `gave no whole answer within ${timeoutSeconds} s`
      : `could not be reached (${cause})`;
    return { failure: new RemoteFailure(message, 0), waitSeconds: null };
  }
};

/**
 * Creates a function that fetches text by POST (so that a key does not appear in addresses and logs), with a rate limit. It
 * retries with exponential backoff after 408, 429, 5xx, a timeout, a network error or an incomplete response. It throws
 * RemoteFailure when the retries are exhausted, and the signal's reason when aborted.
 */
export const patientFetch = (patience: Patience) => {
  const turn = pacer(patience.requestsPerSecond);
  return async (request: Request): Promise<string> => {
    for (let number = 0; ; number += 1) {
      await turn(request.signal);
      const result = await attempt(request, patience.timeoutSeconds);
      if ('text' in result) return result.text;
      if (number >= patience.retries || !result.failure.isTransient) throw result.failure;
      const growing = Math.min(patience.pauseSeconds * 2 ** number, longestPause);
      await pause((result.waitSeconds ?? growing) * 1000, request.signal);
    }
  };
};
