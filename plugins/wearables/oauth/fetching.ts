/** Sends requests to vendors, with limits of time and size and without redirects. The result is JSON or a VendorError. */

import type { VendorRequest } from '../vendors/vendor.ts';
import { VendorError } from '../vendors/vendor-error.ts';

export interface FetchLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

export const FETCH_LIMITS: FetchLimits = { timeoutMs: 20_000, maxBytes: 5 * 1024 * 1024 };

/** A fetch whose response is fully received, and which throws a VendorError if there is no response. */
export type VendorFetch = (url: string, init: RequestInit) => Promise<Response>;

/** Parses Retry-After, a number of seconds or a date (RFC 9110), as seconds; null without either. */
const retryAfter = (headers: Headers, now: number): number | null => {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const until = Date.parse(value);
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - now) / 1_000));
};

const bodyOf = async (response: Response, maxBytes: number): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    // Leaving the loop closes the connection.
    if (bytes > maxBytes) throw new VendorError('too_large');
    parts.push(part);
  }
  return Buffer.concat(parts);
};

interface Parts {
  readonly fetch: typeof fetch;
  readonly limits: FetchLimits;
  readonly now: () => number;
  /** Aborts all requests, because the server stops or the time of the job is over. */
  readonly signal?: AbortSignal;
}

/** Creates the fetch. It throws for 429 and 5xx; other errors are left to the caller. */
export const vendorFetch = ({ fetch: plain, limits, now, signal: outer }: Parts): VendorFetch => {
  return async (url, init) => {
    const timeout = AbortSignal.timeout(limits.timeoutMs);
    const signal = AbortSignal.any([timeout, ...[outer, init.signal].filter((one) => one != null)]);
    try {
      const response = await plain(url, { ...init, redirect: 'manual', signal });
      const { status, headers } = response;
      if (status >= 300 && status < 400) throw new VendorError('redirected', { status });
      if (status === 429 || status >= 500) {
        await response.body?.cancel();
        throw new VendorError('busy', { status, retryAfterSeconds: retryAfter(headers, now()) });
      }
      const body = await bodyOf(response, limits.maxBytes);
      return new Response(body.length ? new Uint8Array(body) : null, { status, headers: ofContent(headers) });
    } catch (error) {
      if (error instanceof VendorError) throw error;
      outer?.throwIfAborted();
      throw new VendorError(timeout.aborted ? 'slow' : 'unreachable');
    }
  };
};

/** Keeps only the headers of the content: the body is already decompressed, so its encoding and length no longer apply. */
const ofContent = (headers: Headers): Headers => {
  const kept = new Headers();
  for (const name of ['content-type', 'www-authenticate']) {
    const value = headers.get(name);
    if (value) kept.set(name, value);
  }
  return kept;
};

/**
 * Parses the JSON of a successful response; null for an empty one, for the statuses of `emptyAt`, and if the body is ignored.
 * @throws VendorError
 */
export const jsonOf = async (
  response: Response,
  { emptyAt = [], isBodyOfNoUse = false }: Pick<VendorRequest, 'emptyAt' | 'isBodyOfNoUse'> = {},
): Promise<unknown> => {
  const { status } = response;
  if (status === 204 || emptyAt.includes(status)) return null;
  if (status === 401) throw new VendorError('unauthorized', { status });
  if (!response.ok) throw new VendorError('refused', { status });
  const text = await response.text();
  if (isBodyOfNoUse || !text.trim()) return null;
  try {
    return JSON.parse(text);
  } catch {
    // The error of the parser is not passed on, because it quotes the text.
    throw new VendorError('unreadable', { status });
  }
};
