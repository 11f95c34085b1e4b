import { setTimeout as sleep } from 'node:timers/promises';

/** A server's answer that was not good, after every attempt; `status` is 0 when no whole answer came. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure';
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

export interface Patience {
  /** Requests begun per second, over all calls through one fetcher. */
  readonly requestsPerSecond: number;
  /** Attempts after the first. */
  readonly retries: number;
  /** For one attempt, its body included. */
  readonly timeoutSeconds: number;
  /** The first pause; each further one is twice as long, to a minute at most. */
  readonly pauseSeconds: number;
}

export interface Request {
  readonly url: string;
  readonly body: URLSearchParams;
  /** What every good answer ends with: servers cut answers short, and send error pages with status 200. */
  readonly ending: RegExp;
  readonly signal: AbortSignal;
}

const longestPause = 60;
const longestAsked = 300;

/** Seconds the server asks to wait, from a number or a date; null when it asks for none. */
const retryAfter = (header: string | null): number | null => {
  if (header === null) return null;
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), longestAsked) : null;
};

/** Spaces the beginnings of requests evenly: a server counts them by the second. */
const pacer = (requestsPerSecond: number) => {
  const gap = 1000 / requestsPerSecond;
  let nextAt = 0;
  return async (signal: AbortSignal): Promise<void> => {
    const now = performance.now();
    const at = Math.max(now, nextAt);
    nextAt = at + gap;
    if (at > now) await sleep(at - now, undefined, { signal });
  };
};

type Attempt = { readonly text: string } | { readonly failure: RemoteFailure; readonly waitSeconds: number | null };

const isPassing = (status: number): boolean => status === 0 || status === 408 || status === 429 || status >= 500;

const attempt = async ({ url, body, ending, signal }: Request, timeoutSeconds: number): Promise<Attempt> => {
  const limit = AbortSignal.timeout(timeoutSeconds * 1000);
  try {
    const reply = await fetch(url, { method: 'POST', body, signal: AbortSignal.any([signal, limit]) });
    const text = await reply.text();
    if (reply.ok && ending.test(text.slice(-1000))) return { text };
    if (reply.ok)
      return { failure: new RemoteFailure('answered with something broken or unexpected', 0), waitSeconds: null };
    return {
      failure: new RemoteFailure(`answered ${reply.status}`, reply.status),
      waitSeconds: retryAfter(reply.headers.get('retry-after')),
    };
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
 * Fetches text by POST (so that a key stays out of addresses and logs), paced, and again with growing pauses after
 * 408, 429, 5xx, a time-out, a network error or half an answer. Throws RemoteFailure when patience ends, and the reason when aborted.
 */
export const patientFetch = (patience: Patience) => {
  const turn = pacer(patience.requestsPerSecond);
  return async (request: Request): Promise<string> => {
    for (let number = 0; ; number += 1) {
      await turn(request.signal);
      const result = await attempt(request, patience.timeoutSeconds);
      if ('text' in result) return result.text;
      if (number >= patience.retries || !isPassing(result.failure.status)) throw result.failure;
      const pause = Math.min(patience.pauseSeconds * 2 ** number, longestPause);
      await sleep((result.waitSeconds ?? pause) * 1000, undefined, { signal: request.signal });
    }
  };
};
